import type { DataFrame } from '@grafana/data';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import type { Statement } from '@joblens/core/influxql/nodes';
import { type NonFiniteRows, type NonFiniteStep, readNonFinite } from '@joblens/core/queries/nonfinite';
import { joinRefreshedRows } from '@joblens/core/queries/refreshed-rows';
import type { ReadableResult } from '@joblens/core/queries/result-rows';
import { joinRows, rowsQueries, type RowsRequest } from '@joblens/core/queries/rows';
import { readWholeTable } from '@joblens/core/queries/whole-table';
import type { KnownTable, WholeTable, WholeTableStep } from '@joblens/core/queries/whole-table-steps';
import { encodeFieldKey } from '@joblens/core/schema/field-name';
import type { TableStats } from '@joblens/core/table/table-stats';
import { combineLatest, map, type Observable, of, startWith, switchMap } from 'rxjs';
import type { NewestRows } from '../store/refresh-page.js';
import { createFoldedFrame } from './folded-frame.js';
import { createMetadataFrame, type TableFrame } from './metadata-frames.js';
import { createPieceColumns, type PieceColumns } from './piece-columns.js';
import { printAll, type RunContext } from './query-type.js';
import { createRecordColumns } from './record-columns.js';

/**
 * A table being read: what to ask next, and the reader of the answer; or its frame. Rows that never change, up to the
 * newest, are asked for as `newest`: a refresh then transfers only what is new.
 */
