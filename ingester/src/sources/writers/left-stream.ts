import type { Clock } from '../../clock/clock.js';
import type { StreamWriter } from '../../pipeline/job-stream.js';
import type { PipeLogger } from './pipe-loggers.js';

/** It is looked at again after so long. */
const LOOK_MS = 20;
/** What one that is killed has read and not stored yet is hardly older. */
const KEPT_MS = 1000;
const KEPT_BYTES = 1024 * 1024;

interface LeftStreamOptions {
  readonly logger: PipeLogger;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Called for output that the other logs. */
  readonly noteOutput: () => Promise<void>;
  /** Opens the stream where the other logs no more. */
  readonly takeOver: () => Promise<StreamWriter | undefined>;
}

/**
 * A stream that another process logs, further down the pipe. When that ends or dies, it is logged here: of a dead one,
 * from a little before its death on, so that nothing is missing.
 */
export class LeftStream {
  readonly #options: LeftStreamOptions;
  #lookedMs = -Infinity;
  #stage: ReturnType<PipeLogger['look']> = 'opening';
  #kept: { readonly atMs: number; readonly bytes: Buffer }[] = [];
  #keptBytes = 0;
  #isOurs = false;
  #isWaiting = false;
  #last: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();
  #writer: StreamWriter | undefined;

  constructor(options: LeftStreamOptions) {
    this.#options = options;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#take(bytes));
  }

  end(): Promise<void> {
    this.#ended.abort();
    return this.#inTurn(async () => {
      if (!this.#isOurs) await this.#look(this.#options.clock.monotonicMs());
      this.#writer?.end();
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const atMs = this.#options.clock.monotonicMs();
    if (!this.#isOurs && atMs - this.#lookedMs >= LOOK_MS) await this.#look(atMs);
    if (this.#isOurs) return this.#writer?.write(bytes);
    this.#kept.push({ atMs, bytes: Buffer.from(bytes) });
    this.#keptBytes += bytes.length;
    this.#forgetOld(atMs);
    if (!this.#isWaiting) void this.#waitForNews();
    await this.#options.noteOutput();
    return undefined;
  }

  /** The other may die with what came last, and nothing may come after that. */
  async #waitForNews(): Promise<void> {
    const { clock } = this.#options;
    this.#isWaiting = true;
    while (!this.#isOurs && this.#kept.length > 0) {
      await clock.sleep(KEPT_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      await this.#inTurn(async () => {
        if (this.#isOurs) return;
        await this.#look(clock.monotonicMs());
        this.#forgetOld(clock.monotonicMs());
      });
    }
    this.#isWaiting = false;
  }

  async #look(atMs: number): Promise<void> {
    const [sinceMs, before] = [this.#lookedMs, this.#stage];
    this.#lookedMs = atMs;
    this.#stage = this.#options.logger.look();
    if (this.#stage === 'opening' || this.#stage === 'logging') return;
    this.#isOurs = true;
    this.#writer = await this.#options.takeOver();
    // One that ended by itself has stored what it read: all until it was seen to log, unless it never came to that.
    const isStored = this.#stage === 'ended' && before === 'logging';
    const missing = this.#kept.splice(0).filter(({ atMs: keptMs }) => !isStored || keptMs >= sinceMs);
    for (const { bytes } of missing) await this.#writer?.write(bytes);
  }

  #forgetOld(atMs: number): void {
    const isOld = ({ atMs: keptMs }: { readonly atMs: number }): boolean =>
      this.#keptBytes > KEPT_BYTES || (this.#stage === 'logging' && atMs - keptMs >= KEPT_MS);
    for (let [first] = this.#kept; first !== undefined && isOld(first); [first] = this.#kept) {
      this.#kept.shift();
      this.#keptBytes -= first.bytes.length;
    }
  }
}
