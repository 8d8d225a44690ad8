import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { findJobDurationMs, findLastPointNs, findWrittenEndMs } from '@joblens/core/ask/jobs/job-end';
import { isUsageKey } from '@joblens/core/ask/tables/job-usage';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { UNKNOWN_REMAINING_S } from '@joblens/core/schema/job-point';
import { formatDuration } from '@joblens/core/words/duration';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { createCustomMeta, type JobsMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField } from '../parts/editor-fields.js';
import { readJobRange, readStartedMs } from './job-ranges.js';
import { describeNamedJobs, type FoundOfRange, readConfigs, type ReadJobs, readJobsOfRange } from './jobs-reading.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';
import type { JobsQuestion } from './select-jobs.js';
import { signSlow } from '../parts/slow-sign.js';

const DEFAULT_JOBS = 200;

export interface JobsQuery extends JoblensQuery {
  /** What a view asks of the jobs of the range. */
  readonly question?: JobsQuestion;
  /** Instead only the descriptions of the named jobs, with their configurations. */
  readonly isConfig?: boolean;
}

export const jobs: QueryType<JobsQuery> = {
  label: 'Jobs',
  description: 'One row a job',
  run,
  describe: ({ job, user }) => describeParts('jobs', job, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'task'], scopedVars, templates),
  Editor,
};

/** The list comes several times: first as soon as it can be read, at last complete. */
function run(query: JobsQuery, context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_JOBS);
  const names = { job: fillIn(query.job, context), user: fillIn(query.user, context) };
  const asked = { ...names, limit, question: query.question };
  const readList = asked.job.length === 0 ? readJobsOfRange : query.isConfig === true ? readConfigs : describeNamedJobs;
  const draw = (list: ReadJobs): DataFrame[] => [
    createJobsFrame({ ...list, refId: query.refId, nowMs: context.nowMs }),
  ];
  const frames = readList(asked, context).pipe(map(draw));
  // A view that asks shows by itself that it waits.
  if (asked.job.length > 0 || query.question !== undefined) return frames;
  const found: FoundOfRange = { counts: [], sinceNs: context.toNs, isDone: false, offset: 0, pageSize: limit };
  const nothingYet: ReadJobs = { jobs: [], totalJobs: 0, executedQuery: '', found };
  return signSlow(frames, () => draw(nothingYet), JSON.stringify(names.user), context.answered);
}

interface JobsList extends ReadJobs {
  readonly refId: string;
  /** A job that has not ended has been running until now. */
  readonly nowMs: number;
}

type Cell = string | number | null;
interface FieldSpec {
  readonly name: string;
  readonly type: FieldType;
  readonly unit?: string;
  /** A table of Grafana's leaves it out. */
  readonly isHidden?: true;
  readonly read: (job: JobRecord, nowMs: number) => Cell;
}

/** The dashboards name these columns. */
const FIELDS: readonly FieldSpec[] = [
  { name: 'started', type: FieldType.time, read: readStartedMs },
  { name: 'job', type: FieldType.string, read: (job) => job.job },
  { name: 'user', type: FieldType.string, read: (job) => job.user },
  { name: 'name', type: FieldType.string, read: (job) => job.name ?? null },
  { name: 'state', type: FieldType.string, read: (job) => job.state ?? null },
  { name: 'reason', type: FieldType.string, read: readReason },
  { name: 'progress', type: FieldType.number, unit: 'percentunit', read: readProgress },
  { name: 'remaining', type: FieldType.number, unit: 's', read: readRemainingS },
  { name: 'submitted', type: FieldType.time, read: (job) => job.submittedMs ?? null },
  { name: 'ended', type: FieldType.time, read: (job) => findWrittenEndMs(job) ?? null },
  { name: 'duration', type: FieldType.number, unit: 'ms', read: readDurationMs },
  { name: 'nodes', type: FieldType.number, read: (job) => job.nodes ?? null },
  { name: 'queue', type: FieldType.string, read: (job) => job.queue ?? null },
  { name: 'host', type: FieldType.string, read: (job) => job.host ?? null },
  { name: 'exit_code', type: FieldType.number, read: (job) => job.exitCode ?? null },
  { name: 'command', type: FieldType.string, read: (job) => job.command ?? null },
  { name: 'workdir', type: FieldType.string, read: (job) => job.workdir ?? null },
  { name: 'scheduler_id', type: FieldType.string, read: (job) => job.schedulerId ?? null },
  { name: 'config', type: FieldType.string, read: (job) => job.config ?? null },
  { name: 'note', type: FieldType.string, read: (job) => job.note ?? null },
  { name: 'tags', type: FieldType.string, read: (job) => formatTags(job.tags) },
  { name: 'values', type: FieldType.string, read: (job) => formatValues(job.values) },
  { name: 'last_values', type: FieldType.string, isHidden: true, read: (job) => formatAllValues(job.values) },
  // The job's own time range as a link's `from` and `to`; text, so that no panel formats it.
  { name: 'from', type: FieldType.string, read: (job, nowMs) => readJobRange(job, nowMs).from },
  { name: 'to', type: FieldType.string, read: (job, nowMs) => readJobRange(job, nowMs).to },
];

