import { isDescending, type Timed } from './newest-first.js';

/** One metadata row, with its keys in the table's order. A key that the row lacks is null. */
export interface MetadataRecord extends Timed {
  readonly values: ReadonlyMap<string, number | string | null>;
  /** The nearest floats of the integers beyond 2^53 among them, which are texts; undefined if there are none. */
  readonly floats?: ReadonlyMap<string, number>;
}

/** The number that a row has for a key, also the nearest float of an integer beyond 2^53. */
export function readNumber({ values, floats }: MetadataRecord, key: string): number | undefined {
  const value = values.get(key);
  return typeof value === 'number' ? value : floats?.get(key);
}

/** The part of a row that one measurement holds. */
export interface PartialRecord extends Timed {
  readonly values: ReadonlyMap<string, number | string>;
}

export interface JoinOptions {
  readonly keys: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly limit?: number | undefined;
}

/**
 * Joins the numeric and the textual half of rows at the same time. Both are sorted by time, in the same direction. A
 * row may be in only one of them. Each half holds its own first `limit` rows, so the first `limit` joined rows are
 * whole; no more are given.
 */
export function joinPartialRecords(
  numeric: readonly PartialRecord[],
  text: readonly PartialRecord[],
  options: JoinOptions
): MetadataRecord[] {
  const left = orient(numeric, options.order);
  const right = orient(text, options.order);
  const limit = options.limit ?? left.length + right.length;
  const joined: MetadataRecord[] = [];
  let atLeft = 0;
  let atRight = 0;
  while (joined.length < limit) {
    const a = left[atLeft];
    const b = right[atRight];
    const next = pickEarlier(a, b, options.order);
    if (next === undefined) break;
    const isLeft = a?.timeNs === next.timeNs;
    const isRight = b?.timeNs === next.timeNs;
    joined.push(createRecord(next.timeNs, isLeft ? a : undefined, isRight ? b : undefined, options.keys));
    if (isLeft) atLeft++;
    if (isRight) atRight++;
  }
  return joined;
}

function orient<T extends Timed>(records: readonly T[], order: 'asc' | 'desc'): readonly T[] {
  const isReversed = isDescending(records);
  return isReversed === (order === 'desc') ? records : records.toReversed();
}

function pickEarlier(a: Timed | undefined, b: Timed | undefined, order: 'asc' | 'desc'): Timed | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.timeNs < b.timeNs === (order === 'asc') ? a : b;
}

function createRecord(
  timeNs: bigint,
  numeric: PartialRecord | undefined,
  text: PartialRecord | undefined,
  keys: readonly string[]
): MetadataRecord {
  const values = new Map<string, number | string | null>();
  let floats: Map<string, number> | undefined;
  for (const key of keys) {
    const [number, exact] = [numeric?.values.get(key), text?.values.get(key)];
    values.set(key, exact ?? number ?? null);
    if (exact !== undefined && typeof number === 'number') (floats ??= new Map()).set(key, number);
  }
  return floats === undefined ? { timeNs, values } : { timeNs, values, floats };
}
