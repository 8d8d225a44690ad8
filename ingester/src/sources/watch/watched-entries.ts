import { dirname } from 'node:path';
import type { Stream } from '@joblens/core/schema/measurements';
import type { DiscoveredFile, DiscoveredJob } from '../file-discovery.js';
import type { FileStatus } from './files/file-system.js';
import type { ClaimedFile } from '../writers/file-claims.js';
import type { WatchedFile } from './watched-file.js';
import type { WatchedJob } from './jobs/watched-jobs.js';

/** One path of one job, and its state. */
export interface WatchedEntry {
  readonly path: string;
  /** The folder of the path. */
  readonly folder: string;
  readonly stream: Stream;
  readonly isMerged: boolean;
  readonly createdMs: number;
  /** The job as last listed. */
  job: DiscoveredJob;
  isShared: boolean;
  /** Undefined until the job turns out to be one that may be logged. */
  opened: WatchedJob | undefined;
  file: WatchedFile | undefined;
  readonly claimed: ClaimedFile;
  /** It is not known yet whether another joblens logs the file. */
  isUndecided: boolean;
  nextMs: number;
  polledMs: number;
  /** It waits for its time: it is neither being read nor due. */
  isWaiting: boolean;
  /** The job has ended and the file is finished. */
  isDone: boolean;
  /** Something with this name has existed. */
  wasSeen: boolean;
  /** The start of the writing whose part of the file was read to its end. A requeued job writes again. */
  readSinceMs: number | undefined;
  /** The start of the writing for which the file is being read. */
  shareSinceMs: number | undefined;
  /** A message said that others write to the file at the same time. */
  hasSaidShared: boolean;
  /** What was looked at to tell whether the file is text. */
  judged: JudgedFile | undefined;
  /** How often in a row it could not be polled because of a fault of this program. */
  faults: number;
  /** The last message about the entry. */
  said: string;
  /** Since when its source no longer lists it. */
  unlistedMs: number | undefined;
}

/** A file as it was when its first bytes were read. */
interface JudgedFile {
  readonly status: FileStatus;
  /** Why it is not text; undefined if it is. */
  readonly reason: string | undefined;
}

/** A job that its source describes itself. */
interface OwnedJob {
  job: DiscoveredJob;
  readonly opened: WatchedJob;
  /** As last listed, also if it could not be opened again. */
  listed: DiscoveredJob;
  /** How often it was checked since it was listed as ended. */
  endedLooks: number;
  unlistedMs: number | undefined;
}

export function createEntry(job: DiscoveredJob, file: DiscoveredFile, monotonicMs: number): WatchedEntry {
  const { path, stream, isMerged = false } = file;
  return {
    ...{ path, folder: dirname(path), stream, isMerged, job, createdMs: monotonicMs },
    ...{ opened: undefined, file: undefined, claimed: { sinceMs: monotonicMs }, isUndecided: false },
    ...{ nextMs: monotonicMs, polledMs: -Infinity, isWaiting: true, isDone: false, said: '', unlistedMs: undefined },
    ...{
      isShared: false,
      wasSeen: false,
      readSinceMs: undefined,
      shareSinceMs: undefined,
      hasSaidShared: false,
      judged: undefined,
      faults: 0,
    },
  };
}

/**
 * The most files, and jobs, that are kept although they are gone: they may come back, as after a rename, and then go on
 * where they were. Of more, the oldest begin anew.
 */
const MAX_UNLISTED = 10_000;

/** All watched entries, found by job and path, by path, and by the identity of the files. */
export class EntryBook {
  readonly #entries = new Map<string, WatchedEntry>();
  readonly #byPath = new Map<string, WatchedEntry[]>();
  readonly #holders = new Map<string, WatchedEntry>();
  readonly #identities = new Map<WatchedEntry, readonly string[]>();
  readonly #owned = new Map<string, OwnedJob>();
  /** The entries of each job's id. */
  readonly #byJob = new Map<string, Set<WatchedEntry>>();
  /** Jobs that are finished but still listed, as last listed. */
  readonly #finished = new Map<string, DiscoveredJob>();
  readonly #orphaned = new Set<WatchedJob>();
  /** Entries that are not listed, as of the last list. */
  #unlisted = new Set<WatchedEntry>();
  /** Entries whose next poll may be sooner than it was known to be. */
  readonly hurried = new Set<WatchedEntry>();
  readonly #maxUnlisted: number;
  /** The jobs of the last list. One that is the same object as in the list before has not changed. */
  #listed: ReadonlySet<DiscoveredJob> = new Set();

