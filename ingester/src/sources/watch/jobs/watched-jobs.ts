import type { JobSource } from '@joblens/core/schema/measurements';
import { JobPipeline, type JobPipelineOptions } from '../../../pipeline/job-pipeline.js';
import { formatJobKey, isJobKey, type JobState, parseJobState } from '../../../pipeline/job-state.js';
import { DEFAULT_LOG_CONFIG, type LogConfig } from '../../../rules/options/log-config.js';
import { createSecrets, type Secrets } from '../../../secrets/secrets.js';
import type { SessionOptions } from '../../../session/session-options.js';
import type { resolveOptIn } from '../../../session/resolve-opt-in.js';
import { describeJob } from '../../describe-job.js';
import type { DiscoveredJob } from '../../file-discovery.js';
import type { SourceFaults } from '../../guard/source-faults.js';
import { OptInDecisions } from './opt-in-decisions.js';
import type { FindOwner, Owner } from './owner.js';
import { PathPositions } from './path-positions.js';
import { UndecidedJobError } from './undecided-job-error.js';

const SUSPEND_TIMEOUT_MS = 2000;

interface WatchedJobsOptions extends SessionOptions {
  readonly delivery: JobPipelineOptions['delivery'] & Pick<JobPipelineOptions, 'rewrites'>;
  /** The states left by the process before: for each key the whole value, then its changes. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
  readonly findOwner: FindOwner;
  readonly faults: SourceFaults;
  /** Reads an opt-in. */
  readonly resolve?: typeof resolveOptIn;
  /** The value of the tag `user` instead of the owner's name. */
  readonly typedUser?: string | undefined;
}

/** A known job; `pipeline` is undefined when nothing of it is logged. */
export interface WatchedJob {
  readonly key: string;
  readonly source: JobSource;
  readonly pipeline: JobPipeline | undefined;
}

/** The watched jobs. Whether a job is logged is decided once, when it is first seen (OptInDecisions). */
export class WatchedJobs {
  readonly #options: WatchedJobsOptions;
  readonly #decisions: OptInDecisions;
  readonly #secrets: Secrets | undefined;
  /** The places in their files where later jobs begin. */
  readonly positions: PathPositions;
  readonly #jobs = new Map<string, Promise<WatchedJob>>();
  readonly #loggedKeys = new Set<string>();
  /** The jobs from before a restart. */
  readonly restored: readonly WatchedJob[];

