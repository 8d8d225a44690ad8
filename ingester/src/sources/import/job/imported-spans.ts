import { NS_PER_MS_FLOAT } from '@joblens/core/numbers/time-units';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createSpanLevelPoint } from '@joblens/core/schema/span-level-point';
import { createSpanPoint, type Span } from '@joblens/core/schema/span-point';
import { SpanTimes } from '@joblens/core/schema/span-times';
import { SpanFold } from '@joblens/core/spans/span-fold';
import type { PointWriter } from '../../../rules/writing/point-writer.js';

/** Up to so many, readers take the spans themselves. */
const FEW_SPANS = 2048;
/** The most slots of levels to hold. */
const MAX_SLOTS = 20_000;

/** The spans of one job of an import, and the levels that a graph of many is drawn from. */
export class ImportedSpans {
  readonly #source: JobSource;
  readonly #points: PointWriter;
  readonly #times = new SpanTimes();
  readonly #fold = new SpanFold();
  #count = 0;
  /** Tells the parts of a slot apart. */
  #parts = 0n;

  constructor(source: JobSource, points: PointWriter) {
    this.#source = source;
    this.#points = points;
  }

  add(span: Omit<Span, 'job' | 'user'>): void {
    const { job, user } = this.#source;
    this.#count += 1;
    this.#points.addPoint(createSpanPoint({ ...span, job, user }, this.#times.claim(span)));
    if (span.durationMs === undefined) return;
    const startMs = Number(span.startNs) / NS_PER_MS_FLOAT;
    this.#fold.add({ category: span.category, worker: span.worker, startMs, finishMs: startMs + span.durationMs });
    if (this.#fold.size > MAX_SLOTS && this.#count > FEW_SPANS) this.#writeLevels();
  }

  end(): void {
    if (this.#count > FEW_SPANS) this.#writeLevels();
  }

  #writeLevels(): void {
    this.#parts += 1n;
    for (const slot of this.#fold.take()) this.#points.addPoint(createSpanLevelPoint(this.#source, slot, this.#parts));
  }
}
