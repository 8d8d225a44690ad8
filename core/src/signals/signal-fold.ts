import type { JobEvent } from '../schema/job-point.js';
import type { Stream } from '../schema/measurements.js';
import { readOrigin } from './rank-origin.js';
import type { Signal } from './signal-detector.js';

/** A signal where it was found. */
export interface FoundSignal extends Signal {
  readonly stream: Stream;
  /** The rendered line; undefined where only its values may be stored. */
  readonly line?: string;
  /** The line's own time. */
  readonly timeNs: bigint;
}

/** Equal signals of one job, as one event at the time of the first, with the words and the place of the last. */
export interface FoldedSignal extends FoundSignal {
  readonly count: number;
  /** When the last of them came. */
  readonly lastNs: bigint;
  /** The first of those that came last; undefined of one alone. */
  readonly first?: FirstOfSignals;
  /** Which ranks said so, of those that came last, as far as their lines tell; undefined of one alone. */
  readonly ranks?: readonly number[];
}

/** The first of equal signals that came with no long pause between them. Plain JSON. */
export interface FirstOfSignals {
  /** Nanoseconds since the epoch. */
  readonly timeNs: string;
  readonly message: string;
  readonly place?: string;
  /** The first line that tells which process it is of, or else the first. */
  readonly line?: string;
}

/** Plain JSON. */
interface SignalState extends Omit<FoldedSignal, 'timeNs' | 'lastNs'> {
  readonly key: string;
  readonly timeNs: string;
  readonly lastNs: string;
  /** How many of them are in the written event. */
  readonly written: number;
}

export type SignalFoldState = readonly SignalState[];

interface Entry {
  readonly key: string;
  folded: FoldedSignal;
  written: number;
  writtenMs: number;
  isUnsaved: boolean;
  /** The time of the newest metadata line of which a value is this signal. */
  valueNs?: bigint;
}

/** The event of topic `signal`. */
export const SIGNAL_TOPIC = 'signal';
/** A job has at most this many events of signals that differ. Beyond it, all of one name and stream are one. */
export const MAX_SIGNAL_EVENTS = 100;
/** How often the count of an event is written anew. */
const REWRITE_INTERVAL_MS = 5000;
const MAX_LINE_CHARS = 1000;
/** What comes after a longer pause is not of the same failure. */
const PAUSE_NS = 30_000_000_000n;
const MAX_RANKS = 64;

/** Folds the signals of a job: ranks print the same error, and a loop prints it again and again. */
export class SignalFold {
  readonly #entries = new Map<string, Entry>();
  /** How many were added since the start. */
  added = 0;

  constructor(state: SignalFoldState = []) {
    for (const { key, written, timeNs, lastNs, ...signal } of state) {
      const folded = { ...signal, timeNs: BigInt(timeNs), lastNs: BigInt(lastNs) };
      this.#entries.set(key, { key, folded, written, writtenMs: 0, isUnsaved: false });
    }
  }