  constructor(options: WatchedJobsOptions) {
    this.#options = options;
    this.#secrets = createSecrets(options.settings.secrets);
    const { restored } = options;
    const place = { ...options.delivery, restored };
    const { report, host, settings, resolve } = options;
    const monotonicMs = (): number => host.clock.monotonicMs();
    this.#decisions = new OptInDecisions({
      ...{ place, report, monotonicMs, optIn: settings.optIn },
      ...(resolve && { resolve }),
    });
    this.positions = new PathPositions(place);
    this.restored = [...restored].flatMap(([key, values]) => this.#restore(key, values) ?? []);
    for (const job of this.restored) {
      this.#jobs.set(job.key, Promise.resolve(job));
      this.#loggedKeys.add(job.key);
    }
  }

  /** The number of jobs that are logged now. */
  get loggedJobs(): number {
    return this.#loggedKeys.size;
  }

  /**
   * `startedMs`: the time when its first file was created, unless its source knows better. Rejects with an
   * UndecidedJobError while nobody can tell whether it is logged.
   */
  open(discovered: DiscoveredJob, owner: Owner, startedMs?: number): Promise<WatchedJob> {
    const source = this.sourceOf(discovered, owner);
    const key = formatJobKey(source);
    const known = this.#jobs.get(key);
    if (known !== undefined) return known;
    const job = this.#openNew(discovered, owner, source, startedMs).catch((error: unknown) => {
      if (error instanceof UndecidedJobError) throw error;
      this.#refuse(key, source, error);
      return { key, source, pipeline: undefined };
    });
    this.#jobs.set(key, job);
    // What could not be decided is asked again.
    job.catch(() => this.#jobs.delete(key));
    return job;
  }

  sourceOf({ id }: DiscoveredJob, { name }: Pick<Owner, 'name'>): JobSource {
    return { job: id, user: this.#options.typedUser ?? name };
  }

  /** Forgets a job that is over. */
  close({ key, source, pipeline }: WatchedJob): void {
    this.#options.faults.contain(`the end of job ${source.job}`, () => pipeline?.close());
    // Its timers end whatever failed.
    pipeline?.hurry();
    this.#jobs.delete(key);
    this.#loggedKeys.delete(key);
    this.#decisions.forget(key);
    const states = [{ key, kind: 'gone' as const, value: '' }];
    this.#options.delivery.queue.append({ bytes: Buffer.alloc(0), points: 0, states, isUrgent: true });
  }

  /**
   * Suspends all jobs at the end of the process and keeps what is known of them. The next process makes the points
   * again that find no room in time.
   */
  async suspend(): Promise<void> {
    const pipelines: JobPipeline[] = [];
    for (const job of this.#jobs.values()) {
      const pipeline = await job.then(
        (opened) => opened.pipeline,
        () => undefined
      );
      if (pipeline !== undefined) pipelines.push(pipeline);
    }
    for (const pipeline of pipelines) this.#options.faults.contain('the end of a job', () => pipeline.suspend());
    await Promise.all(pipelines.map((pipeline) => pipeline.untilQueued(SUSPEND_TIMEOUT_MS)));
  }

  /** Makes nobody wait for room any more. */
  hurry(): void {
    for (const job of this.#jobs.values())
      void job.then(
        ({ pipeline }) => pipeline?.hurry(),
        () => undefined
      );
  }

  #restore(key: string, values: readonly string[]): WatchedJob | undefined {
    try {
      const state = isJobKey(key) ? parseJobState(values) : undefined;
      if (state === undefined) return undefined;
      return { key, source: state.source, pipeline: this.#createPipeline(state.source, DEFAULT_LOG_CONFIG, state) };
    } catch (error) {
      // Else no job would be watched until somebody removes the spool.
      const found = error instanceof Error ? error.message : String(error);
      this.#options.report.error(`${key} is not logged any more: its state in the spool cannot be continued: ${found}`);
      this.#decisions.refuse(key);
      return undefined;
    }
  }

  async #openNew(
    discovered: DiscoveredJob,
    owner: Owner,
    source: JobSource,
    startedMs: number | undefined
  ): Promise<WatchedJob> {
    const { report, settings } = this.#options;
    const key = formatJobKey(source);
    const isScheduled = discovered.owner !== undefined;
    const decision = await this.#decisions.decide({ id: source.job, key, isScheduled }, owner);
    if (decision.kind === 'invalid') this.#sayInvalid(source, decision.message);
    if (decision.kind !== 'config') return { key, source, pipeline: undefined };
    const pipeline = this.#createPipeline(source, decision.config);
    this.#loggedKeys.add(key);
    report.info(`logging job ${source.job} of ${source.user}, mode ${decision.config.mode}`);
    if (decision.notice !== undefined) pipeline.addNotice('stdout', decision.notice);
    // A log without a description is better than none.
    await pipeline.contain(async () => {
      // A scheduler describes its jobs itself. The options are for jobs that nobody else describes.
      const described = isScheduled ? {} : await describeJob(settings, report);
      pipeline.describe({
        name: discovered.name ?? discovered.id,
        ...(startedMs !== undefined && { startedMs }),
        ...(discovered.startedMs !== undefined && { startedMs: discovered.startedMs }),
        ...described,
      });
    });
    return { key, source, pipeline };
  }

  /** Logs nothing of a job whose log cannot be opened, also after a restart. */
  #refuse(key: string, { job, user }: JobSource, error: unknown): void {
    this.#loggedKeys.delete(key);
    this.#options.faults.note(`job ${job} of ${user}`, error, 'is not logged');
    this.#decisions.refuse(key);
  }

  #sayInvalid(source: JobSource, message: string): void {
    this.#options.report.error(`job ${source.job}: ${message}`);
    const pipeline = this.#createPipeline(source, DEFAULT_LOG_CONFIG, undefined, false);
    pipeline.addNotice('stdout', message);
    pipeline.close();
  }

  #createPipeline(
    source: JobSource,
    config: LogConfig,
    state?: JobState,
    isResumable = !this.#options.delivery.isLocal
  ): JobPipeline {
    const { settings, host, report, delivery } = this.#options;
    return new JobPipeline({
      ...{ source, config, delivery, report, state, secrets: this.#secrets, rewrites: delivery.rewrites },
      limits: settings.limits,
      // Files can be read later.
      onFull: 'wait',
      clock: host.clock,
      isResumable,
    });
  }
}
