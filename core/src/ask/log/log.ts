import {
  createAnd,
  createCallColumn,
  createColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTimeComparison,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { type LogKind, MEASUREMENT, type Stream } from '../../schema/measurements.js';
import { joinLogParts, type LogLine, type LogPart } from '../../rows/join-log-parts.js';
import { decodeTag, listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

/** Which lines: those of the selected writers in a range of time that match. A long line counts by its first part. */
export interface LogSelection {
  readonly job: NameSelection;
  readonly user?: NameSelection;
  readonly task?: NameSelection;
  readonly streams?: readonly Stream[] | undefined;
  /** Inclusive. */
  readonly fromNs?: bigint | undefined;
  /** Inclusive. */
  readonly toNs?: bigint | undefined;
  /** Only lines earlier than this one. */
  readonly beforeNs?: bigint | undefined;
  /** Only lines later than this one. */
  readonly afterNs?: bigint | undefined;
  /** Regular expressions (RE2) that the plain text must match, all of them. */
  readonly patterns?: readonly string[] | undefined;
  /** Default: all kinds of lines. */
  readonly kinds?: readonly LogKind[] | undefined;
}

/** A page of a log: the next lines after `afterNs` (`asc`) or the next older ones before `beforeNs` (`desc`). */
export interface LogRequest extends LogSelection {
  readonly order: 'asc' | 'desc';
  /** Rows, which are lines, except that a line over 64 KiB takes several. */
  readonly limit: number;
}

export interface LogPage {
  /** In the requested order. All lines of each instant are there, and every line is whole. */
  readonly lines: LogLine[];
  /** There are no lines beyond the page. If there are and `lines` is empty, ask with a larger limit. */
  readonly isEnd: boolean;
}

const COLUMNS = ['line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'];

/** Lines of one writer are at least 1 µs apart, and the parts of a long one lie between (ARCHITECTURE.md). */
const LINE_SPAN_NS = 1000n;

/**
 * A page of the log, all streams and tasks merged by time (a GROUP BY would apply the limit to each of them). It reads
 * a little beyond its newer end, where the parts of its last line may be.
 */
export function logQuery(request: LogRequest): SelectStatement {
  const toNs = addSpan(request.toNs, LINE_SPAN_NS - 1n);
  const beforeNs = addSpan(request.beforeNs, LINE_SPAN_NS - 1n);
  return createSelect({
    columns: COLUMNS.map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.log)],
    ...whereAll(createSelection({ ...request, toNs, beforeNs })),
    orderBy: request.order === 'asc' ? 'ASC' : 'DESC',
    limit: request.limit,
  });
}

function addSpan(timeNs: bigint | undefined, spanNs: bigint): bigint | undefined {
  return timeNs === undefined ? undefined : timeNs + spanNs;
}

function createSelection(selection: LogSelection): Condition | undefined {
  const { fromNs, toNs, beforeNs, afterNs, patterns = [], kinds = [] } = selection;
  const at = (operator: '>=' | '<=' | '<' | '>', timeNs: bigint | undefined): Condition | undefined =>
    timeNs === undefined ? undefined : createTimeComparison(operator, timeNs);
  return createAnd([
    createTagCondition('job', selection.job),
    createTagCondition('user', selection.user),
    createTagCondition('task', selection.task),
    createTagCondition('stream', selection.streams),
    createOr(kinds.map((kind) => createComparison(createRef('kind'), '=', createStringLiteral(kind)))),
    at('>=', fromNs),
    at('<=', toNs),
    at('<', beforeNs),
    at('>', afterNs),
    ...patterns.map((source) =>
      freezeNode({ kind: 'match', left: createRef('line'), operator: '=~', source } as const)
    ),
  ]);
}

/**
 * The page that the request asked for. On a page by patterns, a long line has the text of
 * its first part that matches.
 */
