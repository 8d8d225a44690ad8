import { StatementError } from './statement-error.js';

// The limits of one query. InfluxDB has them too, but turned off. A store inside another program needs them.

/** InfluxDB's max-select-buckets, per column. */
export const MAX_BUCKETS = 1_000_000;
/** Cells that one statement may fill, over all groups and columns. */
export const MAX_FILLED_CELLS = 10_000_000;
/** Cells that the buckets of one group may have before filling: they are all held in memory. */
export const MAX_GROUP_CELLS = 4_000_000;
/** InfluxDB's max-select-point, for points that are not aggregated. */
export const MAX_POINTS = 10_000_000;
/** Cells that the subqueries of one statement may answer with: they are all held in memory. */
export const MAX_SUBQUERY_CELLS = 4_000_000;
export const QUERY_TIMEOUT_MS = 60_000;
/** A query of a page has kilobytes. Parsed, a query takes a hundred times its length in memory. */
export const MAX_QUERY_CHARS = 1_000_000;
/** The same for a form, in which a character may take three bytes. */
export const MAX_QUERY_BODY_BYTES = 3 * MAX_QUERY_CHARS + 10_000;
/** Number of cells in a batch of rows, more or less. Other requests get their turn between batches. */
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
