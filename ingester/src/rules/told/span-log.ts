import { formatPrintedJson, type PrintedValue, readPrintedJson } from '@joblens/core/json/printed-json';
import { NS_PER_MS_FLOAT } from '@joblens/core/numbers/time-units';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createSpanPoint, type Span } from '@joblens/core/schema/span-point';
import { SpanTimes } from '@joblens/core/schema/span-times';
import type { LoggedSpan } from '../commands/logged-span.js';
import type { PointWriter } from '../writing/point-writer.js';
import type { Rewrites } from '../writing/rewrites.js';
import { mergeSpanLevelsState, SpanLevels, type SpanLevelsState } from './span-levels.js';

/** Half a span that waits for the other half, as JSON. */
interface SpanHalf extends Omit<SpanNames, 'data'> {
  readonly part: 'start' | 'finish';
  readonly timeNs: string;
  /** The time of its point, once it is written as what it is. */
  readonly pointNs?: string;
}

type SpanNames = Omit<LoggedSpan, 'startNs' | 'finishNs'>;

interface WholeTimes {
  readonly startNs: bigint;
  readonly finishNs: bigint;
  /** The time of the point of its start, if that is in the store. */
  readonly pointNs: string | undefined;
}

type Entries = ReadonlyArray<readonly [key: string, half: SpanHalf | null]>;

/** The state with which a SpanLog continues after a restart; null in a change: the half is gone. */
export interface SpanLogState {
  readonly halves: Entries;
  /** Category and worker of each lane. */
  readonly lanes: ReadonlyArray<readonly [category: string, worker: string]>;
  readonly levels: SpanLevelsState;
}

export interface SpanLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly rewrites: Rewrites;
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  /** Called once, when halves have to be forgotten. */
  readonly onFull: (message: string) => void;
  readonly state?: SpanLogState | undefined;
}

/** The most halves that wait, and the most that is kept of them: beyond, the oldest stay as they are stored. */
const MAX_HALVES = 10_000;
const MAX_HALVES_CHARS = 4 * 2 ** 20;
/** Each lane of a job is a series of the store. */
const MAX_LANES = 4096;

/** The state after a later change. */
export function mergeSpanLogState(older: SpanLogState, change: SpanLogState): SpanLogState {
  const halves = new Map(older.halves);
  for (const [key, half] of change.halves) {
    halves.delete(key);
    if (half !== null) halves.set(key, half);
  }
  const levels = mergeSpanLevelsState(older.levels, change.levels);
  return { halves: [...halves], lanes: [...older.lanes, ...change.lanes], levels };
}

/** Writes the spans of one job. A start and a finish that come by themselves are paired by category and id. */
export class SpanLog {
  readonly #options: SpanLogOptions;
  /** The oldest first. */
  readonly #halves: Map<string, SpanHalf>;
  #halvesChars = 0;
  readonly #changed = new Set<string>();
  /** Each lane as JSON; those from #savedLanes on are not in the state yet. */
  readonly #lanes: Set<string>;
  #savedLanes: number;
  #unwrittenStarts = 0;
  readonly #times = new SpanTimes();
  readonly #levels: SpanLevels;
  #isFull = false;

  constructor(options: SpanLogOptions) {
    const { halves = [], lanes = [], levels } = options.state ?? {};
    this.#options = options;
    this.#levels = new SpanLevels({ ...options, state: levels });
    this.#halves = new Map();
    for (const [key, half] of halves) if (half !== null) this.#keep(key, half);
    this.#lanes = new Set(lanes.map((lane) => JSON.stringify(lane)));
    this.#savedLanes = this.#lanes.size;
    this.#changed.clear();
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#levels.isDirty || (this.#unwrittenStarts > 0 && this.#options.rewrites() !== false);
  }

