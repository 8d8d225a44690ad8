import type { DataFrame } from '@grafana/data';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import type { Statement } from '@joblens/core/influxql/nodes';
import { type NonFiniteRows, readNonFinite } from '@joblens/core/ask/tables/nonfinite';
import { type Reading, relay, type Yielded } from '@joblens/core/ask/reading/reading';
import { joinRefreshedRows } from '@joblens/core/ask/tables/refreshed-rows';
import { joinRows, rowsQueries, type RowsRequest } from '@joblens/core/ask/tables/rows';
import { readWholeTable } from '@joblens/core/ask/whole-table/whole-table';
import type { KnownTable, WholeTable } from '@joblens/core/ask/whole-table/table-questions';
import { encodeFieldKey } from '@joblens/core/schema/field-name';
import type { TableStats } from '@joblens/core/table/table-stats';
import type { NewestRows } from '../../store/refresh-page.js';
import { createFoldedFrame, type FoldedTable } from './folded-frame.js';
import { createMetadataFrame, type TableFrame } from './metadata-frames.js';
import { createPieceColumns, type PieceColumns } from '../memory/piece-columns.js';
import { printAll, type RunContext } from '../parts/query-type.js';
import { createRecordColumns } from '../memory/record-columns.js';
import { listStatements, type StoreAsk } from '../parts/run-reading.js';

/** A table being read; its frame may come in parts. */
export type TableReading = Reading<DataFrame, DataFrame, StoreAsk>;

/** A table, and the keys of it to show; the statements are noted as they are sent. */
export type TableOfQuery = Omit<TableFrame, 'executedQuery'>;

