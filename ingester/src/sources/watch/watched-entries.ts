import type { Stream } from '@joblens/core';
import type { DiscoveredFile, DiscoveredJob } from '../file-discovery.js';
import type { WatchedFile } from './watched-file.js';
import type { WatchedJob } from './watched-jobs.js';

/** One path of one job, and what came of it. */
export interface WatchedEntry {
  readonly path: string;
  readonly stream: Stream;
  readonly createdMs: number;
  /** As it was listed last. */
  job: DiscoveredJob;
  isShared: boolean;
  /** Undefined until the job was found to be one that may be logged. */
  opened: WatchedJob | undefined;
  file: WatchedFile | undefined;
  nextMs: number;
  polledMs: number;
  /** Waits for its time: it is neither being read nor about to be. */
  isWaiting: boolean;
  /** The job has ended, and so has this file. */
  isDone: boolean;
  /** There was something with this name. */
  wasSeen: boolean;
  /** Since when the job wrote whose part of the file was read to its end: a job that is requeued writes again. */
  readSinceMs: number | undefined;
  /** Since when the job wrote for which the file is read now. */
  shareSinceMs: number | undefined;
  /** It was said that others write to the file at the same time. */
  hasSaidShared: boolean;
  /** The last message about it. */
  said: string;
  /** Since when its source does not list it. */
  unlistedMs: number | undefined;
}

/** A job that its source describes itself. */
interface OwnedJob {
  job: DiscoveredJob;
  readonly opened: WatchedJob;
  /** How often it was looked at since it was listed as ended. */
  endedLooks: number;
  unlistedMs: number | undefined;
}

export function createEntry(job: DiscoveredJob, { path, stream }: DiscoveredFile, nowMs: number): WatchedEntry {
  return {
    ...{ path, stream, job, createdMs: nowMs, opened: undefined, file: undefined },
    ...{ nextMs: nowMs, polledMs: -Infinity, isWaiting: true, isDone: false, said: '', unlistedMs: undefined },
    ...{ isShared: false, wasSeen: false, readSinceMs: undefined, shareSinceMs: undefined, hasSaidShared: false },
  };
}

/** All that is watched, found by job and path, by path, and by the identity of the files. */
export class EntryBook {
  readonly #entries = new Map<string, WatchedEntry>();
  readonly #byPath = new Map<string, WatchedEntry[]>();
  readonly #holders = new Map<string, WatchedEntry>();
  readonly #identities = new Map<WatchedEntry, readonly string[]>();
  readonly #owned = new Map<string, OwnedJob>();
  /** Jobs that are done with but still listed. */
  readonly #finished = new Set<string>();
  readonly #orphaned = new Set<WatchedJob>();
  #listed = new Set<WatchedEntry>();
  #listedJobs = new Set<string>();

  all(): Iterable<WatchedEntry> {
    return this.#entries.values();
  }

  at(path: string): readonly WatchedEntry[] {
    return this.#byPath.get(path) ?? [];
  }

