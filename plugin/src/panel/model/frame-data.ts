import { FieldType, type DataFrame, type Field } from '@grafana/data';

/** The X axis that the data source found for a whole table, rows outside the answer included. */
export interface StoredX {
  readonly key: string;
  readonly reason: string;
  readonly runnersUp: readonly string[];
}

/** `meta.custom.joblens` of a frame of our data source, read from what may be anything. */
export interface JoblensMeta {
  readonly kind: string;
  readonly job: string | undefined;
  readonly user: string | undefined;
  readonly series: string | undefined;
  readonly task: string | undefined;
  /** `null`: the table has no number to draw against; `undefined`: nobody looked yet. */
  readonly x: StoredX | null | undefined;
  readonly shownRows: number | undefined;
  readonly totalRows: number | undefined;
  readonly tsNs: readonly string[] | undefined;
  readonly total: number | undefined;
  readonly limited: boolean;
}

interface Vector {
  toArray(): unknown[];
}

/** A field's values in Grafana 9.5 (a Vector) as in 10 and later (an array). */
export function readValues(field: Field): readonly unknown[] {
  const values: unknown = field.values;
  return Array.isArray(values) ? (values as readonly unknown[]) : (values as Vector).toArray();
}

export function readFieldByName(frame: DataFrame, name: string): readonly unknown[] | undefined {
  const field = frame.fields.find((candidate) => candidate.name === name);
  return field === undefined ? undefined : readValues(field);
}

export function findTimeField(frame: DataFrame): Field | undefined {
  return frame.fields.find((field) => field.type === FieldType.time);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A runner-up is its key, alone or with more about it. */
function readKey(value: unknown): string | undefined {
  return isRecord(value) ? readString(value['key']) : readString(value);
}

function readStoredX(value: unknown): StoredX | null | undefined {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const key = readString(value['key']);
  if (key === undefined) return undefined;
  const runnersUp: readonly unknown[] = Array.isArray(value['runnersUp']) ? value['runnersUp'] : [];
  return {
    key,
    reason: readString(value['reason']) ?? '',
    runnersUp: runnersUp.map(readKey).filter((name) => name !== undefined),
  };
}

function readStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** What our data source says of a frame; `undefined` for a frame of any other source. */
export function readJoblensMeta(frame: DataFrame): JoblensMeta | undefined {
  const meta: unknown = frame.meta?.custom?.['joblens'];
  if (!isRecord(meta)) return undefined;
  return {
    kind: readString(meta['kind']) ?? '',
    job: readString(meta['job']),
    user: readString(meta['user']),
    series: readString(meta['series']),
    task: readString(meta['task']),
    x: readStoredX(meta['x']),
    shownRows: readNumber(meta['shownRows']),
    totalRows: readNumber(meta['totalRows']),
    tsNs: readStrings(meta['tsNs']),
    total: readNumber(meta['total']),
    limited: meta['limited'] === true,
  };
}

/** `DataFrameType.LogLines`, which Grafana 9.5 does not export. */
const LOG_LINES = 'log-lines';

export function isLogFrame(frame: DataFrame): boolean {
  const { meta } = frame;
  return (
    readJoblensMeta(frame)?.kind === 'logs' ||
    (meta?.type as string | undefined) === LOG_LINES ||
    meta?.preferredVisualisationType === 'logs'
  );
}

/** Which of two instants is earlier: ms first, then the exact ns where both carry them. Sorts `a` first when negative. */
export function compareTimes(aMs: number, aNs: string | undefined, bMs: number, bNs: string | undefined): number {
  if (aMs !== bMs) return aMs - bMs;
  if (aNs === undefined || bNs === undefined || aNs === bNs) return 0;
  return aNs.length === bNs.length ? (aNs < bNs ? -1 : 1) : aNs.length - bNs.length;
}
