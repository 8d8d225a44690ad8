import type { StreamWriter } from '../../pipeline/job-stream.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { LeftStream } from './left-stream.js';
import { findPipeLogger, type PipeLogger } from './pipe-loggers.js';

interface StreamToLeave {
  readonly noteOutput: () => Promise<void>;
  /** Opens it in the pipeline, to log it here after all. */
  readonly open: () => Promise<StreamWriter | undefined>;
}

/** The outputs that another `run` or `pipe` of the same job logs, further down the pipe. */
export class LeftOutputs {
  readonly #options: SessionOptions;
  readonly #loggers: ReadonlyMap<number, PipeLogger>;
  #isWithin: boolean;
  #onOutside = (): Promise<void> => Promise.resolve();
  #hasTakenOver = false;

  constructor(options: SessionOptions, loggers: ReadonlyMap<number, PipeLogger>) {
    this.#options = options;
    this.#loggers = loggers;
    this.#isWithin = [...loggers.values()].some(({ kind }) => kind === 'run');
  }

  get isEmpty(): boolean {
    return this.#loggers.size === 0;
  }

  /** Whether all of this is part of the command of another `run`, which tells the state of the job. */
  get isWithin(): boolean {
    return this.#isWithin;
  }

  /** Calls it when the `run` around this one is over before it. */
  onOutside(listener: () => Promise<void>): void {
    if (this.#isWithin) this.#onOutside = listener;
  }

  /** Undefined for a stream that is not left to another. */
  openStream(toFd: number, { noteOutput, open }: StreamToLeave): LeftStream | undefined {
    const logger = this.#loggers.get(toFd);
    if (logger === undefined) return undefined;
    const takeOver = async (): Promise<StreamWriter | undefined> => {
      await this.#takeOver();
      return open();
    };
    return new LeftStream({ logger, clock: this.#options.host.clock, noteOutput, takeOver });
  }

  async #takeOver(): Promise<void> {
    if (this.#hasTakenOver) return;
    this.#hasTakenOver = true;
    this.#isWithin = false;
    const { report, settings } = this.#options;
    report.info(`the other joblens has stopped logging job ${settings.source.job}: it is logged here from now on`);
    await this.#onOutside();
  }
}

/** Finds out which of the descriptors lead to another that logs them, and says so in one line. */
export async function findLeftOutputs(
  options: SessionOptions,
  decided: LoggingDecision,
  fds: readonly number[]
): Promise<LeftOutputs> {
  const found = await Promise.all(fds.map(async (fd) => [fd, await findPipeLogger(options, decided, fd)] as const));
  const loggers = new Map(found.flatMap(([fd, logger]) => (logger === undefined ? [] : [[fd, logger] as const])));
  const [first] = loggers.values();
  if (first !== undefined) {
    const { job, user } = options.settings.source;
    const parts = loggers.size < fds.length ? 'the part of its output that goes there' : 'its output';
    options.report[options.settings.isLeader ? 'info' : 'debug'](
      `job ${job} of ${user}: joblens ${first.kind} (process ${first.pid}) logs ${parts}, so it is not logged here, too`
    );
  }
  return new LeftOutputs(options, loggers);
}
