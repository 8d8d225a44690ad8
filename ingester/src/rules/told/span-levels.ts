import type { JobSource } from '@joblens/core/schema/measurements';
import { createSpanLevelPoint } from '@joblens/core/schema/span-level-point';
import { type FoldedSlot, SpanFold } from '@joblens/core/spans/span-fold';
import { COARSEST_LEVEL } from '@joblens/core/spans/span-levels';
import type { PointWriter } from '../writing/point-writer.js';

/** As JSON: a span that is not folded yet. */
type WaitingSpan = readonly [category: string, worker: string, startMs: number, durationMs: number];

/** The state with which SpanLevels continue after a restart, or what has changed of it. */
export interface SpanLevelsState {
  readonly waiting: readonly WaitingSpan[];
  /** In a change: these follow those of the older state. */
  readonly isMore?: true;
  /** The finest level of the job. Missing until it has levels. */
  readonly finest?: number;
}

export interface SpanLevelsOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  readonly state?: SpanLevelsState | undefined;
}

/** The most spans to wait for before they are folded. A job with less spans has no levels: they are read one by one. */
export const MAX_WAITING_SPANS = 2048;
const INTERVAL_MS = 10_000;
/** The longer a job lives, the longer its newest spans may wait: so a slot has few parts. */
const SHARE_OF_LIFE = 1 / 200;

/** The state after a later change. */
export function mergeSpanLevelsState(older: SpanLevelsState | undefined, change: SpanLevelsState): SpanLevelsState {
  const { isMore, ...state } = change;
  return isMore === true ? { ...state, waiting: [...(older?.waiting ?? []), ...state.waiting] } : state;
}

/**
 * The folded spans of one job. Spans wait, in the state of the job, and are folded many at once into new parts of
 * slots, which the store adds up: so nothing is rewritten, and memory does not grow with the spans.
 */
export class SpanLevels {
  readonly #options: SpanLevelsOptions;
  readonly #fold = new SpanFold();
  readonly #begunMs: number;
  #foldedMs: number;
  #waiting: WaitingSpan[];
  /** From here on they are not in the state yet; undefined after a fold: none is. */
  #savedSpans: number | undefined;
  #finest: number | undefined;

  constructor(options: SpanLevelsOptions) {
    this.#options = options;
    this.#begunMs = options.monotonicMs();
    this.#foldedMs = this.#begunMs;
    this.#waiting = [...(options.state?.waiting ?? [])];
    this.#savedSpans = this.#waiting.length;
    this.#finest = options.state?.finest;
  }

  /** Whether `writeDue` has something to write, now or later. */
  get isDirty(): boolean {
    return this.#finest !== undefined && this.#waiting.length > 0;
  }

  /** `change`: what has changed since the last call. */
  takeState(kind: 'whole' | 'change'): SpanLevelsState {
    const saved = kind === 'change' ? this.#savedSpans : undefined;
    const waiting = saved === undefined ? [...this.#waiting] : this.#waiting.slice(saved);
    this.#savedSpans = this.#waiting.length;
    return {
      waiting,
      ...(saved !== undefined && { isMore: true }),
      ...(this.#finest !== undefined && { finest: this.#finest }),
    };
  }

  add(...span: WaitingSpan): void {
    this.#waiting.push(span);
    if (this.#waiting.length >= MAX_WAITING_SPANS) this.#write();
  }

  /** Folds what has waited long enough; if `isFinal`, all. */
  writeDue(isFinal: boolean): void {
    if (!this.isDirty) return;
    const nowMs = this.#options.monotonicMs();
    const intervalMs = Math.max(INTERVAL_MS, (nowMs - this.#begunMs) * SHARE_OF_LIFE);
    if (isFinal || nowMs >= this.#foldedMs + intervalMs) this.#write();
  }

  #write(): void {
    const { source, points, monotonicMs, nextNs } = this.#options;
    for (const [category, worker, startMs, durationMs] of this.#waiting) {
      this.#fold.add({ category, worker, startMs, finishMs: startMs + durationMs });
    }
    const slots = this.#fold.take();
    this.#finest ??= chooseFinest(slots, this.#waiting.length);
    const place = nextNs();
    for (const slot of slots) {
      if (slot.width + 1 >= this.#finest) points.addPoint(createSpanLevelPoint(source, slot, place));
    }
    this.#waiting = [];
    this.#savedSpans = undefined;
    this.#foldedMs = monotonicMs();
  }
}

/** A level with more slots than spans saves nothing: there, spans are few in any view. */
function chooseFinest(slots: readonly FoldedSlot[], spans: number): number {
  for (let level = 1; level < COARSEST_LEVEL; level += 1) {
    if (slots.filter(({ width }) => width + 1 === level).length <= spans) return level;
  }
  return COARSEST_LEVEL;
}
