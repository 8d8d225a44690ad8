import { createMetadataReader, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import type { ImportedJob } from '../job/imported-job.js';
import type { LeftOut } from '../job/left-out.js';
import { readTime } from '../job/read-time.js';
import {
  type Hparams,
  readEvent,
  readHparams,
  readTensor,
  type SummaryValue,
  type TensorboardEvent,
} from './messages.js';

const STEP_KEY = 'step';
const TEXT_TOPIC = 'text';
const MAX_TEXT_UNITS = 64 * 1024;
/** About as much as an empty row takes. */
const ROW_BYTES = 200;
const STATES: Readonly<Record<number, string>> = { 1: 'COMPLETED', 2: 'FAILED' };

/** The row of the scalars of one step. */
interface OpenRow {
  readonly step: number;
  readonly timeNs: bigint;
  readonly values: Map<string, number | string>;
}

/** Makes a job of the events of one run of TensorBoard. */
export class TensorboardRun {
  readonly #job: ImportedJob;
  readonly #leftOut: LeftOut;
  readonly #offsetNs: bigint | undefined;
  readonly #reader: MetadataReader;
  #row: OpenRow | undefined;

  constructor(job: ImportedJob, leftOut: LeftOut, offsetNs: bigint | undefined) {
    this.#job = job;
    this.#leftOut = leftOut;
    this.#offsetNs = offsetNs;
    this.#reader = createMetadataReader(job.source);
  }

  /** `where` is for messages. */
  add(record: Uint8Array, where: string): void {
    let event: TensorboardEvent;
    try {
      event = readEvent(record);
      for (const value of event.values) this.#addValue(event, value, where);
    } catch {
      this.#leftOut.add('records that are no event', where);
    }
  }

  /** Call it at the end of a file. */
  endRow(): void {
    const row = this.#row;
    this.#row = undefined;
    if (row === undefined) return;
    const jsonKeys = new Set([...row.values].filter(([, value]) => typeof value === 'string').map(([key]) => key));
    const line = this.#reader.fromRow({ row: row.values, jsonKeys, paths: new Map() });
    this.#job.addRow(line, row.timeNs, ROW_BYTES + row.values.size * 16);
  }

  #addValue(event: TensorboardEvent, value: SummaryValue, where: string): void {
    const { plugin, content, tag } = value;
    if (plugin === 'hparams') {
      if (content !== undefined) this.#describe(readHparams(content));
      return;
    }
    const timeNs = readTime(event.wallTimeS, this.#offsetNs);
    if (timeNs === undefined) {
      this.#leftOut.add('values without a time', where);
      return;
    }
    const tensor = value.tensor === undefined ? undefined : readTensor(value.tensor);
    const scalar = value.scalar ?? (plugin === 'scalars' || plugin === undefined ? tensor?.numbers[0] : undefined);
    if (scalar !== undefined) this.#addScalar(event.step, timeNs, tag, scalar);
    else if (plugin === 'text' && tensor !== undefined) this.#addText(event.step, timeNs, tag, tensor.texts);
    else this.#leftOut.add(value.other ?? `values of ${plugin ?? 'an unknown kind'}`, where);
  }

  /** Scalars of one step that are told one after another are one row. */
  #addScalar(step: number, timeNs: bigint, tag: string, scalar: number): void {
    const key = tag === STEP_KEY ? `${tag}.2` : tag;
    if (this.#row?.step !== step || this.#row.values.has(key)) this.endRow();
    this.#row ??= { step, timeNs, values: new Map([[STEP_KEY, step]]) };
    this.#row.values.set(key, Number.isFinite(scalar) ? shorten(scalar) : String(scalar));
  }

  #addText(step: number, timeNs: bigint, tag: string, texts: readonly string[]): void {
    const text = texts.join('\n').slice(0, MAX_TEXT_UNITS);
    this.#job.addEvent({ topic: TEXT_TOPIC, data: { tag, step, text } }, timeNs);
  }

  #describe({ values, status }: Hparams): void {
    if (values.size > 0) this.#job.describeUnlessTold({ config: JSON.stringify(Object.fromEntries(values)) });
    const state = STATES[status ?? 0];
    if (state !== undefined) this.#job.describeUnlessTold({ state });
  }
}

/** A float of 32 bits, with the digits that it has: 0.1 and not 0.10000000149011612. */
function shorten(value: number): number {
  if (Math.fround(value) !== value) return value;
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