interface Range {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface RowsPage extends Range {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Exclusive. */
  readonly beforeNs?: bigint | undefined;
  /** Exclusive. */
  readonly afterNs?: bigint | undefined;
}

/** Where a table is read, and what was read of it before. */
type TableContext = Pick<RunContext, 'fromNs' | 'toNs' | 'monotonicMs' | 'tables'>;

/** Rows of a table one by one: the first ones of a page in its order. */
export function* readRowsPage(table: TableOfQuery, page: RowsPage, context: TableContext): TableReading {
  const { order, limit, beforeNs, afterNs, toNs } = page;
  const fromNs = afterNs === undefined || afterNs < page.fromNs ? page.fromNs : afterNs + 1n;
  const request = { ...table, order, beforeNs, fromNs, toNs, limit: limit + 1 };
  if (order === 'desc' && beforeNs === undefined && afterNs === undefined) {
    return yield* readNewestRows(request, context);
  }
  const statements = rowsQueries(request);
  const [numbers, texts] = yield statements;
  const found = joinRows(numbers, texts, table.keys, { order, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const records = order === 'desc' ? rows.reverse() : rows;
  const isLimited = found.length > limit;
  return createMetadataFrame({ ...table, records, isLimited, executedQuery: printAll(statements) });
}

type NewestRequest = RowsRequest & TableOfQuery & { readonly limit: number };

/** Requests one row more than it shows, to learn whether older rows exist. */
function* readNewestRows(request: NewestRequest, context: TableContext): TableReading {
  const { keys, limit, table } = request;
  const question = JSON.stringify(['rows', table.job, table.user, table.series, table.task, keys, limit]);
  const halves = yield listNewestRows(request);
  const before = context.tables.recall(question, context)?.rows;
  const joined = joinRefreshedRows([halves[0], halves[1]], keys, limit, before?.joined);
  const records = joined.records.slice(0, limit - 1).reverse();
  const columns = createRecordColumns(records, keys, before?.columns);
  const characters = records.length * keys.length * CHARACTERS_OF_A_CELL;
  context.tables.keep(question, context, { rows: { joined, columns }, characters });
  const isLimited = joined.records.length >= limit;
  const executedQuery = printAll(rowsQueries(request));
  return createMetadataFrame({ ...request, records, columns, isLimited, executedQuery });
}

/** About the memory of a value in all its forms, as characters of two bytes. */
const CHARACTERS_OF_A_CELL = 16;

/** The halves of rowsQueries. */
function listNewestRows(request: NewestRequest): readonly NewestRows[] {
  const counted = request.keys.map(encodeFieldKey);
  return ([0, 1] as const).map((half) => ({
    select: (range) => rowsQueries({ ...request, ...range })[half],
    limit: request.limit,
    counted,
  }));
}

/** After this time a table is read in full again, whatever is known. */
const FULL_EVERY_MS = 600_000;
/** After this time the next refresh counts what is known, and so finds rows that came late. */
const COUNT_EVERY_MS = 60_000;
/** More take a second or so: a coarser picture comes first. */
const QUICK_PIECES = 16_000;

/** A whole table, from at most about `maxPieces` points: its rows if they are few, else folded. */
export function* readWhole(table: TableOfQuery, context: TableContext, maxPieces: number): TableReading {
  const { keys, table: summary } = table;
  const { fromNs, toNs, monotonicMs } = context;
  const numeric = keys.filter((key) => summary.stats?.columns.get(key)?.numeric !== 0);
  const question = JSON.stringify(['whole', summary.job, summary.user, summary.series, summary.task, numeric]);
  const kept = context.tables.recall(question, context)?.whole;
  const before = kept !== undefined && monotonicMs - kept.fullAtMs < FULL_EVERY_MS ? kept : undefined;
  const isCounted = before !== undefined && monotonicMs - before.countedAtMs >= COUNT_EVERY_MS;
  const keep = (known: KnownTable, columns?: PieceColumns, nonFinite?: NonFiniteRows): void => {
    const characters = (columns?.tsNs.length ?? 0) * numeric.length * CHARACTERS_OF_A_CELL;
    const { fullAtMs = monotonicMs, countedAtMs = monotonicMs } = before ?? {};
    const whole = { known, columns, nonFinite, fullAtMs, countedAtMs: isCounted ? monotonicMs : countedAtMs };
    context.tables.keep(question, context, { whole, characters });
  };
  const asked: Statement[] = [];
  const createFrame = (whole: WholeTable, rest: Partial<FoldedTable>): DataFrame =>
    createFoldedFrame({ ...table, keys: numeric, whole, executedQuery: printAll(asked), ...rest });
  const pass = (yielded: Yielded<WholeTable>): Yielded<DataFrame> | undefined => {
    if ('soFar' in yielded) {
      // What is on the screen is no less than a part.
      return kept === undefined ? { soFar: createFrame(yielded.soFar, { isLoading: true }) } : undefined;
    }
    asked.push(...listStatements(yielded));
    return yielded;
  };
  const request = { table: summary, keys: numeric, fromNs, toNs, maxPieces, known: before?.known, isCounted };
  const quickPieces = kept === undefined ? QUICK_PIECES : Infinity;
  const whole = yield* relay(readWholeTable({ ...request, quickPieces }), pass);
  if (whole.kind === 'rows') {
    keep(whole.known);
    // The summary of a running job may lag behind its rows.
    return yield* readRowsPage(table, { fromNs, toNs, order: 'desc', limit: 2 * maxPieces }, context);
  }
  const columns = createPieceColumns(whole.pieces, numeric.length, before?.columns);
  const xKeys = summary.stats === undefined ? numeric.slice(0, MAX_X_KEYS) : listXKeys(summary.stats);
  const nonFinite = yield* relay(readNonFinite({ ...request, xKeys, known: before?.nonFinite }), pass);
  keep(whole.known, columns, nonFinite);
  return createFrame(whole, { columns, nonFinite: nonFinite.rows });
}

const MAX_X_KEYS = 8;

/** The keys that may be X of a long table, likely ones first. */
function listXKeys(stats: TableStats): readonly string[] {
  const x = inferXAxis(stats);
  return x === undefined ? [] : [x.key, ...x.runnersUp].slice(0, MAX_X_KEYS);
}
