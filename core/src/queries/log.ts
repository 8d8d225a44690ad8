import { createColumn, createMeasurement, createSelect } from '../influxql/build.js';
import type { SelectStatement } from '../influxql/nodes.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { LogKind, Stream } from '../schema/measurements.js';
import { joinLogParts } from '../rows/join-log-parts.js';
import type { LogLine, LogPart } from '../rows/join-log-parts.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult, ResultRow } from './result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from './selection.js';
import type { NameSelection, TimeSelection } from './selection.js';

export interface LogRequest extends TimeSelection {
  readonly job: NameSelection;
  readonly user?: NameSelection;
  readonly task?: NameSelection;
  readonly streams?: readonly Stream[] | undefined;
  readonly order: 'asc' | 'desc';
  /** Rows, which are lines, except that a line over 64 KiB takes several. */
  readonly limit: number;
}

const COLUMNS = ['line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'];

/** A page of the log, all streams and tasks merged by time (a GROUP BY would apply the limit to each of them). */
export function logQuery(request: LogRequest): SelectStatement {
  return createSelect({
    columns: COLUMNS.map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.log)],
    ...whereAll(
      createTagCondition('job', request.job),
      createTagCondition('user', request.user),
      createTagCondition('task', request.task),
      createTagCondition('stream', request.streams),
      ...createTimeConditions(request)
    ),
    orderBy: request.order === 'asc' ? 'ASC' : 'DESC',
    limit: request.limit,
  });
}

/**
 * The lines of a page in the requested order, long lines joined from their parts. With the page's `limit`, a line that
 * the edge of the page cuts is left out: the next page, from the last line's time, has it whole.
 */
export function readLogLines(result: ReadableResult, limit?: number): LogLine[] {
  const parts = listSeries(result).flatMap((series) => listRows(series).map(readPart));
  return joinLogParts(parts, limit);
}

function readPart(row: ResultRow): LogPart {
  const task = decodeTag(row.text('task'));
  const ansi = row.text('ansi');
  return {
    timeNs: row.timeNs,
    job: decodeTag(row.text('job')) ?? '',
    user: decodeTag(row.text('user')) ?? '',
    stream: row.text('stream') === 'stderr' ? 'stderr' : 'stdout',
    ...(task !== undefined && { task }),
    kind: readKind(row.text('kind')),
    line: row.text('line') ?? '',
    ...(ansi !== undefined && { ansi }),
    part: row.number('part') ?? 0,
  };
}

function readKind(kind: string | undefined): LogKind {
  return kind === 'command' || kind === 'notice' ? kind : 'output';
}
