import type { MetadataLine } from '@joblens/core/metadata/metadata-reader';
import { NS_PER_MS, NS_PER_MS_FLOAT } from '@joblens/core/numbers/time-units';
import {
  createEventPoint,
  createJobPoint,
  type JobDescription,
  type JobEvent,
  type JsonValue,
  STATE_TOPIC,
} from '@joblens/core/schema/job-point';
import { createLabelPoint } from '@joblens/core/schema/label-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Span } from '@joblens/core/schema/span-point';
import { createTransitionPoint, type Transition } from '@joblens/core/schema/transition-point';
import { MetadataTables } from '../../../rules/tables/metadata-tables.js';
import type { PointWriter } from '../../../rules/writing/point-writer.js';
import { ImportedSpans } from './imported-spans.js';
import type { LeftOut } from './left-out.js';
import { EventTimes } from './event-times.js';
import { Life } from './life.js';
import { RowOrder } from './row-order.js';

interface ImportedJobOptions {
  readonly source: JobSource;
  /** Somebody else describes the job. */
  readonly isAttached: boolean;
  readonly points: PointWriter;
  readonly maxTables: number;
  readonly leftOut: LeftOut;
  readonly warn: (message: string) => void;
}

/** A change of a job's state, with what else is known of it. */
export interface StateChange extends Omit<Transition, 'data'> {
  readonly data: JsonValue;
}

/** What an import has made. */
export interface ImportCounts {
  rows: number;
  events: number;
  spans: number;
}

/**
 * One job of an import: its rows with their tables, events, spans, and at the end its description and heartbeats. What
 * it writes is a function of what it is given, so that an import that is made again writes the same points.
 */
export class ImportedJob {
  readonly counts: ImportCounts = { rows: 0, events: 0, spans: 0 };
  readonly source: JobSource;
  readonly #options: ImportedJobOptions;
  readonly #life = new Life();
  readonly #tables: MetadataTables;
  readonly #rows: RowOrder;
  readonly #spans: ImportedSpans;
  readonly #eventTimes = new EventTimes();
  #description: JobDescription = {};
  #isAllocation = false;

  constructor(options: ImportedJobOptions) {
    const { source, points, maxTables, warn } = options;
    this.source = source;
    this.#options = options;
    this.#tables = new MetadataTables({
      ...{ source, points, maxTables, tables: [], summarizesAtEnd: true },
      ...{ monotonicMs: () => 0, rewrites: () => true, onFull: warn, onNonfinite: () => undefined },
    });
    this.#spans = new ImportedSpans(source, points);
    this.#rows = new RowOrder((line, timeNs) => this.#addOrdered(line, timeNs));
  }

  /** Takes a row at any place; `bytes`: about as much memory as it takes. */
  addRow(line: MetadataLine, timeNs: bigint, bytes: number): void {
    this.#rows.add(line, timeNs, bytes);
  }

  addEvent(event: JobEvent, timeNs: bigint): void {
    this.#note(timeNs);
    this.counts.events += 1;
    const ownNs = this.#eventTimes.claim(event.topic, timeNs);
    this.#options.points.addPoint(createEventPoint(this.source, event, ownNs));
  }

  /** Takes a change of the job's state. A job that only holds nodes for others does not live: it has no heartbeats. */
  addChange({ data, ...transition }: StateChange, timeNs: bigint): void {
    const { origin, fromState, toState } = transition;
    this.#isAllocation ||= origin === 'allocation';
    const event = { topic: STATE_TOPIC, origin, ...(fromState !== undefined && { fromState }), toState, data };
    this.addEvent(event, timeNs);
    const json = JSON.stringify(data);
    const told = { ...transition, ...(json !== '{}' && { data: json }) };
    this.#options.points.addPoint(createTransitionPoint(this.source, told, timeNs));
  }

  addSpan(span: Omit<Span, 'job' | 'user'>): void {
    this.#note(span.startNs, span.durationMs);
    this.counts.spans += 1;
    this.#spans.add(span);
  }

  describe(part: JobDescription): void {
    this.#description = { ...this.#description, ...part };
  }

  /** Call it where no earlier rows come any more: they need not be held then. */
  settle(): void {
    this.#rows.end();
  }

  /** Takes what the user has not said. */
  describeUnlessTold(part: JobDescription): void {
    this.#description = { ...part, ...this.#description };
  }

  /** The first and the last time that it tells of; undefined while it tells nothing. */
  get range(): { readonly fromMs: number; readonly toMs: number } | undefined {
    const { fromMs, toMs } = this.#life;
    return fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs };
  }

  /** Writes what is known at the end of the source alone, and the event that ends the job. */
  end(createEvent: (counts: ImportCounts) => JobEvent): void {
    this.#rows.end();
    this.#spans.end();
    const { source, points, leftOut } = this.#options;
    const { lateRows } = this.#rows;
    if (lateRows > 0) leftOut.add('times of rows that came too late to be sorted', `job ${source.job}`, lateRows);
    this.#tables.writeDue(true);
    const { range } = this;
    if (range === undefined) return;
    const startedMs = Math.floor(range.fromMs);
    const description = { startedMs, endedMs: Math.ceil(range.toMs), ...this.#description };
    const endNs = BigInt(Math.ceil(range.toMs)) * NS_PER_MS;
    points.addPoint(createEventPoint(source, createEvent(this.counts), endNs));
    if (this.#options.isAttached) return;
    points.addPoint(createJobPoint(source, description, endNs));
    for (const [key, value] of Object.entries(description.tags ?? {})) {
      points.addPoint(createLabelPoint(source, { key, value }, startedMs));
    }
    if (this.#isAllocation) return;
    const { state, nodes } = description;
    const heartbeat = { state, startedMs: description.startedMs, nodes };
    for (const point of this.#life.createHeartbeats(source, heartbeat)) points.addPoint(point);
  }

  #addOrdered(line: MetadataLine, timeNs: bigint): void {
    this.#note(timeNs);
    this.counts.rows += 1;
    this.#tables.addRow(line, timeNs);
  }

  #note(timeNs: bigint, durationMs = 0): void {
    const timeMs = Number(timeNs) / NS_PER_MS_FLOAT;
    this.#life.note(timeMs);
    if (durationMs > 0) this.#life.note(timeMs + durationMs);
  }
}
