import { join } from 'node:path';
import type { JobSource } from '@joblens/core';
import type { OptInSource } from '../../config/settings.js';
import type { JobPipelineOptions } from '../../pipeline/job-pipeline.js';
import { JobPipeline } from '../../pipeline/job-pipeline.js';
import { formatJobKey, isJobKey, parseJobState } from '../../pipeline/job-state.js';
import type { JobState } from '../../pipeline/job-state.js';
import { KeptMap } from '../../queue/kept-map.js';
import type { LogConfig } from '../../rules/log-config.js';
import { DEFAULT_LOG_CONFIG } from '../../rules/log-config.js';
import type { OptIn } from '../../rules/read-opt-in.js';
import type { Secrets } from '../../secrets/secrets.js';
import { createSecrets } from '../../secrets/secrets.js';
import type { SessionOptions } from '../../session/session.js';
import { resolveOptIn } from '../../session/session.js';
import { describeJob } from '../describe-job.js';
import type { DiscoveredJob } from '../file-discovery.js';
import type { FindOwner, Owner } from './owner.js';
import { PathPositions } from './path-positions.js';

const SUSPEND_TIMEOUT_MS = 2000;

interface WatchedJobsOptions extends SessionOptions {
  readonly delivery: JobPipelineOptions['delivery'];
  /** The states left by the process before: for each key the whole value, then its changes. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
  readonly findOwner: FindOwner;
  /** The value of the tag `user` instead of the owner's name. */
  readonly typedUser?: string | undefined;
}

/** A known job; `pipeline` is undefined when nothing of it is logged. */
export interface WatchedJob {
  readonly key: string;
  readonly source: JobSource;
  readonly pipeline: JobPipeline | undefined;
}

/** The watched jobs. Whether a job is logged is decided once, when it is first seen; a restart does not change it. */
export class WatchedJobs {
  readonly #options: WatchedJobsOptions;
  /** Jobs whose owners had not opted in when they were first seen. The decision holds, even over a restart. */
  readonly #unlogged: KeptMap<true>;
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
    this.#unlogged = new KeptMap('watch:unlogged', place);
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

  /** `startedMs`: the time when its first file was created, unless its source knows better. */
  open(discovered: DiscoveredJob, owner: Owner, startedMs?: number): Promise<WatchedJob> {
    const source = { job: discovered.id, user: this.#options.typedUser ?? owner.name };
    const key = formatJobKey(source);
    const known = this.#jobs.get(key);
    if (known !== undefined) return known;
    const job = this.#openNew(discovered, owner, source, startedMs);
    this.#jobs.set(key, job);
    return job;
  }

  /** Forgets a job that is over. */
  close({ key, pipeline }: WatchedJob): void {
    pipeline?.close();
    this.#jobs.delete(key);
    this.#loggedKeys.delete(key);
    this.#unlogged.delete(key);
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
      const { pipeline } = await job;
      if (pipeline !== undefined) pipelines.push(pipeline);
    }
    for (const pipeline of pipelines) pipeline.suspend();
    await Promise.all(pipelines.map((pipeline) => pipeline.untilQueued(SUSPEND_TIMEOUT_MS)));
  }

  /** Makes nobody wait for room any more. */
  hurry(): void {
    for (const job of this.#jobs.values()) void job.then(({ pipeline }) => pipeline?.hurry());
  }

  #restore(key: string, values: readonly string[]): WatchedJob | undefined {
    const state = isJobKey(key) ? parseJobState(values) : undefined;
    if (state === undefined) return undefined;
    return { key, source: state.source, pipeline: this.#createPipeline(state.source, DEFAULT_LOG_CONFIG, state) };
  }

  async #openNew(
    discovered: DiscoveredJob,
    owner: Owner,
    source: JobSource,
    startedMs: number | undefined
  ): Promise<WatchedJob> {
    const { report, settings } = this.#options;
    const key = formatJobKey(source);
    if (this.#unlogged.has(key)) return { key, source, pipeline: undefined };
    const optIn = await this.#readOptIn(owner);
    if (optIn.kind !== 'config') {
      if (optIn.kind === 'absent') report.debug(`job ${source.job}: nothing is logged, ${owner.name} has not opted in`);
      else this.#sayInvalid(source, optIn.message);
      this.#unlogged.set(key, true);
      this.#unlogged.commit();
      return { key, source, pipeline: undefined };
    }
    const pipeline = this.#createPipeline(source, optIn.config);
    this.#loggedKeys.add(key);
    report.info(`logging job ${source.job} of ${source.user}, mode ${optIn.config.mode}`);
    // A scheduler describes its jobs itself. The options are for jobs that nobody else describes.
    const described = discovered.owner === undefined ? await describeJob(settings, report) : {};
    pipeline.describe({
      name: discovered.name ?? discovered.id,
      ...(startedMs !== undefined && { startedMs }),
      ...(discovered.startedMs !== undefined && { startedMs: discovered.startedMs }),
      ...described,
    });
    return { key, source, pipeline };
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
      ...{ source, config, delivery, report, state, secrets: this.#secrets },
      limits: settings.limits,
      // Files can be read later.
      onFull: 'wait',
      clock: host.clock,
      isResumable,
    });
  }

  #readOptIn(owner: Owner): Promise<OptIn> {
    const { optIn } = this.#options.settings;
    const isOwn = optIn.kind === 'file' && !optIn.isExplicit;
    if (!isOwn) return resolveOptIn(optIn, owner.uid);
    if (owner.homeFolder === undefined) return Promise.resolve({ kind: 'absent' });
    const ofOwner: OptInSource = { kind: 'file', path: join(owner.homeFolder, '.logoptin'), isExplicit: false };
    return resolveOptIn(ofOwner, owner.uid);
  }
}
