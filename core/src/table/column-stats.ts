import { isObject } from '../json/is-object.js';
/** The statistics of one column after some rows. */
export interface ColumnStats {
  /** Number of rows with the key. */
  count: number;
  /** Number of rows in which its value is a number. */
  numeric: number;
  /** Number of rows in which it is a finite number without a fraction, however it was printed. */
  integer: number;
  /**
   * Number of rows in which its text is not a string that was printed: null, a boolean, an array, … (MetadataRow).
   * Undefined if that is not known of some text.
   */
  json: number | undefined;
  /** Number of its integers beyond 2^53, which are texts as well as numbers: the nearest float counts. */
  inexact: number;
  /** Number of rows in which it is null: the key is there, and no value. */
  nulls: number;
  /** Whether its numbers never fall, and whether they never rise, in printed order. */
  rising: boolean;
  falling: boolean;
  /** How many different numbers came; counts to 2 and stays there. */
  distinct: 0 | 1 | 2;
  /** Smallest and largest number; undefined if there is none. */
  min: number | undefined;
  max: number | undefined;
  /** The sum of its numbers; undefined if some of them are not in it, or no float holds it. */
  sum: number | undefined;
  /** The first rows with the smallest and the largest number, counted from 1; undefined if that is not known. */
  minRow: number | undefined;
  maxRow: number | undefined;
  /** The numbers of the followed X in these rows; undefined if they are not known, or no numbers. */
  minX: number | undefined;
  maxX: number | undefined;
  /** The newest value, a long text cut. */
  last: number | string;
}

/** The statistics of a column as a value for JSON, without what most columns need not say. */
export function formatColumn(column: ColumnStats): Readonly<Record<string, unknown>> {
  return {
    count: column.count,
    numeric: column.numeric,
    integer: column.integer,
    // Only where there are texts: most columns have none.
    ...(countTexts(column) > 0 && { json: column.json }),
    ...(column.inexact > 0 && { inexact: column.inexact }),
    ...(column.nulls > 0 && { nulls: column.nulls }),
    rising: column.rising,
    // What most columns are is left out: one number never rises.
    ...(column.falling && column.distinct === 2 && { falling: true }),
    distinct: column.distinct,
    min: column.min,
    max: column.max,
    // Without numbers, the sum is 0.
    ...(column.numeric > 0 && { sum: column.sum }),
    minRow: column.minRow,
    maxRow: column.maxRow,
    minX: column.minX,
    maxX: column.maxX,
    last: column.last,
  };
}

/** What formatColumn made, also that of an older Joblens; undefined for anything else. */
export function readColumn(value: unknown): ColumnStats | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { count, numeric, integer, rising, distinct, min, max, last } = value;
  if (!isCount(count) || !isCount(numeric) || !isCount(integer) || typeof rising !== 'boolean') {
    return undefined;
  }
  if (!(distinct === 0 || distinct === 1 || distinct === 2) || !isOptionalNumber(min) || !isOptionalNumber(max)) {
    return undefined;
  }
  if (typeof last !== 'number' && typeof last !== 'string') {
    return undefined;
  }
  const newer = readNewer(value, distinct);
  const json = countTexts({ count, numeric, inexact: newer.inexact }) === 0 ? 0 : readJsonCount(value);
  return { count, numeric, integer, json, ...newer, rising, distinct, min, max, ...readSums(value, numeric), last };
}

/** What is left out where it says nothing, as by an older Joblens, which counted none of it. */
function readNewer(
  { inexact, nulls, falling }: Record<string, unknown>,
  distinct: number
): Pick<ColumnStats, 'inexact' | 'nulls' | 'falling'> {
  return {
    inexact: isCount(inexact) ? inexact : 0,
    nulls: isCount(nulls) ? nulls : 0,
    falling: falling === true || distinct < 2,
  };
}

/** An older Joblens wrote none of it; where there are no numbers, their sum is known. */
function readSums(
  { sum, minRow, maxRow, minX, maxX }: Record<string, unknown>,
  numeric: number
): Pick<ColumnStats, 'sum' | 'minRow' | 'maxRow' | 'minX' | 'maxX'> {
  const number = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined);
  return {
    sum: numeric === 0 ? 0 : number(sum),
    ...{ minRow: number(minRow), maxRow: number(maxRow), minX: number(minX), maxX: number(maxX) },
  };
}

/** Texts from before they were counted have no number of them. */
function readJsonCount({ json }: Record<string, unknown>): number | undefined {
  return isCount(json) ? json : undefined;
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isOptionalNumber(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}

/** How many of its values are stored as texts. */
export function countTexts({ count, numeric, inexact }: Pick<ColumnStats, 'count' | 'numeric' | 'inexact'>): number {
  return count - numeric + inexact;
}
