import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createTableStats, foldRow, type TableStats } from '@joblens/core/table/table-stats';
import { toMs } from '../../frames/times.js';
import { findSameItems } from './same-items.js';

type CellValue = number | string | null;

/** The rows of a table as columns, oldest first. Never changed: a refresh makes others from these. */
export interface RecordColumns {
  readonly records: readonly MetadataRecord[];
  readonly timesMs: readonly number[];
  readonly tsNs: readonly string[];
  /** A column for each key, as stored. */
  readonly cells: ReadonlyArray<readonly CellValue[]>;
  /** The statistics of these rows. */
  readonly readStats: () => TableStats;
}

/** Rows that were there `before`, as the same objects, are copied, which costs next to nothing. */
export function createRecordColumns(
  records: readonly MetadataRecord[],
  keys: readonly string[],
  before: RecordColumns | undefined
): RecordColumns {
  const { dropped, count } = findSameItems(records, before?.records ?? []);
  const keep = <T>(column: readonly T[] | undefined): readonly T[] => column?.slice(dropped, dropped + count) ?? [];
  const added = records.slice(count);
  const isContinued = before !== undefined && dropped === 0 && count === before.records.length;
  return {
    records,
    timesMs: [...keep(before?.timesMs), ...added.map(({ timeNs }) => toMs(timeNs))],
    tsNs: [...keep(before?.tsNs), ...added.map(({ timeNs }) => String(timeNs))],
    cells: keys.map((key, at) => [...keep(before?.cells[at]), ...added.map(({ values }) => values.get(key) ?? null)]),
    readStats: isContinued ? createStatsReader(added, before.readStats()) : createStatsReader(records),
  };
}

/** Folds when it is asked for the first time. It holds none of the columns before: a page that stays open has many. */
function createStatsReader(records: readonly MetadataRecord[], before?: TableStats): () => TableStats {
  let rest: readonly MetadataRecord[] | undefined = records;
  let stats = before;
  return () => {
    if (rest !== undefined) stats = foldRecords(rest, stats);
    rest = undefined;
    return (stats ??= createTableStats());
  };
}

function foldRecords(records: readonly MetadataRecord[], before: TableStats = createTableStats()): TableStats {
  const columns = new Map([...before.columns].map(([key, column]) => [key, { ...column }]));
  const stats = { rows: before.rows, columns };
  for (const { values, floats = [] } of records) foldRow(stats, new Map([...[...values].filter(isPresent), ...floats]));
  return stats;
}

/** A null that was printed is stored as its text. */
function isPresent(cell: [string, CellValue]): cell is [string, number | string] {
  return cell[1] !== null && cell[1] !== 'null';
}
