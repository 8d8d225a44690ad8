import type { DataFrame } from '@grafana/data';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import type { LogKind, Stream } from '@joblens/core/schema/measurements';
import { listInexactIntegers } from '@joblens/core/table/inexact-integer';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { createLogsFrame } from '../../query-types/logs/log-frames.js';
import { createMetadataFrame } from '../../query-types/metadata/metadata-frames.js';

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

const NS_PER_MS = 1_000_000n;
const NS_PER_ROW = 1000n * NS_PER_MS;

export interface TableInput {
  /** NaN and infinite numbers are stored as the texts that they were printed as. */
  readonly rows: readonly Row[];
  /** Rows of the table before these, which the answer leaves out. */
  readonly earlierRows?: readonly Row[];
  readonly job?: string;
  readonly user?: string;
  readonly task?: string;
  /** Default: a second apart. */
  readonly timesNs?: readonly bigint[];
}

function listPresent(row: Row): ReadonlyMap<string, string | number> {
  return new Map(Object.entries(row).flatMap(([key, cell]) => (cell === null ? [] : [[key, cell]])));
}

function createRecord(row: Row, timeNs: bigint): MetadataRecord {
  const store = (cell: Cell): Cell => (typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell);
  const values = new Map(Object.entries(row).map(([key, cell]) => [key, store(cell)]));
  const floats = listInexactIntegers(listPresent(row), undefined);
  return { timeNs, values, ...(floats !== undefined && { floats }) };
}

/** The frame of a table, rows oldest first, as the query type Metadata makes it. */
export function createTableFrame({ rows, earlierRows = [], timesNs, ...owner }: TableInput): DataFrame {
  const all = [...earlierRows, ...rows];
  const keys = [...new Set(all.flatMap((row) => Object.keys(row)))];
  const records = rows.map((row, index) => createRecord(row, timesNs?.[index] ?? NS_PER_ROW * BigInt(index)));
  const stats = createTableStats();
  for (const row of all) {
    const present = listPresent(row);
    foldRow(stats, present, new Set(listInexactIntegers(present, undefined)?.keys()));
  }
  const { job = '7', user = 'ann', task } = owner;
  const table = {
    ...{ job, user, keys, stats },
    series: [...keys].sort().join(','),
    ...(task !== undefined && { task }),
    rows: all.length,
    runs: [{ timeNs: records[0]?.timeNs ?? 0n, rows: all.length }],
    timeNs: records[0]?.timeNs ?? 0n,
  };
  const isLimited = earlierRows.length > 0;
  return createMetadataFrame({
    ...{ refId: 'A', table, keys, records, isLimited },
    jobPrefix: '',
    executedQuery: '',
  });
}

interface LineInput {
  /** With its colours, if it has any. */
  readonly text: string;
  /** Default: a second apart. */
  readonly timeNs?: bigint;
  readonly stream?: Stream;
  readonly kind?: LogKind;
  readonly task?: string;
}

/** The frame of a log, oldest line first, as the query type Logs makes it. */
export function createLogFrame(
  lines: readonly LineInput[],
  { isLimited = false, job = '7' }: { readonly isLimited?: boolean; readonly job?: string } = {}
): DataFrame {
  return createLogsFrame({
    refId: 'A',
    job,
    lines: lines.map(({ text, timeNs, stream = 'stdout', kind = 'output', task }, index) => ({
      ...{ job, user: 'ann', stream, kind, line: text, ansi: text },
      timeNs: timeNs ?? NS_PER_ROW * BigInt(index),
      ...(task !== undefined && { task }),
    })),
    isLimited,
    executedQuery: '',
  });
}