/** One row a job, running jobs first, then the newest: a list to read, not a series to draw. */
export function createJobsFrame({ refId, jobs: list, totalJobs, nowMs, executedQuery, found }: JobsList): DataFrame {
  const meta: JobsMeta = { kind: 'jobs', ...(found !== undefined && createFoundMeta(totalJobs, found)) };
  const isLimited = totalJobs > list.length;
  return toDataFrame({
    refId,
    name: 'jobs',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: isLimited ? [createNotice(`The newest ${list.length} of ${totalJobs} jobs.`)] : [],
    },
    fields: FIELDS.map(({ name, type, unit, isHidden, read }) => ({
      name,
      type,
      values: list.map((job) => read(job, nowMs)),
      config: { ...(unit !== undefined && { unit }), ...(isHidden && { custom: { hidden: true } }) },
    })),
  });
}

function createFoundMeta(
  total: number,
  { offset, pageSize, counts, sinceNs, isDone }: FoundOfRange
): Pick<JobsMeta, 'found' | 'isLoading'> {
  const found = { ...{ total, offset, pageSize, counts }, ...(sinceNs !== undefined && { sinceMs: toMs(sinceNs) }) };
  return { found, ...(!isDone && { isLoading: true }) };
}

/** Until the end, or the last sign of life; to now while it runs; to the last point of a job without description. */
function readDurationMs(job: JobRecord, nowMs: number): number | null {
  const startedMs = readStartedMs(job);
  if (startedMs === null) return null;
  const lastNs = findLastPointNs(job) ?? job.lastSeenNs;
  const seenMs = job.state === undefined && lastNs !== undefined ? toMs(lastNs) : nowMs;
  return findJobDurationMs({ ...job, startedMs }, seenMs) ?? null;
}

/** Why it is in its state. Nobody wrote the end of a job that was lost. */
function readReason({ reason, aliveUntilMs }: JobRecord, nowMs: number): string | null {
  if (reason !== undefined || aliveUntilMs === undefined) return reason ?? null;
  return `no sign of life for ${formatDuration(nowMs - aliveUntilMs)}`;
}

/** What the job's description says, or else the last value of a metadata key of this name. */
function readProgress({ progress, values }: JobRecord): number | null {
  const share = progress ?? values.get('progress');
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : null;
}

/** A job that has ended or waits has nothing left that is known. */
function readRemainingS({ state, endedMs, aliveUntilMs, remainingS }: JobRecord): number | null {
  if ((endedMs ?? aliveUntilMs) !== undefined || !/^running$/i.test(state ?? '')) return null;
  return remainingS === undefined || remainingS === UNKNOWN_REMAINING_S ? null : remainingS;
}

function formatTags(tags: JobRecord['tags']): string | null {
  const pairs = Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? null : pairs.join(', ');
}

const SHOWN_VALUES = 4;

/** `epoch 3` each, without the metrics, which the job did not print. */
function listValues(values: JobRecord['values']): readonly string[] {
  return [...values].filter(([key]) => !isUsageKey(key)).map(([key, value]) => `${key} ${formatValue(value)}`);
}

/** A JSON array: a text may have any sign in it that could divide two values. */
function formatAllValues(values: JobRecord['values']): string | null {
  const printed = listValues(values);
  return printed.length === 0 ? null : JSON.stringify(printed);
}

/** `epoch 3, loss 0.2134, +5`: as much as fits in a list. */
function formatValues(values: JobRecord['values']): string | null {
  const printed = listValues(values);
  if (printed.length === 0) return null;
  const shown = printed.slice(0, SHOWN_VALUES);
  return [...shown, ...(printed.length > SHOWN_VALUES ? [`+${printed.length - SHOWN_VALUES}`] : [])].join(', ');
}

function formatValue(value: number | string): string {
  if (typeof value === 'string') return value.length > 24 ? `${value.slice(0, 23)}…` : value;
  return formatNumber(value);
}

function Editor(props: EditorProps<JoblensQuery>): React.ReactElement {
  return (
    <>
      <JobFields {...props} />
      <LimitField {...props} defaultLimit={DEFAULT_JOBS} />
    </>
  );
}
