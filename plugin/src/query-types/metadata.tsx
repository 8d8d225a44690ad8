import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { InlineFieldRow } from '@grafana/ui';
import {
  createTableStats,
  foldRow,
  inferXAxis,
  joinRows,
  type MetadataRecord,
  readTables,
  rowsQueries,
  type TableStats,
  type TableSummary,
  tablesQuery,
  type XAxisChoice,
} from '@joblens/core';
import React from 'react';
import { map, type Observable, of, switchMap } from 'rxjs';
import { createCustomMeta, type MetadataMeta } from '../frames/frame-meta.js';
import { createNotice } from '../frames/notice.js';
import { toMs } from '../frames/times.js';
import { fillInFields } from './change-query.js';
import { createColumn } from './column.js';
import { JobFields, LimitField } from './editor-fields.js';
import { NameMultiSelect, NameSelect } from './NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  printAll,
  type QueryType,
  readLimit,
  type RunContext,
} from './query-type.js';

export interface MetadataQuery extends JoblensQuery {
  /** A table; may hold variables, empty means all. */
  series?: string;
  /** Keys of metadata lines; none means all, in the order printed. */
  fields?: string[];
}

const DEFAULT_ROWS = 10_000;
/** When a query finds more tables, it takes the newest. */
const MAX_TABLES = 100;

export const metadata: QueryType<MetadataQuery> = {
  label: 'Metadata',
  description: 'Tables of the metadata lines that jobs printed',
  run,
  describe: ({ job, user, series }) => describeParts('metadata', job, user, series),
  fillIn: (query, scopedVars, templates) =>
    fillInFields(query, ['job', 'user', 'series', 'task'], scopedVars, templates),
  Editor,
};

function run(query: MetadataQuery, context: RunContext): Observable<DataFrame[]> {
  const statement = tablesQuery({
    job: fillIn(query.job, context),
    user: fillIn(query.user, context),
    series: fillIn(query.series, context),
    task: fillIn(query.task, context),
  });
  return context.client
    .query([statement], context.requestId)
    .pipe(switchMap(([result]) => readRows(query, readTables(result), context)));
}

/** The rows of all tables in one request, two statements a table. */
function readRows(query: MetadataQuery, found: readonly TableSummary[], context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_ROWS);
  const fields = (query.fields ?? []).flatMap((field) => fillIn(field, context));
  const wanted = found
    .map((table) => ({
      table,
      keys: fields.length === 0 ? table.keys : table.keys.filter((key) => fields.includes(key)),
    }))
    .filter(({ keys }) => keys.length > 0);
  const tables = wanted.slice(-MAX_TABLES);
  const halves = tables.map(({ table, keys }) =>
    rowsQueries({ table, keys, fromNs: context.fromNs, toNs: context.toNs, order: 'desc', limit: limit + 1 })
  );
  if (tables.length === 0) return of([]);
  const isOneOfSeveralJobs = new Set(tables.map(({ table }) => table.job)).size > 1;
  return context.client.query(halves.flat(), `${context.requestId}/rows`).pipe(
    map((results) => {
      const frames = tables.map(({ table, keys }, index) => {
        const newestFirst = joinRows(results[2 * index], results[2 * index + 1], keys, {
          order: 'desc',
          limit: limit + 1,
        });
        return createMetadataFrame({
          refId: query.refId,
          table,
          keys,
          records: newestFirst.slice(0, limit).reverse(),
          isLimited: newestFirst.length > limit,
          isOneOfSeveralJobs,
          executedQuery: printAll(halves[index] ?? []),
        });
      });
      return noteMissingTables(frames, wanted.length - tables.length);
    })
  );
}

function noteMissingTables(frames: DataFrame[], missing: number): DataFrame[] {
  const [first] = frames;
  if (missing === 0 || first === undefined) return frames;
  const notices = [
    ...(first.meta?.notices ?? []),
    createNotice(`The newest ${MAX_TABLES} tables; ${missing} older ones are not shown.`),
  ];
  first.meta = { ...first.meta, notices };
  return frames;
}

interface TableRows {
  readonly refId: string;
  readonly table: TableSummary;
  /** The keys to show, in this order. */
  readonly keys: readonly string[];
  /** Oldest first. */
  readonly records: readonly MetadataRecord[];
  /** There are older rows in the time range. */
  readonly isLimited: boolean;
  /** The frame's name then starts with the job. */
  readonly isOneOfSeveralJobs: boolean;
  readonly executedQuery: string;
}

/**
 * One frame for each table: `time`, then the keys in the order printed. Times rise, as Grafana's own panels want
 * them.
 */
export function createMetadataFrame(rows: TableRows): DataFrame {
  const { refId, table, keys, records, isLimited } = rows;
  const limit = `The newest ${formatCount(records.length)} of ${formatCount(table.rows)} rows of ${createLabel(keys)}.`;
  return toDataFrame({
    refId,
    name: createFrameName(rows),
    meta: {
      preferredVisualisationType: 'graph',
      executedQueryString: rows.executedQuery,
      custom: createCustomMeta(createMeta(rows)),
      notices: isLimited ? [createNotice(limit)] : [],
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
    totalRows: Math.max(table.rows, records.length),
    tsNs: records.map((record) => String(record.timeNs)),
  };
}

/** From the rows when all of them came, else from the ingester's running statistics, which cover the other rows too. */
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

/** The first keys of a table: `epoch, loss, accuracy +2`. */
function createLabel(keys: readonly string[]): string {
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

function Editor(props: EditorProps<MetadataQuery>): React.ReactElement {
  const { query, change, loadNames } = props;
  return (
    <>
      <JobFields {...props} />
      <InlineFieldRow>
        <NameSelect
          id={`${query.refId}-series`}
          label="Table"
          tooltip="Metadata lines with the same keys make one table"
          placeholder="All tables"
          value={query.series}
          loadNames={loadNames('series')}
          onChange={(series) => change({ series })}
        />
        <NameMultiSelect
          id={`${query.refId}-fields`}
          label="Keys"
          tooltip="The columns to show"
          placeholder="All keys"
          values={query.fields}
          loadNames={loadNames('fields')}
          onChange={(fields) => change({ fields })}
        />
      </InlineFieldRow>
      <LimitField {...props} defaultLimit={DEFAULT_ROWS} />
    </>
  );
}
