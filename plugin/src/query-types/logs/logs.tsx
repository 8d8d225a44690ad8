import type { DataFrame, SelectableValue } from '@grafana/data';
import { InlineField, RadioButtonGroup } from '@grafana/ui';
import { printStatement } from '@joblens/core/influxql/print';
import type { StatementResult } from '@joblens/core/influxql/response';
import {
  createLogAroundRequests,
  logCountQuery,
  type LogPage,
  logQuery,
  type LogRequest,
  type LogSelection,
  logStreamsQueries,
  readLogCount,
  readLogPage,
  readLogStreams,
} from '@joblens/core/ask/log/log';
import type { Stream } from '@joblens/core/schema/measurements';
import React from 'react';
import { map, type Observable, of, switchMap } from 'rxjs';
import { formatLineId, type StreamChoice } from '../../frames/log-fields.js';
import type { NewestRows } from '../../store/refresh-page.js';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField } from '../parts/editor-fields.js';
import { createCountFrame, createLogsFrame, createStreamsFrame } from './log-frames.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  printAll,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';

export interface LogsQuery extends JoblensQuery {
  stream?: StreamChoice;
  /** Another part of the log than its newest lines. A view asks for it; it is never saved. */
  slice?: LogSlice;
}

/** Lines of the time range that a view asks for. Times are nanoseconds in decimal: a number has too few digits. */
export interface LogSlice {
  /**
   * `asc`: the next lines after `afterNs`, `desc`: those before `beforeNs`, `around`: lines at and around `timesNs`, of
   * which the query's limit says how many on each side, `count`: only how many there are, `streams`: only which streams
   * have lines.
   */
  readonly want: 'asc' | 'desc' | 'around' | 'count' | 'streams';
  readonly afterNs?: string | undefined;
  readonly beforeNs?: string | undefined;
  readonly timesNs?: readonly string[] | undefined;
  /** Regular expressions (RE2) that the lines must match, all of them. */
  readonly patterns?: readonly string[] | undefined;
}

const DEFAULT_LINES = 1000;
const DEFAULT_STREAM = 'stdout';
/** As far back as the ingester may rewrite a line: the height of the screen that it imitates. */
const WINDOW_ROWS = 200;

export const logs: QueryType<LogsQuery> = {
  label: 'Logs',
  description: 'The lines that jobs printed',
  run,
  describe: ({ job, user }) => describeParts('logs', job, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'task'], scopedVars, templates),
  Editor,
};

function run(query: LogsQuery, context: RunContext): Observable<DataFrame[]> {
  const { slice } = query;
  const job = fillIn(query.job, context);
  const selection: LogSelection = {
    ...createLogSelection(query, context),
    beforeNs: parseTime(slice?.beforeNs),
    afterNs: parseTime(slice?.afterNs),
    patterns: slice?.patterns,
  };
  if (slice?.want === 'count') return countLines(query.refId, selection, context);
  if (slice?.want === 'streams') return findStreams(query.refId, selection, context);
  if (slice?.want === 'around') return readAround(query, slice.timesNs ?? [], selection, context);
  const limit = readLimit(query.limit, DEFAULT_LINES);
  const request: LogRequest = { ...selection, order: slice?.want ?? 'desc', limit: limit + 1 };
  return readLogLines(request, context).pipe(
    map(({ lines, isEnd }) => [
      createLogsFrame({
        refId: query.refId,
        job: job.join(', '),
        lines: request.order === 'desc' ? lines.reverse() : lines,
        isLimited: !isEnd,
        executedQuery: printStatement(logQuery(request)),
      }),
    ])
  );
}

/** The lines of the query in the whole range. */
export function createLogSelection(query: LogsQuery, context: RunContext): LogSelection {
  return {
    job: fillIn(query.job, context),
    user: fillIn(query.user, context),
    task: fillIn(query.task, context),
    streams: listStreams(query.stream),
    fromNs: context.fromNs,
    toNs: context.toNs,
  };
}

