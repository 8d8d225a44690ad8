import { HOUR_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { RestoredStream } from '../../pipeline/job-stream.js';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { EntryFiles } from './entry-files.js';
import { EntryLoggers } from './entry-loggers.js';
import { EntryPoller } from './entry-poller.js';
import { readCheckpoint } from './files/follow-checkpoint.js';
import type { FileSystem } from './files/file-system.js';
import type { FolderHints } from './discovery/folder-hints.js';
import type { OtherLoggers } from '../writers/other-loggers.js';
import type { FindOwner } from './jobs/owner.js';
import { PollSchedule } from './poll-schedule.js';
import { UndecidedJobError } from './jobs/undecided-job-error.js';
import { createEntry, EntryBook } from './watched-entries.js';
import type { WatchedJob, WatchedJobs } from './jobs/watched-jobs.js';

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
/** The most files to look at in a second that have not changed for long: it is most of the work. */
const QUIET_LOOKS_A_SECOND = 300;
/** But each of them after this time at least and at most. */
const QUIET_MS = { shortest: 10_000, longest: 30_000 };
/** Files of a folder that cannot be reached for a while must not count as new. */
const UNLISTED_MS = HOUR_MS;

interface WatcherOptions {
  readonly discovery: FileDiscovery;
  readonly jobs: WatchedJobs;
  readonly findOwner: FindOwner;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>;
  readonly random: () => number;
  readonly report: Reporter;
  readonly faults: SourceFaults;
  readonly quietTimeoutMs?: number;
  readonly others?: OtherLoggers | undefined;
  /** Creates a reporter of changes; see FolderHints. */
  readonly createHints: (onHint: (path: string) => void) => Pick<FolderHints, 'keep' | 'close'>;
}

/** Follows all files of all jobs that a source lists, each at its own pace. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #entries = new EntryBook();
  readonly #files: EntryFiles;
  readonly #loggers: EntryLoggers;
  readonly #poller: EntryPoller;
  readonly #schedule: PollSchedule;
  readonly #hints: Pick<FolderHints, 'keep' | 'close'>;
  #lastJobs: readonly DiscoveredJob[] = [];
  /** Jobs of the last list that are to be taken again: they are not decided, or a fault came between. */
  #again = new Set<DiscoveredJob>();
  #discoveryError = '';

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#files = new EntryFiles({
      ...options,
      idleMs: () => (options.fileSystem.openFiles > MANY_OPEN_FILES ? 0 : IDLE_MS),
      pollBytes: () => (this.#schedule.runningPolls > MANY_POLLS ? POLL_BYTES_OF_MANY : POLL_BYTES),
      longestWaitMs: () =>
        Math.min(QUIET_MS.longest, Math.max(QUIET_MS.shortest, (this.#entries.size / QUIET_LOOKS_A_SECOND) * 1000)),
    });
    this.#loggers = new EntryLoggers(options, this.#files);
    const { clock, random, jobs } = options;
    this.#poller = new EntryPoller({
      ...options,
      ...{ entries: this.#entries, files: this.#files, loggers: this.#loggers, positions: jobs.positions },
    });
    this.#schedule = new PollSchedule({
      ...{ entries: this.#entries, clock, random, poll: (entry) => this.#poller.poll(entry) },
    });
    this.#hints = options.createHints((path) => this.#takeHint(path));
    for (const job of options.jobs.restored) this.#ofJob(job.source.job, () => this.#restore(job));
  }

  /** Follows the files until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let scanning: Promise<void> | undefined;
    let scanMs = -Infinity;
    while (!signal.aborted) {
      if (scanning === undefined && clock.monotonicMs() - scanMs >= SCAN_MS) {
        scanMs = clock.monotonicMs();
        scanning = this.#options.faults
          .containAll('a search for files', () => this.scan())
          .finally(() => (scanning = undefined));
      }
      this.#options.faults.contain('the start of polls', () => this.#schedule.startDue());
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
    if (jobs !== this.#lastJobs || this.#again.size > 0) {
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
    this.#loggers.hurry();
    await this.#schedule.finish();
    const { faults, discovery } = this.#options;
    for (const { file, path } of this.#entries.all()) {
      await faults.containAll(`the end of ${path}`, async () => {
        if (!isResumable) {
          await file?.giveRest();
          file?.end();
        }
        await file?.follower.close();
      });
    }
    await faults.containAll('the end of the search for files', async () => discovery.close?.());
  }

  /** Continues the files of a job from before a restart. */
  #restore(opened: WatchedJob): void {
    for (const restored of opened.pipeline?.restoredStreams ?? []) {
      this.#ofJob(opened.source.job, () => this.#restoreFile(opened, restored));
    }
  }

  #restoreFile(opened: WatchedJob, restored: RestoredStream): void {
    const { pipeline, source } = opened;
    const known = readCheckpoint(restored.checkpoint);
    if (known === undefined || pipeline === undefined) return;
    const { jobs, discovery, clock } = this.#options;
    const monotonicMs = clock.monotonicMs();
    const file = { path: known.path, stream: restored.name, isMerged: restored.isMixed };
    const job: DiscoveredJob = { id: source.job, files: [file] };
    const entry = createEntry(job, file, monotonicMs);
    entry.opened = opened;
    entry.unlistedMs = monotonicMs;
    this.#entries.add(entry);
    // Content behind the job's part is another job's.
    entry.isDone = !restored.wasOpen && jobs.positions.get(known.path)?.job === source.job;
    if (entry.isDone) {
      pipeline.forgetRestored(restored);
      return;
    }
    entry.file = this.#files.createFile(entry, pipeline, { uid: known.uid, changedMs: clock.nowMs(), restored });
    this.#loggers.restore(entry);
    if (discovery.knowsWriting === true) entry.nextMs = Infinity;
    this.#entries.setIdentities(entry, entry.file.follower.identities);
  }

  async #takeListed(jobs: readonly DiscoveredJob[]): Promise<void> {
    const monotonicMs = this.#options.clock.monotonicMs();
    const changed = new Set(this.#entries.beginListing(jobs));
    const again = this.#again;
    this.#again = new Set();
    for (const job of changed.size + again.size === 0 ? [] : jobs) {
      if (changed.has(job) || again.has(job)) await this.#takeAnew(job, monotonicMs);
    }
    this.#entries.endListing(monotonicMs);
    this.#keepHints();
    // Files from before a restart have waited for this scan.
    for (const entry of this.#entries.all()) {
      if (entry.file !== undefined && entry.nextMs === Infinity) this.#entries.hurry(entry, monotonicMs);
    }
  }

  async #takeAnew(job: DiscoveredJob, monotonicMs: number): Promise<void> {
    this.#again.add(job);
    await this.#options.faults.containAll(`job ${job.id}`, async () => {
      if (await this.#takeJob(job, monotonicMs)) this.#again.delete(job);
    });
  }

  /** Returns whether all of it is taken, so that nothing is to be done before it changes. */
  async #takeJob(job: DiscoveredJob, monotonicMs: number): Promise<boolean> {
    const { owner } = job;
    let isTaken = true;
    if (!this.#entries.isFinished(job) && owner !== undefined) {
      await this.#takeOwned(job, owner).catch((error: unknown) => {
        isTaken = false;
        if (!(error instanceof UndecidedJobError)) this.#options.faults.note(`job ${job.id}`, error);
      });
    }
    for (const file of job.files) {
      const entry = this.#entries.list(job, file, monotonicMs);
      if (entry === undefined) continue;
      const mayBegin = entry.isShared && entry.file === undefined && entry.nextMs === Infinity;
      if ((job.isEnded === true && !entry.isDone) || mayBegin) this.#entries.hurry(entry, monotonicMs);
    }
    return isTaken;
  }

  /** Hints are for files that are listed and may still change. */
  #keepHints(): void {
    const folders = new Set<string>();
    for (const { folder, isDone, unlistedMs } of this.#entries.all()) {
      if (!isDone && unlistedMs === undefined) folders.add(folder);
    }
    this.#hints.keep(folders);
  }

  /** A job that its source describes has a log even without a file. */
  async #takeOwned(job: DiscoveredJob, owner: NonNullable<DiscoveredJob['owner']>): Promise<void> {
    const opened = await this.#files.openOwned(job, owner);
    const isNew = this.#entries.setOpened(job, opened);
    if (isNew && opened.pipeline !== undefined) job.onPipeline?.(opened.pipeline);
  }

  async #forgetFinished(): Promise<void> {
    const { clock, faults, jobs } = this.#options;
    for (const { file, path } of this.#entries.takeUnlisted(clock.monotonicMs() - UNLISTED_MS)) {
      await faults.containAll(`the end of ${path}`, async () => {
        file?.forget();
        await file?.close();
      });
    }
    for (const opened of this.#entries.takeFinishedJobs()) this.#ofJob(opened.source.job, () => jobs.close(opened));
  }

  /** A fault with one job must not end the others. */
  #ofJob(job: string, step: () => void): void {
    this.#options.faults.contain(`job ${job}`, step);
  }

  #takeHint(path: string): void {
    for (const entry of this.#entries.at(path)) {
      this.#entries.hurry(entry, Math.min(entry.nextMs, entry.polledMs + SOONEST_MS));
    }
  }
}
