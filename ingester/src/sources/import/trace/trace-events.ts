import { createMetadataReader, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import { NS_PER_MS_FLOAT } from '@joblens/core/numbers/time-units';
import type { ImportedJob } from '../job/imported-job.js';
import type { LeftOut } from '../job/left-out.js';
import type { LaneNames } from './lane-names.js';
import { type OpenSpan, OpenSpans } from './open-spans.js';
import type { TraceClock } from './trace-clock.js';
import type { TraceEvent } from './trace-cutter.js';

const US_PER_MS = 1000;
const MAX_DATA_UNITS = 64 * 1024;
const MAX_CATEGORY_UNITS = 200;
const NO_DATA: Readonly<Record<string, unknown>> = {};
const INSTANT_TOPIC = 'instant';
/** About as much as an empty row takes. */
const ROW_BYTES = 200;

interface TraceEventsOptions {
  readonly job: ImportedJob;
  readonly leftOut: LeftOut;
  readonly clock: TraceClock;
  readonly lanes: Pick<LaneNames, 'workerOf'>;
}

/**
 * Turns events of a Chrome trace into spans, rows and events of a job. The phases are those of the Trace Event Format:
 * X whole spans, B and E within a thread, b, n and e beside it (S, T, F: their old names), i counters C.
 */
export class TraceEvents {
  readonly #options: TraceEventsOptions;
  readonly #reader: MetadataReader;
  readonly #open = new OpenSpans();
  readonly #phases: ReadonlyMap<string, (event: TraceEvent, timeNs: bigint) => void>;
  #number = 0;
  #lastNs = 0n;
  /** The process whose counters have their bare names. */
  #counterPid: unknown;

  constructor(options: TraceEventsOptions) {
    this.#options = options;
    this.#reader = createMetadataReader(options.job.source);
    const begin = (event: TraceEvent, timeNs: bigint): void => this.#begin(placeOfId(event), event, timeNs);
    const finish = (event: TraceEvent, timeNs: bigint): void => this.#finish(placeOfId(event), event, timeNs);
    const instant = (event: TraceEvent, timeNs: bigint): void => this.#addInstant(event, timeNs);
    this.#phases = new Map(
      Object.entries({
        X: (event, timeNs) => this.#addWhole(event, timeNs),
        B: (event, timeNs) => this.#begin(placeOfThread(event), event, timeNs),
        E: (event, timeNs) => this.#finish(placeOfThread(event), event, timeNs),
        ...{ b: begin, S: begin, e: finish, F: finish },
        ...{ i: instant, I: instant, R: instant, n: instant },
        C: (event, timeNs) => this.#addCounters(event, timeNs),
      })
    );
  }

  add(event: TraceEvent | null): void {
    this.#number += 1;
    const phase = event?.['ph'];
    if (event === null || typeof phase !== 'string') {
      this.#leaveOut('events without a phase');
    } else if (phase !== 'M') {
      const timeNs = this.#options.clock.toNs(event['ts']);
      if (timeNs === undefined) this.#leaveOut('events without a time');
      else this.#addTimed(phase, event, timeNs);
    }
  }

  /** What nothing has ended lasts to the end of the trace. */
  end(): void {
    for (const span of this.#open.takeAll()) this.#close(span, this.#lastNs, { ...span.data, unfinished: true });
  }

  #addTimed(phase: string, event: TraceEvent, timeNs: bigint): void {
    if (timeNs > this.#lastNs) this.#lastNs = timeNs;
    const add = this.#phases.get(phase);
    if (add !== undefined) add(event, timeNs);
    else this.#leaveOut(/^[stf]$/.test(phase) ? 'arrows between spans' : `events of phase ${phase.slice(0, 8)}`);
  }

  #addWhole(event: TraceEvent, startNs: bigint): void {
    const us = Number(event['dur'] ?? event['tdur'] ?? 0);
    const durationMs = us > 0 ? us / US_PER_MS : 0;
    const endNs = startNs + BigInt(Math.round(durationMs * NS_PER_MS_FLOAT));
    if (endNs > this.#lastNs) this.#lastNs = endNs;
    const { data, ...span } = this.#toSpan(event, startNs);
    this.#options.job.addSpan({ ...span, durationMs, ...formatData(data) });
  }

  #begin(place: string, event: TraceEvent, startNs: bigint): void {
    if (!this.#open.begin(place, this.#toSpan(event, startNs))) this.#leaveOut('beginnings of too many open spans');
  }

  #finish(place: string, event: TraceEvent, endNs: bigint): void {
    const span = this.#open.end(place, textOf(event['name']));
    if (span !== undefined) {
      this.#close(span, endNs, { ...span.data, ...argsOf(event) });
      return;
    }
    const { data, ...finish } = this.#toSpan(event, endNs);
    this.#options.job.addSpan({ ...finish, part: 'finish', ...formatData(data) });
  }

  #close({ data: _data, ...span }: OpenSpan, endNs: bigint, data: OpenSpan['data']): void {
    const durationMs = Math.max(0, Number(endNs - span.startNs) / NS_PER_MS_FLOAT);
    this.#options.job.addSpan({ ...span, durationMs, ...formatData(data) });
  }

  #toSpan(event: TraceEvent, startNs: bigint): OpenSpan {
    const name = textOf(event['name']);
    return {
      name,
      category: textOf(event['cat']).slice(0, MAX_CATEGORY_UNITS),
      worker: this.#options.lanes.workerOf(event['pid'], event['tid']),
      // Several spans of a trace may have one id; each is a span of its own here.
      id: [idOf(event), this.#number].filter((part) => part !== '').join('/'),
      startNs,
      data: argsOf(event),
    };
  }

  #addInstant(event: TraceEvent, timeNs: bigint): void {
    const worker = this.#options.lanes.workerOf(event['pid'], event['tid']);
    const data = { name: textOf(event['name']), ...(worker !== '' && { worker }), ...argsOf(event) };
    const topic = textOf(event['cat']).slice(0, MAX_CATEGORY_UNITS) || INSTANT_TOPIC;
    this.#options.job.addEvent({ topic, data }, timeNs);
  }

  /** A counter of one series has its own name; one of several has theirs behind it. */
  #addCounters(event: TraceEvent, timeNs: bigint): void {
    const { pid, id } = event;
    this.#counterPid ??= pid;
    const ofProcess = pid === this.#counterPid ? '' : `${textOf(pid)}: `;
    const name = `${ofProcess}${textOf(event['name'])}${textOf(id) === '' ? '' : ` ${textOf(id)}`}`;
    const values = Object.entries(argsOf(event)).flatMap(([key, value]) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? [[key, number] as const] : [];
    });
    if (values.length === 0) {
      this.#leaveOut('counters without a number');
      return;
    }
    const row = new Map(values.map(([key, value]) => [values.length === 1 ? name : `${name}.${key}`, value]));
    const line = this.#reader.fromRow({ row, jsonKeys: new Set(), paths: new Map() });
    this.#options.job.addRow(line, timeNs, ROW_BYTES);
  }

  #leaveOut(what: string): void {
    this.#options.leftOut.add(what, `event ${this.#number}`);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function argsOf(event: TraceEvent): Readonly<Record<string, unknown>> {
  const args = event['args'];
  return typeof args === 'object' && args !== null && !Array.isArray(args)
    ? (args as Record<string, unknown>)
    : NO_DATA;
}

function placeOfThread(event: TraceEvent): string {
  return `${textOf(event['pid'])}\0${textOf(event['tid'])}`;
}

/** Ids of one process may be those of another: `id2` says which it is. */
function placeOfId(event: TraceEvent): string {
  const { local } = (event['id2'] ?? {}) as { readonly local?: unknown };
  const process = local === undefined ? '' : textOf(event['pid']);
  return [textOf(event['cat']), textOf(event['scope']), process, idOf(event)].join('\0');
}

function idOf(event: TraceEvent): string {
  const { local, global } = (event['id2'] ?? {}) as { readonly local?: unknown; readonly global?: unknown };
  return textOf(event['id'] ?? global ?? local);
}

/** The arguments as JSON; too many of them would make their points too large. */
function formatData(data: Readonly<Record<string, unknown>>): { readonly json?: string } {
  if (Object.keys(data).length === 0) return {};
  const json = JSON.stringify(data);
  return json.length <= MAX_DATA_UNITS ? { json } : { json: JSON.stringify({ left_out: `${json.length} characters` }) };
}
