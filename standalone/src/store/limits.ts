import { StatementError } from './statement-error.js';

// What one query may cost. InfluxDB has these bounds too, but off: a store within another program cannot do without.

/** InfluxDB's max-select-buckets, for each column. */
export const MAX_BUCKETS = 1_000_000;
/** Cells that one statement may fill in, over all groups and columns. */
export const MAX_FILLED_CELLS = 10_000_000;
/** Cells that one group's buckets may have before they are filled: as many are held in memory. */
export const MAX_GROUP_CELLS = 4_000_000;
/** InfluxDB's max-select-point, for points that are answered as they are. */
export const MAX_POINTS = 10_000_000;
export const QUERY_TIMEOUT_MS = 60_000;
/** A query of a page has kilobytes; its parsed form takes a hundred times its length. */
export const MAX_QUERY_CHARS = 1_000_000;
/** The same as a form, where a character may take three bytes. */
export const MAX_QUERY_BODY_BYTES = 3 * MAX_QUERY_CHARS + 10_000;
/** Rows are handed on in batches of about so many cells, so that other requests get their turn between. */
const BATCH_CELLS = 10_000;

export function countBatchRows(columns: number): number {
  return Math.max(1, Math.floor(BATCH_CELLS / Math.max(1, columns)));
}

export function bucketsError(count: number | bigint, max: number): StatementError {
  return new StatementError(`max-select-buckets limit exceeded: (${count}/${max})`);
}

/** With InfluxDB's own spelling. */
export function pointsError(count: number, max: number): StatementError {
  return new StatementError(`max-select-point limit exceeed: (${count}/${max})`);
}
