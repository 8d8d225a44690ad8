import { type DataFrame, type FieldDTO, FieldType } from '@grafana/data';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import type { NonFiniteRow } from '@joblens/core/ask/tables/nonfinite';
import type { WholeTable } from '@joblens/core/ask/whole-table/table-questions';
import { createTableStats, foldRow, type TableStats } from '@joblens/core/table/table-stats';
import { BAND_LABEL, type BandStat, type NonFinitePoint } from '../../frames/frame-meta.js';
import { createFrame, nameLine, type TableFrame } from './metadata-frames.js';
import { createPieceColumns, type KeyColumns, type PieceColumns } from '../memory/piece-columns.js';

export interface FoldedTable extends TableFrame {
  /** The keys of the pieces, in their order. */
  readonly keys: readonly string[];
  readonly whole: Omit<WholeTable, 'known'>;
  /** The columns of its pieces. Default: made from the pieces. */
  readonly columns?: PieceColumns;
  readonly nonFinite?: readonly NonFiniteRow[];
  /** More of the table is being read. */
  readonly isLoading?: boolean;
}

/**
 * The frame of a table too long for its rows: a row of the table, or the mean of many. What lies between their lowest
 * and highest numbers is in two more fields for each key that has any, which Grafana's own graphs draw as a pale band.
 */
export function createFoldedFrame(frame: FoldedTable): DataFrame {
  const { table, keys, whole, nonFinite = [] } = frame;
  const columns = frame.columns ?? createPieceColumns(whole.pieces, keys.length, undefined);
  const { timesMs, tsNs } = columns;
  return createFrame(frame, {
    x: inferXAxis(table.stats ?? foldColumns(columns, keys)) ?? null,
    totalRows: table.rows,
    isLimited: false,
    ...(frame.isLoading === true && { isLoading: true }),
    folded: {
      rows: whole.pieces.reduce((sum, { rows }) => sum + rows, 0),
      rowsPerPoint: 32 ** whole.level,
      isAggregated: whole.isAggregated,
      ...(nonFinite.length > 0 && { nonFinite: nonFinite.map(createNonFinitePoint) }),
    },
    ...{ timesMs, tsNs },
    fields: [
      ...keys.map((name, key) => createField(name, columns.keys[key]?.means)),
      ...keys.flatMap((name, key) => createBand(frame, name, columns.keys[key])),
    ],
    notices: [],
  });
}

function createField(name: string, values: ReadonlyArray<number | null> = []): FieldDTO {
  return { name, type: FieldType.number, values: [...values], config: {} };
}

/** What the lowest and the highest numbers look like in Grafana's own graphs. */
const BAND_STYLE = { lineWidth: 0, showPoints: 'never', hideFrom: { legend: true, tooltip: false, viz: false } };
const BAND_OPACITY = 20;

function createBand(frame: TableFrame, name: string, columns: KeyColumns | undefined): readonly FieldDTO[] {
  if (columns === undefined || columns.mins.every((min, row) => min === columns.maxes[row])) return [];
  const nameStat = (stat: BandStat): string => `${nameLine(frame, name)} (${stat})`;
  const create = (stat: BandStat, values: KeyColumns['mins'], style: object): FieldDTO => ({
    ...createField(name, values),
    labels: { [BAND_LABEL]: stat },
    config: { displayNameFromDS: nameStat(stat), custom: { ...BAND_STYLE, ...style } },
  });
  return [
    create('min', columns.mins, { fillOpacity: 0 }),
    create('max', columns.maxes, { fillOpacity: BAND_OPACITY, fillBelowTo: nameStat('min') }),
  ];
}

function createNonFinitePoint({ timeNs, values }: NonFiniteRow): NonFinitePoint {
  const cells = [...values].map(([key, value]) => [key, Number.isFinite(value) ? value : String(value)] as const);
  return { tsNs: String(timeNs), values: cells };
}

/** The lowest number of a bucket is one that was printed; a mean is none. */
function foldColumns({ timesMs, keys: columns }: PieceColumns, keys: readonly string[]): TableStats {
  const folded = createTableStats();
  timesMs.forEach((_, row) => {
    const cells = keys.map((key, at) => [key, columns[at]?.mins[row] ?? null] as const);
    foldRow(folded, new Map(cells.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))));
  });
  return folded;
}
