import type { DataFrame, QueryResultMetaNotice } from '@grafana/data';
import { printStatement } from '@joblens/core/influxql/print';
import { createKindReader } from '@joblens/core/lines/kind-reader';
import type { LineReader } from '@joblens/core/lines/line-reader';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { logCountQuery, logQuery, type LogRequest, readLogCount } from '@joblens/core/ask/log/log';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createSeriesNamer } from '@joblens/core/schema/series-name';
import { listInexactIntegers } from '@joblens/core/table/inexact-integer';
import { map, type Observable, of, switchMap } from 'rxjs';
import { createJobPrefixer } from '../../frames/job-name.js';
import { createNotice, createWarning } from '../../frames/notice.js';
import { formatStorePattern } from '../../patterns/compile-pattern.js';
import { compileRule } from '../../patterns/typed-pattern.js';
import { readLogLines } from '../logs/logs.js';
import { createMetadataFrame } from './metadata-frames.js';
import type { RunContext } from '../parts/query-type.js';

/** Lines of the log that are read as metadata, and how many of them at most. */
export interface RuleRequest extends Omit<LogRequest, 'patterns' | 'kinds' | 'streams'> {
  readonly refId: string;
  readonly rule: MetadataKind;
  /** Tells of the jobs with these names and users which are meant; by default all. */
  readonly isWanted?: (owner: Pick<LogLine, 'job' | 'user'>) => boolean;
}

interface FoundLines {
  /** In the order of the request. */
  readonly lines: readonly LogLine[];
  readonly isEnd: boolean;
}

const PAGE_LINES = 10_000;

/**
 * The tables that a rule makes of the log, as frames of metadata, rows oldest first. Throws RangeError where its
 * expression cannot be read.
 */
export function readRuleRows(request: RuleRequest, context: RunContext): Observable<DataFrame[]> {
  const { refId, rule, limit, isWanted = () => true, ...range } = request;
  const compiled = isRegex(rule) ? compileRule(rule.regex) : undefined;
  if (compiled?.ok === false) throw new RangeError(compiled.error.message);
  const selection = { ...range, patterns: listStorePatterns(rule), kinds: ['output' as const] };
  const executedQuery = printStatement(logQuery({ ...selection, limit }));
  return readPages({ ...selection, limit }, context).pipe(
    switchMap(({ lines, isEnd }) => {
      const wanted = lines.filter(isWanted);
      const ascending = request.order === 'desc' ? wanted.reverse() : wanted;
      const create = (total?: number): DataFrame[] =>
        createRuleFrames({ refId, executedQuery, tables: readTables(rule, ascending), isLimited: !isEnd, total });
      if (isEnd || !isRegex(rule)) return of(create());
      return context.client
        .query([logCountQuery(selection)])
        .pipe(map(([result]) => create(readLogCount(result, selection))));
    })
  );
}

function isRegex(rule: MetadataKind): rule is { readonly regex: string } {
  return typeof rule === 'object' && 'regex' in rule;
}

/** What each line of a kind holds. A preset keeps what lines before have left, so it needs them all. */
function listStorePatterns(rule: MetadataKind): readonly string[] {
  if (rule === 'json') return ['^\\{'];
  if (rule === 'python-dict') return ["\\{'"];
  if (rule === 'logfmt') return ['='];
  return isRegex(rule) ? [formatStorePattern(rule.regex)] : [];
}

/** The lines page by page, until there are no more or the limit is reached. */
function readPages(request: LogRequest, context: RunContext): Observable<FoundLines> {
  const { limit, order } = request;
  return readLogLines({ ...request, limit: Math.min(limit, PAGE_LINES) + 1 }, context).pipe(
    switchMap(({ lines, isEnd }) => {
      const [rest, edge] = [limit - lines.length, lines.at(-1)?.timeNs];
      if (isEnd || rest <= 0 || edge === undefined) return of({ lines, isEnd });
      const next = { ...request, limit: rest, ...(order === 'desc' ? { beforeNs: edge } : { afterNs: edge }) };
      return readPages(next, context).pipe(map((more) => ({ lines: [...lines, ...more.lines], isEnd: more.isEnd })));
    })
  );
}

/** The rows with the same keys of one writer. */
interface RuleTable {
  readonly owner: Pick<LogLine, 'job' | 'user' | 'task'>;
  readonly series: string;
  readonly keys: readonly string[];
  /** Oldest first. */
  readonly records: MetadataRecord[];
  /** No row was printed on stdout. */
  isOfStderr: boolean;
}

/** @param lines oldest first */
function readTables(rule: MetadataKind, lines: readonly LogLine[]): readonly RuleTable[] {
  const readers = new Map<string, LineReader>();
  const tables = new Map<string, RuleTable>();
  const nameSeries = createSeriesNamer();
  for (const { job, user, task, stream, timeNs, line } of lines) {
    const writer = JSON.stringify([job, user, task, stream]);
    let reader = readers.get(writer);
    if (reader === undefined) {
      reader = createKindReader({ kinds: [rule], nonfinite: 'metadata', compile: compileRule });
      readers.set(writer, reader);
    }
    const values = reader.read(line);
    if (values === undefined) continue;
    const series = nameSeries(values);
    const key = JSON.stringify([job, user, task, series]);
    let table = tables.get(key);
    if (table === undefined) {
      const owner = { job, user, ...(task !== undefined && { task }) };
      table = { owner, series, keys: [...values.keys()], records: [], isOfStderr: true };
      tables.set(key, table);
    }
    const floats = listInexactIntegers(values, undefined);
    table.records.push({ timeNs, values, ...(floats !== undefined && { floats }) });
    if (stream !== 'stderr') table.isOfStderr = false;
  }
  return [...tables.values()];
}

interface RuleFrames {
  readonly refId: string;
  readonly executedQuery: string;
  readonly tables: readonly RuleTable[];
  /** There are more lines than were read. */
  readonly isLimited: boolean;
  /** Lines that match, where the store has counted them. */
  readonly total: number | undefined;
}

function createRuleFrames({ refId, executedQuery, tables, isLimited, total }: RuleFrames): DataFrame[] {
  const prefixJob = createJobPrefixer(tables.map(({ owner }) => owner));
  const [only] = tables.length === 1 ? tables : [];
  const frames = tables.map(({ owner, series, keys, records, isOfStderr }) => {
    const rows = only === undefined ? records.length : Math.max(total ?? 0, records.length);
    const timeNs = records[0]?.timeNs ?? 0n;
    const table = { ...owner, series, keys, rows, runs: [{ timeNs, rows }], timeNs };
    const isCut = isLimited && rows > records.length;
    const content = { refId, table, keys, records, isLimited: isCut, jobPrefix: prefixJob(owner), executedQuery };
    return addNotices(createMetadataFrame(content), isOfStderr ? [createWarning(OF_STDERR)] : []);
  });
  const [first, ...others] = frames;
  if (!isLimited || first === undefined || (first.meta?.notices ?? []).some(({ severity }) => severity === 'info'))
    return frames;
  return [addNotices(first, [createNotice('Older lines of the log were not read: there are too many.')]), ...others];
}

const OF_STDERR =
  "These lines are in stderr, where the rule has no effect. Let the job print them on stdout: sh -c 'COMMAND 2>&1'.";

function addNotices(frame: DataFrame, more: readonly QueryResultMetaNotice[]): DataFrame {
  return { ...frame, meta: { ...frame.meta, notices: [...(frame.meta?.notices ?? []), ...more] } };
}