  constructor(maxUnlisted = MAX_UNLISTED) {
    this.#maxUnlisted = maxUnlisted;
  }

  all(): Iterable<WatchedEntry> {
    return this.#entries.values();
  }

  get size(): number {
    return this.#entries.size;
  }

  at(path: string): readonly WatchedEntry[] {
    return this.#byPath.get(path) ?? [];
  }

  /** Lists the paths of a job's stream if all of them are done and none ever existed. */
  listMissed({ job, stream }: WatchedEntry): readonly string[] {
    const all = this.#ofJob(job.id).filter((entry) => entry.stream === stream);
    return all.every(({ isDone, wasSeen }) => isDone && !wasSeen) ? all.map(({ path }) => path) : [];
  }

  add(entry: WatchedEntry): void {
    const { job, path } = entry;
    this.#entries.set(formatEntryKey(job, path), entry);
    this.#byPath.set(path, [...this.at(path), entry]);
    this.#byJob.set(job.id, (this.#byJob.get(job.id) ?? new Set()).add(entry));
    this.hurried.add(entry);
    if (entry.unlistedMs !== undefined) this.#unlisted.add(entry);
  }

  /** Has an entry polled at a time that may be sooner than it would be. */
  hurry(entry: WatchedEntry, nextMs: number): void {
    entry.nextMs = nextMs;
    this.hurried.add(entry);
  }