export type TableReading =
  | {
      readonly kind: 'ask';
      readonly statements: readonly Statement[];
      readonly read: (results: readonly ReadableResult[]) => TableReading;
      /** Each statement is sent alone, all at the same time. */
      readonly isParallel?: true;
      /** The part that is read, to be shown meanwhile. */
      readonly soFar?: DataFrame;
    }
  | {
      readonly kind: 'newest';
      readonly rows: readonly NewestRows[];
      readonly read: (results: readonly ReadableResult[]) => TableReading;
    }
  | { readonly kind: 'read'; readonly frame: DataFrame };

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
export function readRowsPage(table: TableOfQuery, page: RowsPage, context: TableContext): TableReading {
  const { order, limit, beforeNs, afterNs, toNs } = page;
  const fromNs = afterNs === undefined || afterNs < page.fromNs ? page.fromNs : afterNs + 1n;
  const request = { ...table, order, beforeNs, fromNs, toNs, limit: limit + 1 };
  if (order === 'desc' && beforeNs === undefined && afterNs === undefined) return readNewestRows(request, context);
  const statements = rowsQueries(request);
  const read = ([numbers, texts]: readonly ReadableResult[]): TableReading => {
    const found = joinRows(numbers, texts, table.keys, { order, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const records = order === 'desc' ? rows.reverse() : rows;
    const frame = { ...table, records, isLimited: found.length > limit, executedQuery: printAll(statements) };
    return { kind: 'read', frame: createMetadataFrame(frame) };
  };
  return { kind: 'ask', statements, read };
}

type NewestRequest = RowsRequest & TableOfQuery & { readonly limit: number };

/** Requests one row more than it shows, to learn whether older rows exist. */
function readNewestRows(request: NewestRequest, context: TableContext): TableReading {
  const { keys, limit, table } = request;
  const question = JSON.stringify(['rows', table.job, table.user, table.series, table.task, keys, limit]);
  const read = ([numbers, texts]: readonly ReadableResult[]): TableReading => {
    const before = context.tables.recall(question, context)?.rows;
    const joined = joinRefreshedRows([numbers, texts], keys, limit, before?.joined);
    const records = joined.records.slice(0, limit - 1).reverse();
    const columns = createRecordColumns(records, keys, before?.columns);
    const characters = records.length * keys.length * CHARACTERS_OF_A_CELL;
    context.tables.keep(question, context, { rows: { joined, columns }, characters });
    const isLimited = joined.records.length >= limit;
    const executedQuery = printAll(rowsQueries(request));
    return { kind: 'read', frame: createMetadataFrame({ ...request, records, columns, isLimited, executedQuery }) };
  };
  return { kind: 'newest', rows: listNewestRows(request), read };
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
export function readWhole(table: TableOfQuery, context: TableContext, maxPieces: number): TableReading {
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
  const showPart = (whole: WholeTable, asked: readonly Statement[]): DataFrame => {
    const frame = { ...table, keys: numeric, whole, executedQuery: printAll(asked) };
    return createFoldedFrame({ ...frame, isLoading: true });
  };
  const follow = (step: WholeTableStep, asked: readonly Statement[]): TableReading => {
    switch (step.kind) {
      case 'ask': {
        const read = (results: readonly ReadableResult[]): TableReading =>
          follow(step.read(results), [...asked, ...step.statements]);
        // What is on the screen is no less than a part.
        const soFar = kept === undefined && step.soFar !== undefined ? showPart(step.soFar, asked) : undefined;
        const { statements, isParallel } = step;
        return {
          ...{ kind: 'ask', statements, read },
          ...(isParallel === true && { isParallel }),
          ...(soFar !== undefined && { soFar }),
        };
      }
      case 'rows':
        keep(step.known);
        // The summary of a running job may lag behind its rows.
        return readRowsPage(table, { fromNs, toNs, order: 'desc', limit: 2 * maxPieces }, context);
      case 'pieces': {
        const columns = createPieceColumns(step.pieces, numeric.length, before?.columns);
        const xKeys = summary.stats === undefined ? numeric.slice(0, MAX_X_KEYS) : listXKeys(summary.stats);
        const marks = readNonFinite({ ...request, xKeys, known: before?.nonFinite });
        return followMarks(marks, asked, (found, executedQuery) => {
          keep(step.known, columns, found);
          const frame = { ...table, keys: numeric, whole: step, columns, nonFinite: found.rows, executedQuery };
          return createFoldedFrame(frame);
        });
      }
    }
  };
  const request = { table: summary, keys: numeric, fromNs, toNs, maxPieces, known: before?.known, isCounted };
  const quickPieces = kept === undefined ? QUICK_PIECES : Infinity;
  return follow(readWholeTable({ ...request, quickPieces }), []);
}

const MAX_X_KEYS = 8;

/** The keys that may be X of a long table, likely ones first. */
function listXKeys(stats: TableStats): readonly string[] {
  const x = inferXAxis(stats);
  return x === undefined ? [] : [x.key, ...x.runnersUp].slice(0, MAX_X_KEYS);
}

function followMarks(
  step: NonFiniteStep,
  asked: readonly Statement[],
  finish: (found: NonFiniteRows, executedQuery: string) => DataFrame
): TableReading {
  if (step.kind === 'read') return { kind: 'read', frame: finish(step, printAll(asked)) };
  const { statements, read } = step;
  return {
    kind: 'ask',
    statements,
    read: (results) => followMarks(read(results), [...asked, ...statements], finish),
  };
}

/**
 * The frames of all tables, in their order. What the tables ask at the same time is one request, one more for those
 * that ask for `newest` rows while others do not, and one for each statement of those that ask in parallel.
 */
export function readTogether(readings: readonly TableReading[], context: RunContext): Observable<DataFrame[]> {
  const frames = readings.flatMap((reading) => (reading.kind === 'read' ? [reading.frame] : []));
  if (frames.length === readings.length) return of(frames);
  const asked = listStatements(readings, 'ask');
  const parallel = listStatements(readings, 'parallel');
  const newest = readings.flatMap((reading) => (reading.kind === 'newest' ? reading.rows : []));
  return combineLatest([
    context.client.query(asked),
    parallel.length === 0 ? of([]) : combineLatest(parallel.map((statement) => context.client.query([statement]))),
    context.newestRows.read(newest, context, context.monotonicMs),
  ]).pipe(
    map(([askedResults, parallelResults, newestResults]) => {
      const rest = { ask: [...askedResults], parallel: parallelResults.flat(), newest: [...newestResults] };
      return readings.map((reading) => {
        if (reading.kind === 'read') return reading;
        const count = reading.kind === 'ask' ? reading.statements.length : reading.rows.length;
        return reading.read(rest[findWay(reading)].splice(0, count));
      });
    }),
    switchMap((next) => readTogether(next, context)),
    startWith(...listParts(readings))
  );
}

type Asking = Exclude<TableReading, { readonly kind: 'read' }>;

/** How a reading is sent. */
function findWay(reading: Asking): 'ask' | 'parallel' | 'newest' {
  return reading.kind === 'ask' && reading.isParallel === true ? 'parallel' : reading.kind;
}

function listStatements(readings: readonly TableReading[], way: 'ask' | 'parallel'): readonly Statement[] {
  return readings.flatMap((reading) => (reading.kind === 'ask' && findWay(reading) === way ? reading.statements : []));
}

/** The frames so far, if one of them is of a table that is read in part. */
function listParts(readings: readonly TableReading[]): readonly DataFrame[][] {
  if (!readings.some((reading) => reading.kind === 'ask' && reading.soFar !== undefined)) return [];
  const frames = readings.map((reading) => {
    if (reading.kind === 'read') return reading.frame;
    return reading.kind === 'ask' ? reading.soFar : undefined;
  });
  return [frames.filter((frame) => frame !== undefined)];
}
