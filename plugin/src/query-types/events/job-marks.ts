import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { printStatement } from '@joblens/core/influxql/print';
import { findWrittenEndMs } from '@joblens/core/ask/jobs/job-end';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { type LogPage, logQuery, type LogRequest, readLogPage } from '@joblens/core/ask/log/log';
import { readSignals, type SignalRecord, signalsQuery } from '@joblens/core/ask/events/signals';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { map, type Observable, of, switchMap, takeLast } from 'rxjs';
import { createJobNamer } from '../../frames/job-name.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import { escapeRegex } from '@joblens/core/words/escape-regex';
import { readJobsOfRange, describeNamedJobs } from '../jobs/jobs-reading.js';
import { fillIn, type JoblensQuery, type RunContext } from '../parts/query-type.js';

/** What can be marked on a graph. */
export type MarkKind = 'states' | 'signals' | 'notices' | 'lines';

export interface MarksQuery extends JoblensQuery {
  readonly event?: string;
  readonly text?: string;
}

/** One event, as Grafana's annotations name the parts. */
export interface JobMark {
  readonly id: string;
  readonly time: number;
  readonly timeEnd: number | null;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface FoundMarks {
  /** Newest first. */
  readonly found: readonly JobMark[];
  /** There are older ones. */
  readonly isLimited: boolean;
  readonly executedQuery: string;
}

type FindMarks = (query: MarksQuery, context: RunContext, limit: number) => Observable<FoundMarks>;

/** What happened to jobs, newest first. */
export const MARK_FINDERS: Readonly<Record<MarkKind, FindMarks>> = {
  states: findStates,
  signals: findSignals,
  notices: findLines,
  lines: findLines,
};

/** What the output of jobs says went wrong. */
function findSignals(query: MarksQuery, context: RunContext, limit: number): Observable<FoundMarks> {
  const statement = signalsQuery({
    job: fillIn(query.job, context),
    user: fillIn(query.user, context),
    fromNs: context.fromNs,
    toNs: context.toNs,
    limit: limit + 1,
  });
  return context.client.query([statement]).pipe(
    map(([result]) => {
      const signals = readSignals(result);
      const shown = signals.slice(0, limit);
      const nameJob = createJobNamer(shown);
      const found = shown.map((signal) => toSignalEvent(signal, nameJob(signal)));
      return { found, isLimited: signals.length > limit, executedQuery: printStatement(statement) };
    })
  );
}

function toSignalEvent(signal: SignalRecord, jobName: string): JobMark {
  const { timeNs, job, user, name, severity, message, place, count } = signal;
  const where = place === undefined ? '' : ` (${place})`;
  const times = count === 1 ? '' : `, ${count} times`;
  const id = `${String(timeNs)}/${name}/${job}/${user}`;
  return { id, time: toMs(timeNs), timeEnd: null, text: `${message}${where}${times}`, tags: [severity, name, jobName] };
}

function findStates(query: MarksQuery, context: RunContext, limit: number): Observable<FoundMarks> {
  const asked = { job: fillIn(query.job, context), user: fillIn(query.user, context), limit };
  const lists = asked.job.length > 0 ? describeNamedJobs(asked, context) : readJobsOfRange(asked, context);
  return lists.pipe(
    // Grafana would draw the events of an early list twice.
    takeLast(1),
    map(({ jobs, totalJobs, executedQuery }) => {
      const nameJob = createJobNamer(jobs);
      return {
        found: jobs.flatMap((job) => toStateEvent(job, nameJob(job), context.nowMs)).sort((a, b) => b.time - a.time),
        isLimited: totalJobs > jobs.length,
        executedQuery,
      };
    })
  );
}

/** From the start of a job to its end. A job that runs, or only waited, has no region. */
function toStateEvent(job: JobRecord, jobName: string, nowMs: number): JobMark[] {
  const startMs = job.startedMs ?? job.submittedMs ?? toMs(job.firstSeenNs ?? job.timeNs);
  if (startMs > nowMs) return [];
  const name = job.name === undefined || job.name === job.job ? jobName : `${jobName} (${job.name})`;
  const tags = [job.state, job.user].filter((tag): tag is string => tag !== undefined && tag !== '');
  const text = `Job ${name}${job.state === undefined ? '' : `: ${job.state}`}`;
  return [{ id: `${job.job}/${job.user}`, time: startMs, timeEnd: findWrittenEndMs(job) ?? null, text, tags }];
}

function findLines(query: MarksQuery, context: RunContext, limit: number): Observable<FoundMarks> {
  const isNotices = query.event === 'notices';
  const request: LogRequest = {
    job: fillIn(query.job, context),
    user: fillIn(query.user, context),
    task: fillIn(query.task, context),
    fromNs: context.fromNs,
    toNs: context.toNs,
    ...(isNotices ? { kinds: ['notice'] } : { patterns: createPatterns(fillIn(query.text, context)) }),
    order: 'desc',
    limit: limit + 1,
  };
  return readLines(request, context).pipe(
    map(({ lines, isEnd }) => {
      const shown = lines.slice(0, limit);
      const nameJob = createJobNamer(shown);
      return {
        found: shown.map((line) => toLineEvent(line, nameJob(line))),
        // The oldest rows of a page may be parts of one line, which is left out.
        isLimited: !isEnd || lines.length > limit,
        executedQuery: printStatement(logQuery(request)),
      };
    })
  );
}

/** A page is asked for again with a larger limit while it holds no whole line. */
const LIMIT_FACTOR = 8;

function readLines(request: LogRequest, context: RunContext): Observable<LogPage> {
  return context.client.query([logQuery(request)]).pipe(
    switchMap(([result]) => {
      const page = readLogPage(result, request);
      if (page.isEnd || page.lines.length > 0) return of(page);
      return readLines({ ...request, limit: request.limit * LIMIT_FACTOR }, context);
    })
  );
}

/** One pattern for any of the texts. */
function createPatterns(texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [texts.map(escapeRegex).join('|')];
}

function toLineEvent({ timeNs, line, job, user, stream }: LogLine, jobName: string): JobMark {
  const id = `${String(timeNs)}/${stream}/${job}/${user}`;
  return { id, time: toMs(timeNs), timeEnd: null, text: line.trim(), tags: [jobName, stream] };
}

export function createMarksFrame(
  refId: string,
  { found, isLimited, executedQuery }: FoundMarks,
  isAnnotation: boolean
): DataFrame {
  const list = found.toReversed();
  const field = (name: string, type: FieldType, read: (event: JobMark) => string | number | null) => ({
    name,
    type,
    values: list.map(read),
    config: {},
  });
  return toDataFrame({
    refId,
    name: 'events',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      notices: isLimited ? [createNotice(`The newest ${list.length} events; there are older ones.`)] : [],
    },
    fields: [
      field('time', FieldType.time, ({ time }) => time),
      // Grafana drops empty parts, and in 9.5 all marks have the parts of the first alone: regions lose their ends.
      field('timeEnd', FieldType.time, ({ time, timeEnd }) => (isAnnotation ? (timeEnd ?? time) : timeEnd)),
      // Grafana draws the text of an annotation as HTML.
      field('text', FieldType.string, ({ text }) => (isAnnotation ? escapeHtml(text) : text)),
      // Grafana splits them at commas.
      field('tags', FieldType.string, ({ tags }) => tags.map((tag) => tag.replaceAll(',', ' ')).join(',')),
      field('id', FieldType.string, ({ id }) => id),
    ],
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