  /** `change`: what has changed since the last call. Undefined while the job has no spans. */
  takeState(kind: 'whole' | 'change'): SpanLogState | undefined {
    const halves =
      kind === 'whole'
        ? [...this.#halves]
        : [...this.#changed].map((key) => [key, this.#halves.get(key) ?? null] as const);
    const firstLane = kind === 'whole' ? 0 : this.#savedLanes;
    const lanes = firstLane < this.#lanes.size ? [...this.#lanes].slice(firstLane) : [];
    this.#changed.clear();
    this.#savedLanes = this.#lanes.size;
    if (this.#lanes.size === 0) return undefined;
    const levels = this.#levels.takeState(kind);
    return { halves, lanes: lanes.map((lane) => JSON.parse(lane) as [string, string]), levels };
  }

  /** Why a valid span cannot be written, if so. */
  findRefusal(span: LoggedSpan | undefined): string | undefined {
    if (span === undefined) return undefined;
    if (!this.#lanes.has(formatLane(span)) && this.#lanes.size >= MAX_LANES) {
      return `the job has spans of ${MAX_LANES} categories and workers; there may not be more`;
    }
    const half = this.#findOther(span);
    if (half === undefined) return undefined;
    const { startNs = BigInt(half.timeNs), finishNs = BigInt(half.timeNs) } = span;
    return finishNs < startNs ? 'the span finishes before it starts' : undefined;
  }

  add(span: LoggedSpan): void {
    this.#lanes.add(formatLane(span));
    const other = this.#findOther(span);
    const { startNs, finishNs } = span;
    if (startNs !== undefined && finishNs !== undefined) {
      this.#writeWhole(span, { startNs, finishNs, pointNs: this.#forgetStart(span, startNs) });
    } else if (other !== undefined) this.#pair(span, other);
    else this.#wait(span);
  }

  /** Writes what is due; if `isFinal`, all halves as what they are, since nothing more comes. */
  writeDue(isFinal: boolean): void {
    this.#levels.writeDue(isFinal);
    if (!(isFinal || (this.#unwrittenStarts > 0 && this.#options.rewrites() === true))) return;
    for (const [key, half] of this.#halves) {
      if (isFinal || half.part === 'start') this.#keep(key, this.#writeHalf(half));
    }
  }

  /** The half that a half is paired with. */
  #findOther({ category, id, startNs, finishNs }: LoggedSpan): SpanHalf | undefined {
    if (startNs !== undefined && finishNs !== undefined) return undefined;
    const half = this.#halves.get(formatKey({ category, id }));
    return half?.part === (startNs === undefined ? 'start' : 'finish') ? half : undefined;
  }

  /** Forgets the start that a whole span repeats, and returns the time of its point. */
  #forgetStart(span: LoggedSpan, startNs: bigint): string | undefined {
    const half = this.#halves.get(formatKey(span));
    if (half?.part !== 'start' || half.timeNs !== String(startNs) || half.worker !== span.worker) return undefined;
    this.#forget(formatKey(span));
    return half.pointNs;
  }

  /** The lane, and what else both tell, is that of the start, whose point may be in the store. */
  #pair(span: LoggedSpan, half: SpanHalf): void {
    this.#forget(formatKey(span));
    const { startNs = BigInt(half.timeNs), finishNs = BigInt(half.timeNs) } = span;
    const printed = toPrinted(span);
    const [first, second] = half.part === 'start' ? [half, printed] : [printed, half];
    const json = mergeData(first.json, second.json);
    const pointNs = half.part === 'start' ? half.pointNs : undefined;
    const { worker } = first.worker === '' && pointNs === undefined ? second : first;
    const whole = { ...second, ...first, worker, ...(json !== undefined && { json }) };
    this.#writeWhole(whole, { startNs, finishNs, pointNs });
  }

  #wait(span: LoggedSpan): void {
    const key = formatKey(span);
    const { startNs, finishNs, ...rest } = span;
    const older = this.#halves.get(key);
    // The other half of an older one of the same name does not come any more.
    if (older !== undefined) this.#writeHalf(older);
    this.#forget(key);
    const part = startNs === undefined ? 'finish' : 'start';
    const half: SpanHalf = { ...toPrinted(rest), part, timeNs: String(startNs ?? finishNs) };
    const isShown = part === 'start' && this.#options.rewrites() === true;
    this.#keep(key, isShown ? this.#writeHalf(half) : half);
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [key, half] of this.#halves) {
      if (this.#halves.size <= MAX_HALVES && this.#halvesChars <= MAX_HALVES_CHARS) return;
      if (!this.#isFull) {
        this.#options.onFull(
          'too many spans wait for their start or their finish: the oldest of them are not paired any more'
        );
      }
      this.#isFull = true;
      this.#writeHalf(half);
      this.#forget(key);
    }
  }

  #keep(key: string, half: SpanHalf): void {
    const known = this.#halves.get(key);
    this.#halvesChars += countChars(half) - (known === undefined ? 0 : countChars(known));
    this.#unwrittenStarts += countUnwritten(half) - (known === undefined ? 0 : countUnwritten(known));
    this.#halves.set(key, half);
    this.#changed.add(key);
  }

