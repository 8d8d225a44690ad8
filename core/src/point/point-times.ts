import { putAscii } from './byte-output.js';
import { MAX_TIME_NS } from './line-protocol.js';

const NS_PER_MS = 1_000_000n;
const NS_PER_US = 1000n;
const US_PER_MS = 1000;

/** The numbers from 0 to 999, three digits each. */
const THREE_DIGITS: readonly string[] = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));

/** The times of lines that follow each other by 1 µs, in nanoseconds as line protocol writes them. There is no bigint per line. */
export class PointTimes {
  #ms: number;
  #msText: string;
  #us: number;
  readonly #nsText: string;

  /** Throws a TypeError for a time before 1970 or beyond what InfluxDB takes. */
  constructor(firstNs: bigint) {
    if (firstNs < 0n || firstNs > MAX_TIME_NS) {
      throw new TypeError(
        `Lines in a row cannot begin at the time ${String(firstNs)}: it is before 1970 or after 2262`
      );
    }
    this.#ms = Number(firstNs / NS_PER_MS);
    this.#msText = String(this.#ms);
    this.#us = Number((firstNs / NS_PER_US) % NS_PER_US);
    this.#nsText = threeDigits(Number(firstNs % NS_PER_US));
  }

  /** The time of the present line. */
  get text(): string {
    // In the first millisecond of 1970 (a clock of tests) there are no digits before these.
    return this.#ms === 0
      ? String(Number(threeDigits(this.#us) + this.#nsText))
      : this.#msText + threeDigits(this.#us) + this.#nsText;
  }

  /** Writes the time of the present line, and returns where it ends. */
  put(target: Uint8Array, at: number): number {
    if (this.#ms === 0) {
      return putAscii(target, at, this.text);
    }
    const usAt = putAscii(target, at, this.#msText);
    return putAscii(target, putAscii(target, usAt, threeDigits(this.#us)), this.#nsText);
  }

  /** Goes on to the next line. */
  advance(): void {
    this.#us += 1;
    if (this.#us === US_PER_MS) {
      this.#us = 0;
      this.#ms += 1;
      this.#msText = String(this.#ms);
    }
  }
}

function threeDigits(value: number): string {
  return THREE_DIGITS[value] ?? '';
}
