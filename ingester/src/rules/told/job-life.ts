import { HOUR_MS, NS_PER_MS, NS_PER_US } from '@joblens/core/numbers/time-units';
import type { CommandFacts, LoggedEvent } from '../commands/command-facts.js';

/** The state with which a JobLife continues after a restart. */
export interface JobLifeState {
  /** Since when the job lives, as far as it is known, in ms since the epoch. */
  readonly sinceMs: number;
  /** How many events had a time of their own. */
  readonly ownTimes: number;
}

const BEFORE_MS = HOUR_MS;
/** By how much the clock of the job's machine may be ahead. */
const AHEAD_MS = 60_000;
const PLACES = 999;

/** Says which times of their own events and spans of a job may have: those of its life, and of the hour before it. */
export class JobLife {
  readonly #nowMs: () => number;
  #state: JobLifeState;

  constructor(nowMs: () => number, state?: JobLifeState) {
    this.#nowMs = nowMs;
    this.#state = state ?? { sinceMs: nowMs(), ownTimes: 0 };
  }

  get state(): JobLifeState {
    return this.#state;
  }

  noteStart(startedMs: number): void {
    this.#state = { ...this.#state, sinceMs: Math.min(this.#state.sinceMs, startedMs) };
  }

  /** Why facts of a valid command cannot be stored, if so: a time is not of the job's life. */
  findRefusal({ event, span }: CommandFacts): string | undefined {
    return (
      this.#explain('the time of the event', event?.timeNs) ??
      this.#explain('the start of the span', span?.startNs) ??
      this.#explain('the finish of the span', span?.finishNs)
    );
  }

  #explain(what: string, timeNs: bigint | undefined): string | undefined {
    if (timeNs === undefined || this.has(timeNs)) return undefined;
    return timeNs / NS_PER_MS > this.#nowMs()
      ? `${what} is in the future`
      : `${what} is more than an hour before the job was first seen`;
  }

  /** Whether something of the job may have this time. */
  has(timeNs: bigint): boolean {
    const timeMs = Number(timeNs / NS_PER_MS);
    return timeMs >= this.#state.sinceMs - BEFORE_MS && timeMs <= this.#nowMs() + AHEAD_MS;
  }

  /** The time of an event's point: its own, that of its data, or else that of its line. */
  findEventNs({ timeNs, dataNs }: LoggedEvent, lineNs: bigint): bigint {
    const ownNs = timeNs ?? (dataNs !== undefined && this.has(dataNs) ? dataNs : undefined);
    return ownNs === undefined ? lineNs : this.#place(ownNs);
  }

  /** Several may have one time: whole microseconds get nanoseconds that no other event near them has. */
  #place(timeNs: bigint): bigint {
    if (timeNs % NS_PER_US !== 0n) return timeNs;
    const { ownTimes } = this.#state;
    this.#state = { ...this.#state, ownTimes: ownTimes + 1 };
    return timeNs + BigInt(1 + (ownTimes % PLACES));
  }
}
