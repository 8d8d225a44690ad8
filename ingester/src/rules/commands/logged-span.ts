import type { JsonValue } from '@joblens/core/schema/job-point';
import { readPrintedTime, TIME_FORMS } from './printed-time.js';

/** A span as a command tells it: whole, or one half. A half is one that has only a start or only a finish. */
export interface LoggedSpan {
  readonly id: string;
  readonly name?: string;
  readonly category: string;
  readonly worker: string;
  readonly startNs?: bigint;
  readonly finishNs?: bigint;
  readonly data?: JsonValue;
  /** The data as JSON with each number as it was printed. */
  readonly json?: string;
}

const NAMES = ['id', 'name', 'category', 'worker'] as const;
const KEYS: ReadonlySet<string> = new Set([...NAMES, 'start', 'finish', 'duration_s', 'data']);
const FORM =
  'it must be {"id": …, "name": …, "category": …, "worker": …, "start": …, "finish" or "duration_s": …, "data": …}';
/** Category and worker are tags of the store; an id is compared with others. */
const MAX_NAME_CHARS: Readonly<Record<(typeof NAMES)[number], number>> = {
  id: 200,
  name: 1000,
  category: 200,
  worker: 200,
};
const NS_PER_S = 1e9;
/** About 30 years. */
const MAX_DURATION_S = 1e9;

/** Why a value is no span; undefined where it is one. Quotes nothing. The length of its data is not looked at. */
export function findSpanFault(value: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(value).some((key) => !KEYS.has(key))) return FORM;
  return findNameFault(value) ?? findTimeFault(value);
}

function findNameFault(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of NAMES) {
    const chars = readName(value[key])?.length;
    if (value[key] !== undefined && (chars === undefined || chars > MAX_NAME_CHARS[key])) {
      return `its ${key} must be a number or a text of at most ${MAX_NAME_CHARS[key]} characters`;
    }
  }
  return (readName(value['id']) ?? '') === '' ? 'it must have an id, which is a text or a number' : undefined;
}

function findTimeFault(value: Readonly<Record<string, unknown>>): string | undefined {
  const { start, finish, duration_s: durationS } = value;
  if (start === undefined && finish === undefined) return 'it must have a start or a finish';
  if (durationS !== undefined && (start === undefined || finish !== undefined)) {
    return 'its duration_s goes with a start and without a finish';
  }
  for (const key of ['start', 'finish'] as const) {
    const isFault = value[key] !== undefined && readPrintedTime(value[key]) === undefined;
    if (isFault) return `its ${key} must be ${TIME_FORMS}`;
  }
  if (durationS !== undefined && !isDuration(durationS)) return 'its duration_s must be a number of seconds, 0 or more';
  const { startNs = 0n, finishNs = startNs } = readTimes(value);
  return finishNs < startNs ? 'it finishes before it starts' : undefined;
}

/** Reads a value in which findSpanFault found no fault. An empty category or worker is as none. */
export function readSpan(value: Readonly<Record<string, unknown>>, json: string | undefined): LoggedSpan {
  const name = readName(value['name']);
  return {
    id: readName(value['id']) ?? '',
    ...(name !== undefined && { name }),
    category: readName(value['category']) ?? '',
    worker: readName(value['worker']) ?? '',
    ...readTimes(value),
    ...(value['data'] !== undefined && { data: value['data'] as JsonValue }),
    ...(json !== undefined && { json }),
  };
}

function readTimes(value: Readonly<Record<string, unknown>>): Pick<LoggedSpan, 'startNs' | 'finishNs'> {
  const startNs = readPrintedTime(value['start']);
  const durationS = value['duration_s'];
  const finishNs =
    startNs !== undefined && isDuration(durationS)
      ? startNs + BigInt(Math.round(durationS * NS_PER_S))
      : readPrintedTime(value['finish']);
  return { ...(startNs !== undefined && { startNs }), ...(finishNs !== undefined && { finishNs }) };
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_DURATION_S;
}

function readName(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}
