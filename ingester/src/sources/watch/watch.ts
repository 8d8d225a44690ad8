import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobSource } from '@joblens/core';
import type { OptInSource } from '../../config/settings.js';
import { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { Output } from '../../pipeline/output.js';
import type { OptIn } from '../../rules/read-opt-in.js';
import { DEFAULT_LOG_CONFIG } from '../../rules/log-config.js';
import type { SessionOptions } from '../../session.js';
import { openConfiguredOutput, resolveOptIn } from '../../session.js';
import { describeJob } from '../describe-job.js';
import { FileFollower } from './file-follower.js';
import { findFiles } from './find-files.js';
import type { JobOfPath } from './job-of-path.js';
import { readJobOfPath } from './job-of-path.js';
import type { FindOwner, Owner } from './owner.js';

const POLL_MS = 500;
/** After this time without a change a file's last line counts as ended, and the file is closed until it grows again. */
const QUIET_MS = 600_000;

export interface WatchOptions extends SessionOptions {
  readonly paths: readonly string[];
  readonly findOwner: FindOwner;
  /** Whether the user named a job (--job), which then is the job of every file. */
  readonly typedJob: string | undefined;
  readonly typedUser: string | undefined;
}

/** One followed file; `stream` is open while the file changes. */
interface WatchedFile {
  readonly follower: FileFollower;
  readonly pipeline: JobPipeline;
  stream: ReturnType<JobPipeline['openStream']> | undefined;
  changedMs: number;
  isBroken: boolean;
}

/** Follows output files until SIGINT or SIGTERM, also files that appear later. Returns the exit code. */
export async function watch(options: WatchOptions): Promise<number> {
  const { host, settings, report, paths } = options;
  const output = await openConfiguredOutput(options);
  if (output === undefined) return 1;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());

  const watcher = new Watcher(options, output);
  stop.signal.addEventListener('abort', () => watcher.hurry());
  report.info(`following ${paths.join(' ')}`);
  while (!stop.signal.aborted) {
    await watcher.poll();
    await host.clock.sleep(POLL_MS, stop.signal);
  }
  await watcher.close();
  return (await output.close(settings.drainTimeoutMs)) ? 0 : 1;
}

class Watcher {
  readonly #options: WatchOptions;
  readonly #output: Output;
  readonly #jobs = new Map<string, JobPipeline | undefined>();
  /** Files by path; undefined for one that is not to be followed. */
  readonly #files = new Map<string, WatchedFile | undefined>();

  constructor(options: WatchOptions, output: Output) {
    this.#options = options;
    this.#output = output;
  }

  async poll(): Promise<void> {
    for (const path of await findFiles(this.#options.paths)) {
      if (!this.#files.has(path)) await this.#addFile(path);
    }
    const files = [...this.#files.values()].filter((file) => file !== undefined);
    await Promise.all(files.map((file) => this.#pollFile(file)));
  }

  hurry(): void {
    for (const pipeline of this.#jobs.values()) pipeline?.hurry();
  }

  async close(): Promise<void> {
    await this.poll();
    for (const file of this.#files.values()) {
      file?.stream?.end();
      await file?.follower.close();
    }
    for (const pipeline of new Set(this.#jobs.values())) pipeline?.close();
  }

  /** A file that is not there yet is asked for again; what is no regular file is left alone. */
  async #addFile(path: string): Promise<void> {
    const { findOwner, typedJob, typedUser, report } = this.#options;
    const status = await lstat(path).catch(() => undefined);
    if (status === undefined) return;
    if (!status.isFile()) {
      this.#files.set(path, undefined);
      report.warn(`not following ${path}: it is no regular file`);
      return;
    }
    const owner = await findOwner(status.uid);
    const named = readJobOfPath(path);
    const source = { job: typedJob ?? named.job, user: typedUser ?? owner.name };
    const pipeline = await this.#openJob(source, owner, named, status.birthtimeMs);
    this.#files.set(path, pipeline && this.#createFile(path, named, pipeline));
  }

  /** The job's owner decides, once, when its first file is seen. */
  async #openJob(
    source: JobSource,
    owner: Owner,
    named: JobOfPath,
    startedMs: number
  ): Promise<JobPipeline | undefined> {
    const key = JSON.stringify([source.user, source.job]);
    if (this.#jobs.has(key)) return this.#jobs.get(key);
    const { settings, host, report } = this.#options;
    const optIn = await this.#readOptIn(owner);
    if (optIn.kind === 'absent') report.info(`job ${source.job}: nothing is logged, ${owner.name} has not opted in`);
    let pipeline: JobPipeline | undefined;
    if (optIn.kind !== 'absent') {
      const config = optIn.kind === 'config' ? optIn.config : DEFAULT_LOG_CONFIG;
      const { limits } = settings;
      const { clock } = host;
      pipeline = new JobPipeline({ source, config, limits, onFull: 'wait', output: this.#output, clock, report });
    }
    if (optIn.kind === 'invalid') {
      report.error(`job ${source.job}: ${optIn.message}`);
      pipeline?.addNotice('stdout', optIn.message);
      pipeline = undefined;
    }
    pipeline?.describe({ name: named.name, startedMs, ...(await describeJob(settings, report)) });
    this.#jobs.set(key, pipeline);
    return pipeline;
  }

  #readOptIn(owner: Owner): Promise<OptIn> {
    const { optIn } = this.#options.settings;
    const isOwn = optIn.kind === 'file' && !optIn.isExplicit;
    if (!isOwn) return resolveOptIn(optIn, owner.uid);
    if (owner.homeFolder === undefined) return Promise.resolve({ kind: 'absent' });
    const ofOwner: OptInSource = { kind: 'file', path: join(owner.homeFolder, '.logoptin'), isExplicit: false };
    return resolveOptIn(ofOwner, owner.uid);
  }

  #createFile(path: string, { stream }: JobOfPath, pipeline: JobPipeline): WatchedFile {
    const file: WatchedFile = {
      follower: new FileFollower(path, {
        write: (bytes) => (file.stream ??= pipeline.openStream(stream)).write(bytes),
      }),
      pipeline,
      stream: undefined,
      changedMs: this.#options.host.clock.nowMs(),
      isBroken: false,
    };
    return file;
  }

  async #pollFile(file: WatchedFile): Promise<void> {
    const nowMs = this.#options.host.clock.nowMs();
    try {
      if ((await file.follower.poll()) > 0) {
        file.changedMs = nowMs;
        file.isBroken = false;
      } else if (file.stream !== undefined && nowMs - file.changedMs > QUIET_MS) {
        file.stream.end();
        file.stream = undefined;
        await file.follower.close();
      }
    } catch (error) {
      if (!file.isBroken) {
        const found = (error as NodeJS.ErrnoException).code ?? String(error);
        this.#options.report.warn(`cannot read ${file.follower.path}: ${found}; it is tried again`);
      }
      file.isBroken = true;
    }
  }
}