  #forget(key: string): void {
    const half = this.#halves.get(key);
    if (half === undefined) return;
    this.#halvesChars -= countChars(half);
    this.#unwrittenStarts -= countUnwritten(half);
    this.#halves.delete(key);
    this.#changed.add(key);
  }

  /** Writes a half as what it is, unless that is done. */
  #writeHalf(half: SpanHalf): SpanHalf {
    if (half.pointNs !== undefined) return half;
    const { part, timeNs, ...span } = half;
    return { ...half, pointNs: this.#write(span, { startNs: BigInt(timeNs), part }, undefined) };
  }

  #writeWhole(span: SpanNames, { startNs, finishNs, pointNs }: WholeTimes): void {
    const durationMs = Number(finishNs - startNs) / NS_PER_MS_FLOAT;
    const { category, worker } = this.#findLane(span);
    this.#write(span, { startNs, part: 'whole', durationMs }, pointNs);
    this.#levels.add(category, worker, Number(startNs) / NS_PER_MS_FLOAT, durationMs);
  }

  /** Returns the time of the point. */
  #write(
    { id, name = id, data, json, ...lane }: SpanNames,
    times: Pick<Span, 'startNs' | 'durationMs' | 'part'>,
    pointNs: string | undefined
  ): string {
    const { source, points } = this.#options;
    const span = { job: source.job, user: source.user, id, name, data, json, ...this.#findLane(lane), ...times };
    const timeNs = pointNs === undefined ? this.#times.claim(span) : BigInt(pointNs);
    points.addPoint(createSpanPoint(span, timeNs));
    return String(timeNs);
  }

  /** Tasks of a job are workers, unless they tell others. */
  #findLane({ category, worker }: Pick<LoggedSpan, 'category' | 'worker'>): Pick<LoggedSpan, 'category' | 'worker'> {
    return { category, worker: worker === '' ? (this.#options.source.task ?? '') : worker };
  }
}

function countUnwritten({ part, pointNs }: SpanHalf): number {
  return part === 'start' && pointNs === undefined ? 1 : 0;
}

function formatKey({ category, id }: Pick<LoggedSpan, 'category' | 'id'>): string {
  return JSON.stringify([category, id]);
}

function formatLane({ category, worker }: Pick<LoggedSpan, 'category' | 'worker'>): string {
  return JSON.stringify([category, worker]);
}

function countChars({ id, name = '', category, worker, json = '' }: SpanHalf): number {
  return id.length + name.length + category.length + worker.length + json.length;
}

function toPrinted({ data, json, ...span }: LoggedSpan): Omit<LoggedSpan, 'data'> {
  const text = json ?? (data === undefined ? undefined : JSON.stringify(data));
  return { ...span, ...(text !== undefined && { json: text }) };
}

/** The data of both halves: members of both if both are objects, else that of the finish. */
function mergeData(start: string | undefined, finish: string | undefined): string | undefined {
  if (start === undefined || finish === undefined) return finish ?? start;
  const [isStart, isFinish] = [start.startsWith('{'), finish.startsWith('{')];
  if (!isStart || !isFinish) return finish;
  return formatPrintedJson(new Map([...readMembers(start), ...readMembers(finish)]));
}

function readMembers(json: string): ReadonlyMap<string, PrintedValue> {
  return readPrintedJson(json) as ReadonlyMap<string, PrintedValue>;
}
