import type { SelectStatement } from '../../influxql/nodes.js';
import { compareOldestFirst } from '../../rows/newest-first.js';
import type { MetadataRecord } from '../../rows/join-rows.js';
import { listHalves } from './found-rows.js';
import type { Reading } from '../reading/reading.js';
import { joinRows, readHalf, rowsQueries } from './rows.js';
import type { TableIdentity, TableSummary } from './tables.js';

export interface RowsAtRequest {
  readonly table: TableIdentity & Pick<TableSummary, 'keys' | 'form'>;
  /** The keys to read. */
  readonly keys: readonly string[];
  /** In any order, each once. */
  readonly timesNs: readonly bigint[];
}

/** Rows that lie this much closer than others are read as one piece of the table. */
const DENSITY = 4;
/** Columns that one request of rows by their instants names at most: a statement for each row and half. */
const MAX_COLUMNS = 10_000;
const MAX_STATEMENTS = 128;

/**
 * The rows of these instants. InfluxQL cannot ask for several instants at once. So the piece of the table around them
 * is read first, as far as it is hardly longer than they are; the others take a statement each. Oldest first.
 */
export function* readRowsAt(request: RowsAtRequest): Reading<readonly MetadataRecord[]> {
  const timesNs = request.timesNs.toSorted((a, b) => (a < b ? 1 : -1));
  const [toNs, fromNs] = [timesNs[0], timesNs.at(-1)];
  if (fromNs === undefined || toNs === undefined) return [];
  const limit = DENSITY * timesNs.length + 1;
  const results = yield listStatements(request, { fromNs, toNs, limit });
  const edges = results.map((result) => {
    const points = readHalf(result);
    return points.length < limit ? fromNs : (points.at(-1)?.timeNs ?? fromNs);
  });
  // Newest first: each half is whole down to its edge.
  const edgeNs = edges.reduce((a, b) => (a > b ? a : b), fromNs);
  const wanted = new Set(timesNs.filter((timeNs) => timeNs >= edgeNs));
  const found = joinRows(results[0], results[1], request.keys).filter(({ timeNs }) => wanted.has(timeNs));
  const others = yield* readInstants(request, timesNs.slice(wanted.size));
  return [...found, ...others].sort(compareOldestFirst);
}

/** The halves of the rows: the second one only where there may be texts. */
function listStatements(
  { table, keys }: RowsAtRequest,
  range: { readonly fromNs: bigint; readonly toNs: bigint; readonly limit?: number }
): readonly SelectStatement[] {
  const [numbers, texts] = rowsQueries({ table, keys, order: 'desc', ...range });
  return keys.some((key) => listHalves(table, key).includes('texts')) ? [numbers, texts] : [numbers];
}

function* readInstants(request: RowsAtRequest, timesNs: readonly bigint[]): Reading<readonly MetadataRecord[]> {
  const count = Math.max(1, Math.min(MAX_STATEMENTS, Math.floor(MAX_COLUMNS / Math.max(1, request.keys.length))));
  const found: MetadataRecord[] = [];
  for (let at = 0; at < timesNs.length; at += count) {
    const some = timesNs.slice(at, at + count);
    const asked = some.map((timeNs) => listStatements(request, { fromNs: timeNs, toNs: timeNs }));
    const rest = [...(yield asked.flat())];
    for (const halves of asked) {
      const [numbers, texts] = rest.splice(0, halves.length);
      found.push(...joinRows(numbers, texts, request.keys));
    }
  }
  return found;
}
