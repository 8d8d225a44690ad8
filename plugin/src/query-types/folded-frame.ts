import { type DataFrame, FieldType } from '@grafana/data';
import {
  createTableStats,
  foldRow,
  inferXAxis,
  type NonFiniteRow,
  type TableStats,
  type WholeTable,
} from '@joblens/core';
import type { NonFinitePoint } from '../frames/frame-meta.js';
import { createFrame, type TableFrame } from './metadata-frames.js';
import { createPieceColumns, type PieceColumns } from './piece-columns.js';

interface FoldedTable extends TableFrame {
  /** Those of the pieces, in their order. */
  readonly keys: readonly string[];
  readonly whole: Omit<WholeTable, 'known'>;
  /** Those of its pieces. Default: made from the pieces. */
  readonly columns?: PieceColumns;
  readonly nonFinite?: readonly NonFiniteRow[];
  /** More of the table is being read. */
  readonly isLoading?: boolean;
}

/**
 * The frame of a table too long for its rows. A bucket is four rows: the first, lowest, highest and last number of each
 * key, at the bucket's first time, twice at its middle, and at its end. A line through them shows every spike. An
 * aggregate of the store is two rows: lowest and highest.
 */
export function createFoldedFrame(frame: FoldedTable): DataFrame {
  const { table, keys, whole, nonFinite = [] } = frame;
  const columns = frame.columns ?? createPieceColumns(whole.pieces, keys.length, undefined);
  const { timesMs, tsNs, stats, values } = columns;
  return createFrame(frame, {
    x: inferXAxis(table.stats ?? foldColumns(columns, keys)) ?? null,
    totalRows: table.rows,
    isLimited: false,
    ...(frame.isLoading === true && { isLoading: true }),
    folded: {
      stats,
      rows: whole.pieces.reduce((sum, { rows }) => sum + rows, 0),
      rowsPerPoint: 32 ** whole.level,
      isAggregated: whole.isAggregated,
      ...(nonFinite.length > 0 && { nonFinite: nonFinite.map(createNonFinitePoint) }),
    },
    ...{ timesMs, tsNs },
    fields: keys.map((name, key) => ({ name, type: FieldType.number, values: [...(values[key] ?? [])], config: {} })),
    notices: [],
  });
}

function createNonFinitePoint({ timeNs, values }: NonFiniteRow): NonFinitePoint {
  const cells = [...values].map(([key, value]) => [key, Number.isFinite(value) ? value : String(value)] as const);
  return { tsNs: String(timeNs), values: cells };
}

function foldColumns({ stats, values }: PieceColumns, keys: readonly string[]): TableStats {
  const folded = createTableStats();
  stats.forEach((stat, row) => {
    if (stat !== 'row' && stat !== 'first') return;
    const cells = keys.map((key, at) => [key, values[at]?.[row] ?? null] as const);
    foldRow(folded, new Map(cells.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))));
  });
  return folded;
}
