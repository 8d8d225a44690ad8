import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import {
  createTableStats,
  foldRow,
  inferXAxis,
  type MetadataRecord,
  type TableStats,
  type TableSummary,
  type XAxisChoice,
} from '@joblens/core';
import { createColumn } from './column.js';
import { type MetadataMeta, toMs } from './frame-meta.js';
import { createNotice } from './notice.js';

export interface TableRows {
  readonly refId: string;
  readonly table: TableSummary;
  /** The keys to show, in this order. */
  readonly keys: readonly string[];
  /** Oldest first. */
  readonly records: readonly MetadataRecord[];
  /** There are older rows in the time range. */
  readonly isLimited: boolean;
  /** Prefix of the frame's name where one query shows tables of several jobs. */
  readonly isOneOfSeveralJobs: boolean;
  readonly executedQuery: string;
}

/** One frame a table: `time`, then the keys in the order printed. Rows ascend, as core panels want them. */
export function createMetadataFrame(rows: TableRows): DataFrame {
  const { refId, table, keys, records, isLimited } = rows;
  const custom = createMeta(rows);
  const notices = isLimited
    ? [
        createNotice(
          `The newest ${formatCount(records.length)} of ${formatCount(table.rows)} rows of ${createLabel(keys)}.`
        ),
      ]
    : [];
  return toDataFrame({
    refId,
    name: createFrameName(rows),
    meta: {
      preferredVisualisationType: 'graph',
      executedQueryString: rows.executedQuery,
      custom: { joblens: custom },
      notices,
    },
    fields: [
      { name: 'time', type: FieldType.time, values: records.map((record) => toMs(record.timeNs)), config: {} },
      ...keys.map((key) => {
        const { type, values } = createColumn(records.map((record) => record.values.get(key) ?? null));
        return { name: key, type, values: [...values], config: {} };
      }),
    ],
  });
}

function createMeta({ table, records }: TableRows): MetadataMeta {
  return {
    kind: 'metadata',
    job: table.job,
    user: table.user,
    series: table.series,
    ...(table.task === undefined ? {} : { task: table.task }),
    x: inferX(table, records),
    shownRows: records.length,
    totalRows: Math.max(table.rows, records.length),
    tsNs: records.map((record) => String(record.timeNs)),
  };
}

/** All rows at hand decide for themselves; else the ingester's running statistics know the rows that are not here. */
function inferX(table: TableSummary, records: readonly MetadataRecord[]): XAxisChoice | null {
  const hasAll = records.length >= table.rows && records.length > 0;
  const stats = hasAll || table.stats === undefined ? foldRecords(records) : table.stats;
  return inferXAxis(stats) ?? null;
}

function foldRecords(records: readonly MetadataRecord[]): TableStats {
  const stats = createTableStats();
  for (const { values } of records) foldRow(stats, new Map([...values].filter(isPresent)));
  return stats;
}

function isPresent(cell: [string, number | string | null]): cell is [string, number | string] {
  return cell[1] !== null;
}

const LABEL_KEYS = 3;

/** The keys of a table in few words: `epoch, loss, accuracy +2`. */
export function createLabel(keys: readonly string[]): string {
  const shown = keys.slice(0, LABEL_KEYS).join(', ');
  return keys.length > LABEL_KEYS ? `${shown} +${keys.length - LABEL_KEYS}` : shown;
}

function createFrameName({ table, isOneOfSeveralJobs }: TableRows): string {
  const job = isOneOfSeveralJobs ? `${table.job}: ` : '';
  const task = table.task === undefined ? '' : ` (${table.task})`;
  return `${job}${createLabel(table.keys)}${task}`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