  #ofJob(id: string): WatchedEntry[] {
    return [...(this.#byJob.get(id) ?? [])];
  }

  /** The entry whose job the output of the path belongs to now, if a scheduler knows the job. */
  readerAt(path: string): WatchedEntry | undefined {
    return this.at(path).find(({ job, file, isDone }) => job.owner !== undefined && file !== undefined && !isDone);
  }

  /** The entry of the job that writes to the path after or beside this one, once it has begun. */
  nextAfter(entry: WatchedEntry): WatchedEntry | undefined {
    const waiting = this.at(entry.path).filter(
      (other) => other !== entry && other.file === undefined && isInLine(other)
    );
    return waiting.sort(compareStarts)[0];
  }

  /** Whether an earlier job still writes to the path. */
  isBehindOther(entry: WatchedEntry): boolean {
    return this.at(entry.path).some(
      (other) =>
        other !== entry &&
        isInLine(other) &&
        other.job.writing?.untilMs === undefined &&
        compareStarts(other, entry) < 0
    );
  }

  /** The entry that follows the file with this identity, whatever its name. */
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

  /** Begins a new list. Returns the jobs that are new in it, or have changed. */
  beginListing(jobs: readonly DiscoveredJob[]): readonly DiscoveredJob[] {
    const before = this.#listed;
    this.#listed = new Set(jobs);
    return jobs.filter((job) => !before.has(job));
  }

  /** Lists a file of a job; undefined when the job is finished. */
  list(job: DiscoveredJob, file: DiscoveredFile, monotonicMs: number): WatchedEntry | undefined {
    if (this.isFinished(job)) return undefined;
    let entry = this.#entries.get(formatEntryKey(job, file.path));
    if (entry === undefined) {
      entry = createEntry(job, file, monotonicMs);
      this.add(entry);
    }
    entry.job = job;
    entry.isShared = file.isShared === true;
    return entry;
  }

  endListing(monotonicMs: number): void {
    this.#unlisted = new Set();
    for (const entry of this.#entries.values()) {
      entry.unlistedMs = this.#isListed(entry) ? undefined : (entry.unlistedMs ?? monotonicMs);
      if (entry.unlistedMs !== undefined) this.#unlisted.add(entry);
    }
    for (const owned of this.#owned.values()) {
      owned.unlistedMs = this.#listed.has(owned.listed) ? undefined : (owned.unlistedMs ?? monotonicMs);
    }
    for (const [key, job] of this.#finished) if (!this.#listed.has(job)) this.#finished.delete(key);
  }

  /** An entry has the job of the last list that had its file. */
  #isListed({ job, path }: WatchedEntry): boolean {
    return this.#listed.has(job) && job.files.some((file) => file.path === path);
  }

  isFinished(job: DiscoveredJob): boolean {
    const key = formatOwnedKey(job);
    const owned = this.#owned.get(key);
    if (owned !== undefined) owned.listed = job;
    if (!this.#finished.has(key)) return false;
    this.#finished.set(key, job);
    return true;
  }

  /** Returns whether the job is new. */
  setOpened(job: DiscoveredJob, opened: WatchedJob): boolean {
    const key = formatOwnedKey(job);
    const known = this.#owned.get(key);
    if (known === undefined) this.#owned.set(key, { job, opened, listed: job, endedLooks: 0, unlistedMs: undefined });
    else known.job = job;
    return known === undefined;
  }

  /**
   * Removes the entries that have not been listed since `beforeMs`, or are too many, and either no longer change or
   * cannot be read to the end.
   */
  takeUnlisted(beforeMs: number): WatchedEntry[] {
    const taken: WatchedEntry[] = [];
    const unlisted = [...this.#unlisted];
    const sinceMs = findBound(unlisted, this.#maxUnlisted, beforeMs);
    for (const entry of unlisted) {
      const isOld = entry.unlistedMs !== undefined && entry.unlistedMs < sinceMs;
      const isOver = entry.job.isEnded === true || entry.file?.isQuiet !== false;
      if (isOld && entry.isWaiting && isOver) taken.push(entry);
    }
    for (const entry of taken) this.#remove(entry);
    const ownedSinceMs = findBound([...this.#owned.values()], this.#maxUnlisted, beforeMs);
    for (const [key, { opened, unlistedMs }] of this.#owned) {
      if (unlistedMs === undefined || unlistedMs >= ownedSinceMs) continue;
      this.#owned.delete(key);
      this.#orphaned.add(opened);
    }
    return taken;
  }

  /** Removes the jobs with nothing left to do: they have ended, or none of their files is known any more. */
  takeFinishedJobs(): WatchedJob[] {
    const finished = new Set<WatchedJob>();
    for (const [key, owned] of this.#owned) {
      if (owned.job.isEnded !== true) continue;
      owned.endedLooks += 1;
      const entries = this.#ofJob(owned.job.id).filter((entry) => formatOwnedKey(entry.job) === key);
      // A source may give the last facts about a job after it listed it as ended.
      if (owned.endedLooks < 2 || entries.some((entry) => !entry.isDone || !entry.isWaiting)) continue;
      for (const entry of entries) this.#remove(entry);
      this.#owned.delete(key);
      if (this.#listed.has(owned.listed)) this.#finished.set(key, owned.listed);
      finished.add(owned.opened);
    }
    for (const opened of this.#orphaned) {
      const isUsed = this.#ofJob(opened.source.job).some((entry) => entry.opened === opened);
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
    this.#unlisted.delete(entry);
    this.hurried.delete(entry);
    const { job, opened } = entry;
    const ofJob = this.#byJob.get(job.id);
    ofJob?.delete(entry);
    if (ofJob?.size === 0) this.#byJob.delete(job.id);
    if (opened !== undefined) this.#orphaned.add(opened);
  }
}

/** Since when those are gone that may stay: `beforeMs`, or later where more than `most` would. */
function findBound(
  all: readonly { readonly unlistedMs: number | undefined }[],
  most: number,
  beforeMs: number
): number {
  if (all.length <= most) return beforeMs;
  const times = all.flatMap(({ unlistedMs }) => unlistedMs ?? []).sort((a, b) => b - a);
  const firstBeyond = times[most];
  return firstBeyond === undefined ? beforeMs : Math.max(beforeMs, firstBeyond + 1);
}

/** Whether its job writes to the file, or wrote output that was not read yet. */
export function isInLine({ job, isDone, readSinceMs }: WatchedEntry): boolean {
  return !isDone && job.writing !== undefined && job.writing.sinceMs !== readSinceMs;
}

/** Orders by start; within a second by end, else by the lower number. */
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