  /** Whether `takeDue` may have something, now or later. */
  get isDirty(): boolean {
    for (const { folded, written } of this.#entries.values()) if (folded.count > written) return true;
    return false;
  }

  /** In the order in which they first came. */
  get signals(): readonly FoldedSignal[] {
    return [...this.#entries.values()].map(({ folded }) => folded);
  }

  add({ line, heading, ...found }: FoundSignal): void {
    const key = this.#findKey(heading === undefined ? found : { ...found, message: heading });
    const start = heading === undefined ? undefined : this.#entries.get(key);
    if (start !== undefined) {
      this.#complete(start, found);
      return;
    }
    this.added += 1;
    const known = this.#entries.get(key);
    const cut = line === undefined ? {} : { line: line.slice(0, MAX_LINE_CHARS) };
    if (known === undefined) {
      const folded = { ...found, ...cut, count: 1, timeNs: this.#findFreeNs(found.timeNs), lastNs: found.timeNs };
      this.#entries.set(key, { key, folded, written: 0, writtenMs: -Infinity, isUnsaved: true });
      return;
    }
    known.isUnsaved = true;
    if (known.valueNs === found.timeNs) known.folded = { ...known.folded, ...cut };
    else {
      const { timeNs, count } = known.folded;
      const newest = { ...found, ...cut };
      known.folded = {
        ...newest,
        ...addToLast(known.folded, newest),
        ...{ timeNs, count: count + 1, lastNs: found.timeNs },
      };
    }
  }

  /** The sentence below a heading: the same signal in other words, which is to be written anew. */
  #complete(entry: Entry, { message }: Omit<FoundSignal, 'line'>): void {
    entry.isUnsaved = true;
    entry.folded = { ...entry.folded, message };
    entry.written = Math.min(entry.written, entry.folded.count - 1);
  }

  /** Adds a signal that a value of a metadata line is. Its line may be the same signal, which is then one. */
  addValue(found: FoundSignal): void {
    const key = this.#findKey(found);
    if (this.#entries.get(key)?.folded.lastNs !== found.timeNs) this.add(found);
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.valueNs = found.timeNs;
  }

  /** The signals to write now: new ones at once, and those that came again now and then, or all if `isEnd`. */
  takeDue(nowMs: number, isEnd: boolean): FoldedSignal[] {
    const due: FoldedSignal[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.folded.count === entry.written) continue;
      if (!isEnd && nowMs - entry.writtenMs < REWRITE_INTERVAL_MS) continue;
      entry.written = entry.folded.count;
      entry.writtenMs = nowMs;
      entry.isUnsaved = true;
      due.push(entry.folded);
    }
    return due;
  }

  /** `change`: only the signals that changed since the last call. */
  takeState(kind: 'whole' | 'change'): SignalFoldState {
    const states: SignalState[] = [];
    for (const entry of this.#entries.values()) {
      if (kind === 'change' && !entry.isUnsaved) continue;
      entry.isUnsaved = false;
      const { timeNs, lastNs, ...signal } = entry.folded;
      const times = { timeNs: String(timeNs), lastNs: String(lastNs) };
      states.push({ ...signal, ...times, key: entry.key, written: entry.written });
    }
    return states;
  }

  /** Two events of one line would be one point: the later one has a time just behind it. */
  #findFreeNs(timeNs: bigint): bigint {
    const taken = new Set(this.signals.map((signal) => signal.timeNs));
    let free = timeNs;
    while (taken.has(free)) free += 1n;
    return free;
  }

  /** The same message with other numbers is the same signal: ranks, sizes, addresses. */
  #findKey({ name, stream, message }: Omit<FoundSignal, 'line'>): string {
    const key = JSON.stringify([name, stream, message.replace(/0x[\da-f]+|\d+/gi, '#')]);
    if (this.#entries.has(key) || this.#entries.size < MAX_SIGNAL_EVENTS) return key;
    return JSON.stringify([name, stream]);
  }
}

/** The first and the ranks of the signals that came last, with one more. */
function addToLast(known: FoldedSignal, newest: FoundSignal): Pick<FoldedSignal, 'first' | 'ranks'> {
  const isOther = newest.timeNs - known.lastNs > PAUSE_NS;
  const first = isOther ? createFirst(newest) : (known.first ?? createFirst(known));
  const before = isOther ? [] : (known.ranks ?? listRanks(known));
  const ranks = before.length >= MAX_RANKS ? before : [...new Set([...before, ...listRanks(newest)])];
  const isBlind = first.line !== undefined && Object.keys(readOrigin(first.line)).length === 0;
  const { line } = newest;
  const tells = isBlind && line !== undefined && Object.keys(readOrigin(line)).length > 0;
  return { first: tells ? { ...first, line } : first, ...(ranks.length > 0 && { ranks }) };
}

function createFirst({ timeNs, message, place, line }: FoundSignal): FirstOfSignals {
  return {
    ...{ timeNs: String(timeNs), message },
    ...(place !== undefined && { place }),
    ...(line !== undefined && { line }),
  };
}

function listRanks({ line }: FoundSignal): readonly number[] {
  const rank = line === undefined ? undefined : readOrigin(line).rank;
  return rank === undefined ? [] : [rank];
}

/** Adds a later change to a state. */
export function mergeSignalFoldState(older: SignalFoldState, change: SignalFoldState): SignalFoldState {
  const merged = new Map(older.map((signal) => [signal.key, signal]));
  for (const signal of change) merged.set(signal.key, signal);
  return [...merged.values()];
}

/** The process that logs a part of a job. */
export interface SignalWriter {
  readonly task?: string | undefined;
  readonly node?: string | undefined;
}

/** The event as which a signal is stored, at the time of its first line. A writer of the whole job says no task. */
export function createSignalEvent(signal: FoldedSignal, { task, node }: SignalWriter = {}): JobEvent {
  const { name, severity, weight, message, place, stream, line, count, first, ranks } = signal;
  return {
    topic: SIGNAL_TOPIC,
    data: {
      ...{ name, severity, weight, message },
      ...(place !== undefined && { place }),
      stream,
      ...(line !== undefined && { line }),
      count,
      ...(first !== undefined && { first: { ...first } }),
      ...(ranks !== undefined && { ranks }),
      ...(task !== undefined && { task, ...(node !== undefined && { node }) }),
    },
  };
}
