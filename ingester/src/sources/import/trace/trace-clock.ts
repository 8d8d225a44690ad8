import { NS_PER_MS, NS_PER_US } from '@joblens/core/numbers/time-units';

/** 1973 in microseconds: smaller numbers count from some other moment. */
const FIRST_OF_EPOCH_US = 1e14;

interface TraceClockOptions {
  readonly offsetNs: bigint | undefined;
  /** When the file was changed last, for a clock that nobody knows. */
  readonly modifiedMs: number;
  /** Called once where that is taken for the beginning of the trace. */
  readonly onUnknown: (beginMs: number) => void;
}

/** Turns the times of a trace, in microseconds, into nanoseconds since the epoch. */
export class TraceClock {
  readonly #options: TraceClockOptions;
  #offsetNs: bigint | undefined;

  constructor(options: TraceClockOptions) {
    this.#options = options;
    this.#offsetNs = options.offsetNs;
  }

  /** The moment that the trace itself says its times count from. That of the user goes before it. */
  setBase(baseNs: bigint): void {
    if (this.#options.offsetNs === undefined) this.#offsetNs = baseNs;
  }

  /** Undefined where the value is no time. */
  toNs(ts: unknown): bigint | undefined {
    const us = typeof ts === 'string' ? Number(ts) : ts;
    if (typeof us !== 'number' || !Number.isFinite(us) || Math.abs(us) > 9e15) return undefined;
    const whole = Math.floor(us);
    const sinceNs = BigInt(whole) * NS_PER_US + BigInt(Math.round((us - whole) * 1000));
    this.#offsetNs ??= us >= FIRST_OF_EPOCH_US ? 0n : this.#guessOffset(sinceNs);
    return sinceNs + this.#offsetNs;
  }

  #guessOffset(firstNs: bigint): bigint {
    const { modifiedMs, onUnknown } = this.#options;
    onUnknown(modifiedMs);
    return BigInt(modifiedMs) * NS_PER_MS - firstNs;
  }
}
