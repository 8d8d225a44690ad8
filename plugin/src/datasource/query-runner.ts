import type { DataFrame, ScopedVars } from '@grafana/data';
import {
  addJobValues,
  type JobRecord,
  jobValuesQuery,
  joinRows,
  jobsQuery,
  logQuery,
  printStatement,
  readJobs,
  readLogLines,
  readTables,
  rowsQueries,
  type Statement,
  type StatementResult,
  type Stream,
  type TableSummary,
  tablesQuery,
} from '@joblens/core';
import { map, type Observable, of, switchMap } from 'rxjs';
import { createInfluxqlFrames } from './frames/influxql-frame.js';
import { createJobsFrame } from './frames/jobs-frame.js';
import { createLogsFrame } from './frames/logs-frame.js';
import { createMetadataFrame } from './frames/metadata-frame.js';
import { createNotice } from './frames/notice.js';
import type { InfluxdbClient } from './influxdb-client.js';
import { interpolateRawQuery } from './raw-query.js';
import { interpolateValues, type TemplateSource } from './template.js';
import {
  DEFAULT_JOBS,
  DEFAULT_LOG_LINES,
  DEFAULT_TABLE_ROWS,
  type JoblensQuery,
  MAX_JOBS_WITH_VALUES,
  MAX_TABLES,
  queryTypeOf,
} from './types.js';

/** What a query is run with: all that is not in the query itself. */
export interface RunContext {
  readonly client: InfluxdbClient;
  readonly templates: TemplateSource;
  readonly scopedVars: ScopedVars;
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly nowMs: number;
  /** A newer request with the same id aborts this one. */
  readonly requestId: string;
}

/** The frames of one query. Errors with StoreError, and with RangeError where a variable has values that the query cannot take. */
export function runQuery(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  switch (queryTypeOf(query)) {
    case 'logs':
      return runLogs(query, context);
    case 'metadata':
      return runMetadata(query, context);
    case 'jobs':
      return runJobs(query, context);
    case 'influxql':
      return runInfluxql(query, context);
  }
}

/** Is there anything to ask? An empty InfluxQL text is none, and so is a query of a job that a variable does not name yet. */
export function isRunnable(query: JoblensQuery): boolean {
  return query.hide !== true && (queryTypeOf(query) !== 'influxql' || (query.rawQuery ?? '').trim() !== '');
}

function fillIn(text: string | undefined, { scopedVars, templates }: RunContext): string[] {
  return interpolateValues(text, scopedVars, templates);
}

function printAll(statements: readonly Statement[]): string {
  return statements.map(printStatement).join(';\n');
}

function listStreams(stream: JoblensQuery['stream']): readonly Stream[] {
  return stream === 'both' ? [] : [stream ?? 'stdout'];
}

function runLogs(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_LOG_LINES);
  const job = fillIn(query.job, context);
  const statement = logQuery({
    job,
    user: fillIn(query.user, context),
    task: fillIn(query.task, context),
    streams: listStreams(query.stream),
    fromNs: context.fromNs,
    toNs: context.toNs,
    order: 'desc',
    limit: limit + 1,
  });
  return context.client.query([statement], context.requestId).pipe(
    map(([result]) => {
      const newestFirst = readLogLines(result, limit + 1);
      const lines = newestFirst.slice(0, limit).reverse();
      const isLimited = newestFirst.length > limit || countRows(result) > limit;
      const executedQuery = printStatement(statement);
      return [createLogsFrame({ refId: query.refId, job: job.join(', '), lines, isLimited, executedQuery })];
    })
  );
}

function countRows(result: StatementResult | undefined): number {
  return (result?.series ?? []).reduce((count, series) => count + series.values.length, 0);
}

/** First the list, then the last metadata values of the newest jobs: of thousands of jobs they would be most of the answer. */
function runJobs(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  const { client, requestId, fromNs, toNs, nowMs } = context;
  const request = { job: fillIn(query.job, context), user: fillIn(query.user, context), fromNs, toNs, values: false };
  const statements = jobsQuery(request);
  const limit = readLimit(query.limit, DEFAULT_JOBS);
  return client.query(statements, requestId).pipe(
    switchMap((results) => {
      const found = readJobs(results, request);
      const jobs = found.slice(0, limit);
      const executedQuery = printAll(statements);
      return addValues(jobs, context).pipe(
        map((valued) => [
          createJobsFrame({ refId: query.refId, jobs: valued, totalJobs: found.length, nowMs, executedQuery }),
        ])
      );
    })
  );
}

function addValues(jobs: readonly JobRecord[], { client, requestId }: RunContext): Observable<readonly JobRecord[]> {
  const newest = jobs.slice(0, MAX_JOBS_WITH_VALUES);
  if (newest.length === 0) return of(jobs);
  return client
    .query([jobValuesQuery(newest)], `${requestId}/values`)
    .pipe(map(([result]) => [...addJobValues(newest, result), ...jobs.slice(newest.length)]));
}

function runInfluxql(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  const text = interpolateRawQuery(query.rawQuery ?? '', context, context.scopedVars, context.templates);
  return context.client
    .queryText(text, context.requestId)
    .pipe(map((results) => createInfluxqlFrames(query.refId, results, text)));
}

function runMetadata(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
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
function readRows(query: JoblensQuery, found: readonly TableSummary[], context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_TABLE_ROWS);
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

function readLimit(limit: number | undefined, fallback: number): number {
  return limit !== undefined && Number.isFinite(limit) && limit >= 1 ? Math.floor(limit) : fallback;
}