export function readLogPage(result: ReadableResult, request: LogRequest): LogPage {
  const parts = listSeries(result).flatMap((series) => listRows(series).map(readPart));
  const isEnd = parts.length < request.limit;
  const edgeNs = isEnd ? undefined : parts.at(-1)?.timeNs;
  const hasPatterns = (request.patterns ?? []).length > 0;
  const lines = hasPatterns ? joinMatches(parts) : joinLogParts(parts).filter(createHeadTest(parts));
  return { lines: lines.filter(({ timeNs }) => isOnPage(timeNs, request, edgeNs)), isEnd };
}

/** Whether a line begins on the page and is there to its end, as are all lines of its time. */
function isOnPage(timeNs: bigint, { order, fromNs, toNs, beforeNs, afterNs }: LogRequest, edgeNs?: bigint): boolean {
  if (fromNs !== undefined && timeNs < fromNs) return false;
  if (toNs !== undefined && timeNs > toNs) return false;
  if (beforeNs !== undefined && timeNs >= beforeNs) return false;
  if (afterNs !== undefined && timeNs <= afterNs) return false;
  if (edgeNs === undefined) return true;
  return order === 'desc' ? timeNs > edgeNs : timeNs + LINE_SPAN_NS <= edgeNs;
}

/** Tells the lines that begin in these parts from the ends of lines that begin before them. */
function createHeadTest(parts: readonly LogPart[]): (line: LogLine) => boolean {
  const tails = new Set(parts.filter(({ part }) => part > 0).map(keyOf));
  return tails.size === 0 ? () => true : (line) => !tails.has(keyOf(line));
}

function joinMatches(parts: readonly LogPart[]): LogLine[] {
  const lines = new Map<string, LogPart>();
  for (const row of parts) {
    const line = { ...row, timeNs: row.timeNs - BigInt(row.part) };
    const key = keyOf(line);
    if (line.part <= (lines.get(key)?.part ?? line.part)) lines.set(key, line);
  }
  return [...lines.values()].map(({ part: _part, ...line }) => line);
}

function keyOf({ timeNs, job, user, stream, task }: LogLine): string {
  return JSON.stringify([String(timeNs), job, user, stream, task]);
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

/** How many lines there are, and how many later parts of long lines. */
export function logCountQuery(selection: LogSelection): SelectStatement {
  const where = createSelection(selection);
  return createSelect({
    columns: [createCallColumn('count', 'kind', 'rows'), createCallColumn('count', 'part', 'parts')],
    from: [createMeasurement(MEASUREMENT.log)],
    ...(where !== undefined && { where }),
  });
}

/** The exact number of lines; with patterns, each part of a long line that matches counts as one. */
export function readLogCount(result: ReadableResult, { patterns = [] }: LogSelection): number {
  const rows = listSeries(result).flatMap((series) => listRows(series));
  const sum = (column: string): number => rows.reduce((total, row) => total + (row.number(column) ?? 0), 0);
  return patterns.length > 0 ? sum('rows') : sum('rows') - sum('parts');
}

/** The pages around these instants: of each, the `lines` before it, and the line at it with the `lines` after it. */
export function createLogAroundRequests(
  selection: LogSelection,
  timesNs: readonly bigint[],
  lines: number
): readonly LogRequest[] {
  // A row for the line at the instant, and one more: a page leaves out its last instant, which may not be all there.
  const limit = lines + 2;
  return timesNs.flatMap((timeNs) => [
    { ...selection, order: 'desc' as const, beforeNs: timeNs, limit },
    { ...selection, order: 'asc' as const, afterNs: timeNs - 1n, limit },
  ]);
}

const STREAMS: readonly Stream[] = ['stderr', 'stdout'];

/** Which streams have lines: at most one row of each. */
export function logStreamsQueries(selection: Omit<LogSelection, 'streams'>): readonly SelectStatement[] {
  return STREAMS.map((stream) =>
    createSelect({
      columns: [createColumn('kind')],
      from: [createMeasurement(MEASUREMENT.log)],
      ...whereAll(createSelection({ ...selection, streams: [stream] })),
      limit: 1,
    })
  );
}

export function readLogStreams(results: readonly ReadableResult[]): Stream[] {
  return STREAMS.filter((_, at) => listSeries(results[at]).length > 0);
}