  /** The paths of a job's stream of which nothing was ever there, when all are done with and none was. */
  listMissed({ job, stream }: WatchedEntry): readonly string[] {
    const all = [...this.#entries.values()].filter((entry) => entry.job.id === job.id && entry.stream === stream);
    return all.every(({ isDone, wasSeen }) => isDone && !wasSeen) ? all.map(({ path }) => path) : [];
  }

  add(entry: WatchedEntry): void {
    this.#entries.set(formatEntryKey(entry.job, entry.path), entry);
    this.#byPath.set(entry.path, [...this.at(entry.path), entry]);
  }

  /** The entry whose job the output of the path goes to now, when a scheduler knows the job. */
  readerAt(path: string): WatchedEntry | undefined {
    return this.at(path).find(({ job, file, isDone }) => job.owner !== undefined && file !== undefined && !isDone);
  }

  /** The entry of the job that writes to the path after this one, or beside it, as soon as it has begun. */
  nextAfter(entry: WatchedEntry): WatchedEntry | undefined {
    const waiting = this.at(entry.path).filter(
      (other) => other !== entry && other.file === undefined && isInLine(other)
    );
    return waiting.sort(compareStarts)[0];
  }

  /** Whether a job that began before writes to the path still. */
  isBehindOther(entry: WatchedEntry): boolean {
    return this.at(entry.path).some(
      (other) =>
        other !== entry &&
        isInLine(other) &&
        other.job.writing?.untilMs === undefined &&
        compareStarts(other, entry) < 0
    );
  }

  /** The entry that follows the file with this identity, under whatever name. */
  holderOf(identity: string): WatchedEntry | undefined {
    return this.#holders.get(identity);
  }

  setIdentities(entry: WatchedEntry, identities: readonly string[]): void {
    const known = this.#identities.get(entry) ?? [];
    if (known.length === identities.length && known.every((identity, i) => identity === identities[i])) return;
    for (const identity of known) if (this.#holders.get(identity) === entry) this.#holders.delete(identity);
    for (const identity of identities) this.#holders.set(identity, entry);
    this.#identities.set(entry, identities);
  }

  beginListing(): void {
    this.#listed = new Set();
    this.#listedJobs = new Set();
  }

  /** Undefined when the job is done with. */
  list(job: DiscoveredJob, file: DiscoveredFile, nowMs: number): WatchedEntry | undefined {
    if (this.isFinished(job)) return undefined;
    let entry = this.#entries.get(formatEntryKey(job, file.path));
    if (entry === undefined) {
      entry = createEntry(job, file, nowMs);
      this.add(entry);
    }
    entry.job = job;
    entry.isShared = file.isShared === true;
    this.#listed.add(entry);
    return entry;
  }

  endListing(nowMs: number): void {
    for (const entry of this.#entries.values()) {
      entry.unlistedMs = this.#listed.has(entry) ? undefined : (entry.unlistedMs ?? nowMs);
    }
    for (const [key, owned] of this.#owned) {
      owned.unlistedMs = this.#listedJobs.has(key) ? undefined : (owned.unlistedMs ?? nowMs);
    }
    for (const key of this.#finished) if (!this.#listedJobs.has(key)) this.#finished.delete(key);
  }

  isFinished(job: DiscoveredJob): boolean {
    const key = formatOwnedKey(job);
    this.#listedJobs.add(key);
    return this.#finished.has(key);
  }

  /** Returns whether it was not known before. */
  setOpened(job: DiscoveredJob, opened: WatchedJob): boolean {
    const key = formatOwnedKey(job);
    this.#listedJobs.add(key);
    const known = this.#owned.get(key);
    if (known === undefined) this.#owned.set(key, { job, opened, endedLooks: 0, unlistedMs: undefined });
    else known.job = job;
    return known === undefined;
  }

  /**
   * Takes out the entries that are not listed since that time and do not change any more, or cannot be read to their
   * end.
   */
  takeUnlisted(beforeMs: number): WatchedEntry[] {
    const taken: WatchedEntry[] = [];
    for (const entry of this.#entries.values()) {
      const isOld = entry.unlistedMs !== undefined && entry.unlistedMs < beforeMs;
      const isOver = entry.job.isEnded === true || entry.file?.isQuiet !== false;
      if (isOld && entry.isWaiting && isOver) taken.push(entry);
    }
    for (const entry of taken) this.#remove(entry);
    for (const [key, { opened, unlistedMs }] of this.#owned) {
      if (unlistedMs === undefined || unlistedMs >= beforeMs) continue;
      this.#owned.delete(key);
      this.#orphaned.add(opened);
    }
    return taken;
  }

  /** Takes out the jobs that nothing is left to do for: they have ended, or none of their files is known any more. */
  takeFinishedJobs(): WatchedJob[] {
    const finished = new Set<WatchedJob>();
    for (const [key, owned] of this.#owned) {
      if (owned.job.isEnded !== true) continue;
      owned.endedLooks += 1;
      const entries = [...this.#entries.values()].filter((entry) => formatOwnedKey(entry.job) === key);
      // The last facts about a job may come after its source has listed it as ended.
      if (owned.endedLooks < 2 || entries.some((entry) => !entry.isDone || !entry.isWaiting)) continue;
      for (const entry of entries) this.#remove(entry);
      this.#owned.delete(key);
      if (this.#listedJobs.has(key)) this.#finished.add(key);
      finished.add(owned.opened);
    }
    for (const opened of this.#orphaned) {
      const isUsed = [...this.#entries.values()].some((entry) => entry.opened === opened);
      if (!isUsed && ![...this.#owned.values()].some((owned) => owned.opened === opened)) finished.add(opened);
    }
    this.#orphaned.clear();
    return [...finished];
  }

  #remove(entry: WatchedEntry): void {
    this.setIdentities(entry, []);
    this.#identities.delete(entry);
    this.#entries.delete(formatEntryKey(entry.job, entry.path));
    const others = this.at(entry.path).filter((other) => other !== entry);
    if (others.length === 0) this.#byPath.delete(entry.path);
    else this.#byPath.set(entry.path, others);
    if (entry.opened !== undefined) this.#orphaned.add(entry.opened);
  }
}

/** Whether its job writes to the file, or has written output that was not read yet. */
export function isInLine({ job, isDone, readSinceMs }: WatchedEntry): boolean {
  return !isDone && job.writing !== undefined && job.writing.sinceMs !== readSinceMs;
}

/** Orders by the start; within a second by the end, else by the lower number. */
function compareStarts({ job: a }: WatchedEntry, { job: b }: WatchedEntry): number {
  const [aTime, bTime] = [a.writing, b.writing];
  const order =
    (aTime?.sinceMs ?? Infinity) - (bTime?.sinceMs ?? Infinity) ||
    (aTime?.untilMs ?? Infinity) - (bTime?.untilMs ?? Infinity);
  return order || a.id.localeCompare(b.id, 'en', { numeric: true });
}

function formatEntryKey({ id }: DiscoveredJob, path: string): string {
  return `${id}\0${path}`;
}

function formatOwnedKey({ id, owner }: DiscoveredJob): string {
  return `${id}\0${owner?.name ?? ''}`;
}