function parseTime(timeNs: string | undefined): bigint | undefined {
  return timeNs === undefined ? undefined : BigInt(timeNs);
}

/** A page is asked for again with a larger limit while it holds no whole line. */
const LIMIT_FACTOR = 8;

/** A page of the log with at least one whole line, if there is one. */
export function readLogLines(request: LogRequest, context: RunContext): Observable<LogPage> {
  return askFor(request, context).pipe(
    switchMap(([result]) => {
      const page = readLogPage(result, request);
      if (page.isEnd || page.lines.length > 0) return of(page);
      return readLogLines({ ...request, limit: request.limit * LIMIT_FACTOR }, context);
    })
  );
}

/** The newest lines come again with each refresh. A part that a view asks for does not. */
function askFor(request: LogRequest, context: RunContext): Observable<readonly StatementResult[]> {
  if (request.order === 'asc' || request.beforeNs !== undefined || request.afterNs !== undefined)
    return context.client.query([logQuery(request)]);
  const rows: NewestRows = {
    select: (range) => logQuery({ ...request, ...range }),
    limit: request.limit,
    counted: ['line'],
    rewrittenRows: WINDOW_ROWS,
  };
  return context.newestRows.read([rows], context, context.monotonicMs);
}

function countLines(refId: string, selection: LogSelection, context: RunContext): Observable<DataFrame[]> {
  const statement = logCountQuery(selection);
  return context.client
    .query([statement])
    .pipe(map(([result]) => [createCountFrame(refId, readLogCount(result, selection), printStatement(statement))]));
}

function findStreams(refId: string, selection: LogSelection, context: RunContext): Observable<DataFrame[]> {
  const statements = logStreamsQueries(selection);
  return context.client
    .query(statements)
    .pipe(map((results) => [createStreamsFrame(refId, readLogStreams(results), printAll(statements))]));
}

const DEFAULT_LINES_AROUND = 2;

/** All surroundings in one request; a line that is in several of them comes once. */
function readAround(
  query: LogsQuery,
  timesNs: readonly string[],
  selection: LogSelection,
  context: RunContext
): Observable<DataFrame[]> {
  const lines = readLimit(query.limit, DEFAULT_LINES_AROUND);
  const requests = createLogAroundRequests(selection, timesNs.map(BigInt), lines);
  const statements = requests.map(logQuery);
  return context.client.query(statements).pipe(
    map((results) => {
      const pages = requests.map((request, at) => readLogPage(results[at], request));
      const byId = new Map(pages.flatMap((page) => page.lines.map((line) => [formatLineId(line), line])));
      const ordered = [...byId.values()].sort((a, b) => (a.timeNs < b.timeNs ? -1 : Number(a.timeNs > b.timeNs)));
      const job = fillIn(query.job, context).join(', ');
      const executedQuery = printAll(statements);
      return [createLogsFrame({ refId: query.refId, job, lines: ordered, isLimited: false, executedQuery })];
    })
  );
}

function listStreams(stream: StreamChoice = DEFAULT_STREAM): readonly Stream[] {
  return stream === 'both' ? [] : [stream];
}

const STREAM_CHOICES: Array<SelectableValue<StreamChoice>> = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
  { value: 'both', label: 'Both' },
];

export function StreamField({ query, change }: EditorProps<LogsQuery>): React.ReactElement {
  return (
    <InlineField label="Stream" labelWidth={LABEL_WIDTH}>
      <RadioButtonGroup
        options={STREAM_CHOICES}
        value={query.stream ?? DEFAULT_STREAM}
        onChange={(stream) => change({ stream })}
      />
    </InlineField>
  );
}

function Editor(props: EditorProps<LogsQuery>): React.ReactElement {
  return (
    <>
      <JobFields {...props} />
      <StreamField {...props} />
      <LimitField {...props} defaultLimit={DEFAULT_LINES} />
    </>
  );
}
