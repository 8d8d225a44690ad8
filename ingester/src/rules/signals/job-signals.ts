import type { JobDescription, JobEvent } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { explainEnd, type JobEnd } from '@joblens/core/signals/explain-end';
import { createNonfiniteSignal, type NonfiniteMetric } from '@joblens/core/signals/nonfinite-metric';
import {
  createSignalEvent,
  type FoundSignal,
  SignalFold,
  type SignalFoldState,
} from '@joblens/core/signals/signal-fold';
import type { SignalPattern } from '@joblens/core/signals/signal-pattern';
import { BUILT_IN_SIGNALS } from '@joblens/core/signals/built-in-patterns';
import { createOwnPattern, parseOwnSignal } from '@joblens/core/signals/own-patterns';
import { listLiterals } from '@joblens/core/signals/signal-detector';
import { createLiteralTable } from '../../kernels/literal-table.js';
import { createSignalCompiler } from './compile-signal.js';
import type { LogConfig } from '../options/log-config.js';
import { PatternBudget } from '../options/pattern-budget.js';
import type { Rewrites } from '../writing/rewrites.js';

/** What a source knows about the end of a job, besides its description. */
export type EndFacts = Omit<JobEnd, 'state' | 'exitCode'>;

/** The state with which JobSignals continue after a restart. */
export interface JobSignalsState {
  readonly folded: SignalFoldState;
  /** Why the job is in its state, as last written. */
  readonly reason?: string;
  readonly end?: JobEnd & { readonly timeNs: string };
  /** Since when the job has run. Undefined: nobody tells its state. */
  readonly runsSinceNs?: string;
}

export interface JobSignalsOptions {
  readonly source: JobSource;
  readonly monotonicMs: () => number;
  readonly rewrites: Rewrites;
  readonly addEvent: (event: JobEvent, timeNs: bigint) => void;
  /** Undefined as time: now. */
  readonly describe: (description: JobDescription, timeNs: bigint | undefined) => void;
  /** Says what is wrong with an entry of the option. */
  readonly onFault: (message: string) => void;
  readonly state?: JobSignalsState | undefined;
}

interface Searched {
  readonly patterns: readonly SignalPattern[];
  /** What the kernel searches for. */
  readonly literals: Uint8Array;
}

/** Where one metric is no longer finite, often all are: they must leave room for other signals. */
const MAX_NONFINITE_KEYS = 16;
/** How often the reason is found anew while no signal is written. */
const EXPLAIN_INTERVAL_MS = 5000;

let builtIn: Searched | undefined;

/** The signals of one job, in both its streams: the events that they become, and why the job ended. */
export class JobSignals {
  readonly #options: JobSignalsOptions;
  readonly #fold: SignalFold;
  readonly #nonfinite = new Set<string>();
  #searched: Searched | undefined;
  #reason: string | undefined;
  #end: JobSignalsState['end'];
  #runsSinceNs: bigint | undefined;
  /** Where this part of the job runs. Not in the state: a mode may forbid it. */
  #host: string | undefined;
  /** How many signals the reason knows. */
  #explained = 0;
  #explainedMs = -Infinity;

  constructor(options: JobSignalsOptions) {
    this.#options = options;
    const { state } = options;
    this.#fold = new SignalFold(state?.folded);
    this.#reason = state?.reason;
    this.#end = state?.end;
    if (state?.runsSinceNs !== undefined) this.#runsSinceNs = BigInt(state.runsSinceNs);
  }

  get patterns(): readonly SignalPattern[] {
    return this.#search.patterns;
  }

  get literals(): Uint8Array {
    return this.#search.literals;
  }

  get #search(): Searched {
    return (this.#searched ??= builtIn ??= prepareSearch(BUILT_IN_SIGNALS));
  }

  get isDirty(): boolean {
    return this.#options.rewrites() === true ? this.#fold.isDirty : this.#fold.added !== this.#explained;
  }

