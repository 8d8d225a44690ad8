import { dirname } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import { EntryPoller } from './entry-poller.js';
import { readCheckpoint } from './follow-checkpoint.js';
import type { FileSystem } from './file-system.js';
import type { FolderHints } from './folder-hints.js';
import type { FindOwner } from './owner.js';
import { PollSchedule } from './poll-schedule.js';
import { createEntry, EntryBook } from './watched-entries.js';
import type { WatchedJob, WatchedJobs } from './watched-jobs.js';

/** How often the watcher checks which files are due. */
const TICK_MS = 100;
const SCAN_MS = 1000;
/** The shortest time between two polls of a file after a hint. */
const SOONEST_MS = 100;
/** How long an unchanged file stays open. */
const IDLE_MS = 30_000;
/** Above this number, a file is closed as soon as it was read. */
const MANY_OPEN_FILES = 2000;
/** The most that one poll reads of a file. */
const POLL_BYTES = 2 ** 20;
const MANY_POLLS = 8;
const POLL_BYTES_OF_MANY = 2 ** 16;
/** Files of a folder that cannot be reached for a while must not count as new. */
const UNLISTED_MS = 3_600_000;

interface WatcherOptions {
  readonly discovery: FileDiscovery;
  readonly jobs: WatchedJobs;
  readonly findOwner: FindOwner;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly random: () => number;
  readonly report: Reporter;
  readonly quietTimeoutMs?: number;
  /** Creates a reporter of changes; see FolderHints. */
  readonly createHints: (onHint: (path: string) => void) => Pick<FolderHints, 'add' | 'close'>;
}

/** Follows all files of all jobs that a source lists, each at its own pace. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #entries = new EntryBook();
  readonly #poller: EntryPoller;
  readonly #schedule: PollSchedule;
  readonly #hints: Pick<FolderHints, 'add' | 'close'>;
  #lastJobs: readonly DiscoveredJob[] = [];
  #discoveryError = '';

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#poller = new EntryPoller({
      ...options,
      entries: this.#entries,
      idleMs: () => (options.fileSystem.openFiles > MANY_OPEN_FILES ? 0 : IDLE_MS),
      pollBytes: () => (this.#schedule.runningPolls > MANY_POLLS ? POLL_BYTES_OF_MANY : POLL_BYTES),
    });
    const { clock, random } = options;
    this.#schedule = new PollSchedule({
      ...{ entries: this.#entries, clock, random, poll: (entry) => this.#poller.poll(entry) },
    });
    this.#hints = options.createHints((path) => this.#takeHint(path));
    for (const job of options.jobs.restored) this.#restore(job);
  }

  /** Follows the files until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let scanning: Promise<void> | undefined;
    let scanMs = -Infinity;
    while (!signal.aborted) {
      if (scanning === undefined && clock.nowMs() - scanMs >= SCAN_MS) {
        scanMs = clock.nowMs();
        scanning = this.scan().finally(() => (scanning = undefined));
      }
      this.#schedule.startDue();
      await clock.sleep(TICK_MS, signal);
    }
    await scanning;
  }

  /** Lists the source's jobs and files. */
  async scan(): Promise<void> {
    let jobs: readonly DiscoveredJob[];
    try {
      jobs = await this.#options.discovery.poll();
      this.#discoveryError = '';
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      if (found !== this.#discoveryError)
        this.#options.report.warn(`cannot look for files: ${found}; it is tried again`);
      this.#discoveryError = found;
      return;
    }
    if (jobs !== this.#lastJobs) {
      this.#lastJobs = jobs;
      await this.#takeListed(jobs);
    }
    await this.#forgetFinished();
  }

  /** Polls the due files, and those that become due meanwhile. */
  async pollDue(): Promise<void> {
    this.#schedule.startDue();
    await this.#schedule.untilIdle();
  }

  /** Reads all files once more. Streams end unless another process can continue them. */
  async close(isResumable: boolean): Promise<void> {
    this.#hints.close();
    await this.#schedule.finish();
    for (const { file } of this.#entries.all()) {
      if (!isResumable) {
        await file?.giveRest();
        file?.end();
      }
      await file?.follower.close();
    }
    await this.#options.discovery.close?.();
  }

  /** Continues the files of a job from before a restart. */
  #restore(opened: WatchedJob): void {
    const { pipeline, source } = opened;
    if (pipeline === undefined) return;
    const { jobs, discovery } = this.#options;
    const nowMs = this.#options.clock.nowMs();
    for (const restored of pipeline.restoredStreams) {
      const known = readCheckpoint(restored.checkpoint);
      if (known === undefined) continue;
      const job: DiscoveredJob = { id: source.job, files: [{ path: known.path, stream: restored.name }] };
      const entry = createEntry(job, { path: known.path, stream: restored.name }, nowMs);
      entry.opened = opened;
      entry.unlistedMs = nowMs;
      this.#entries.add(entry);
      // Content behind the job's part is another job's.
      entry.isDone = !restored.wasOpen && jobs.positions.get(known.path)?.job === source.job;
      if (entry.isDone) pipeline.forgetRestored(restored);
      if (entry.isDone) continue;
      entry.file = this.#poller.createFile(entry, pipeline, { uid: known.uid, changedMs: nowMs, restored });
      if (discovery.knowsWriting === true) entry.nextMs = Infinity;
      this.#entries.setIdentities(entry, entry.file.follower.identities);
    }
  }

  async #takeListed(jobs: readonly DiscoveredJob[]): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    this.#entries.beginListing();
    for (const job of jobs) {
      if (job.owner !== undefined && !this.#entries.isFinished(job)) await this.#takeOwned(job, job.owner);
      for (const file of job.files) {
        const entry = this.#entries.list(job, file, nowMs);
        if (entry === undefined) continue;
        const mayBegin = entry.isShared && entry.file === undefined && entry.nextMs === Infinity;
        if ((job.isEnded === true && !entry.isDone) || mayBegin) entry.nextMs = nowMs;
        this.#hints.add(dirname(file.path));
      }
    }
    this.#entries.endListing(nowMs);
    // Files from before a restart have waited for this scan.
    for (const entry of this.#entries.all()) {
      if (entry.file !== undefined && entry.nextMs === Infinity) entry.nextMs = nowMs;
    }
  }

  /** A job that its source describes has a log even without a file. */
  async #takeOwned(job: DiscoveredJob, owner: NonNullable<DiscoveredJob['owner']>): Promise<void> {
    const opened = await this.#options.jobs.open(job, await this.#poller.findJobOwner(owner));
    const isNew = this.#entries.setOpened(job, opened);
    if (isNew && opened.pipeline !== undefined) job.onPipeline?.(opened.pipeline);
  }

  async #forgetFinished(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    for (const { file } of this.#entries.takeUnlisted(nowMs - UNLISTED_MS)) {
      file?.forget();
      await file?.close();
    }
    for (const opened of this.#entries.takeFinishedJobs()) this.#options.jobs.close(opened);
  }

  #takeHint(path: string): void {
    for (const entry of this.#entries.at(path)) {
      entry.nextMs = Math.min(entry.nextMs, entry.polledMs + SOONEST_MS);
    }
  }
}