  /** `change`: only the signals that changed since the last call. */
  takeState(kind: 'whole' | 'change'): JobSignalsState {
    return {
      folded: this.#fold.takeState(kind),
      ...(this.#reason !== undefined && { reason: this.#reason }),
      ...(this.#end !== undefined && { end: this.#end }),
      ...(this.#runsSinceNs !== undefined && { runsSinceNs: String(this.#runsSinceNs) }),
    };
  }

  /**
   * Sets the user's own patterns, which come before those that are built in. One that is not valid is left out, and one
   * that costs more than the kinds of metadata and those before it have left.
   */
  setOwn({ signals: entries = [], metadata }: Pick<LogConfig, 'signals' | 'metadata'>, isSaid: boolean): void {
    const budget = new PatternBudget();
    budget.chargeKinds(metadata);
    const compileSignal = createSignalCompiler(budget);
    const own = entries.flatMap((entry, i) => {
      const signal = parseOwnSignal(entry);
      const pattern = signal.ok ? createOwnPattern(signal.value, compileSignal) : signal;
      if (pattern.ok) return pattern.value;
      if (isSaid) this.#options.onFault(`entry ${i + 1} of the option signals is left out: ${pattern.error}`);
      return [];
    });
    this.#searched = own.length === 0 ? undefined : prepareSearch([...own, ...BUILT_IN_SIGNALS]);
  }

  add(found: FoundSignal): void {
    this.#fold.add(found);
  }

  addNonfinite(metric: NonfiniteMetric, timeNs: bigint): void {
    if (!this.#nonfinite.has(metric.key) && this.#nonfinite.size >= MAX_NONFINITE_KEYS) return;
    this.#nonfinite.add(metric.key);
    // Most metadata is there.
    this.#fold.addValue({ ...createNonfiniteSignal(metric), stream: 'stdout', timeNs });
  }

  /** Call it with each new description of the job: another run has another end. */
  noteState({ state, host = this.#host }: JobDescription, timeNs: bigint): void {
    this.#host = host;
    if (state === undefined) return;
    if (this.#runsSinceNs === undefined || state === 'RUNNING') this.#runsSinceNs = timeNs;
    if (state !== this.#end?.state) {
      this.#end = undefined;
      this.#reason = undefined;
    }
  }

  /** Says why the job ended. If the rest of its output says more, another reason is written at the same time. */
  explain(end: JobEnd, timeNs: bigint): string | undefined {
    this.#end = { ...end, timeNs: String(timeNs) };
    this.#reason = this.#findReason();
    return this.#reason;
  }

  /** Writes what is due, or all that there is if `isEnd`. Where the store does not rewrite, counts must be final. */
  writeDue(isEnd: boolean): void {
    const { source, monotonicMs, rewrites, addEvent } = this.#options;
    const areCountsFinal = isEnd || rewrites() === true;
    const due = areCountsFinal ? this.#fold.takeDue(monotonicMs(), isEnd) : [];
    for (const signal of due)
      addEvent(createSignalEvent(signal, { task: source.task, node: this.#host }), signal.timeNs);
    const isReasonDue = !areCountsFinal && this.isDirty && monotonicMs() >= this.#explainedMs + EXPLAIN_INTERVAL_MS;
    if (due.length === 0 && !isReasonDue) return;
    this.#explained = this.#fold.added;
    this.#explainedMs = monotonicMs();
    this.#writeReason();
  }

  /** A job whose state is told has a reason once it has ended; another one as soon as an error shows. */
  #findReason(): string | undefined {
    const end = this.#end ?? (this.#runsSinceNs === undefined ? {} : undefined);
    if (end === undefined) return undefined;
    const sinceNs = this.#runsSinceNs ?? 0n;
    const ofThisRun = this.#fold.signals.filter(({ lastNs }) => lastNs >= sinceNs);
    return explainEnd(end, ofThisRun);
  }

  #writeReason(): void {
    const reason = this.#findReason();
    if (reason === undefined || reason === this.#reason) return;
    this.#reason = reason;
    this.#options.describe({ reason }, this.#end === undefined ? undefined : BigInt(this.#end.timeNs));
  }
}

function prepareSearch(patterns: readonly SignalPattern[]): Searched {
  return { patterns, literals: createLiteralTable(listLiterals(patterns)) };
}
