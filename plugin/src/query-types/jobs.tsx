import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { addJobValues, type JobRecord, jobsQuery, jobValuesQuery, readJobs } from '@joblens/core';
import React from 'react';
import { map, type Observable, of, switchMap } from 'rxjs';
import { createCustomMeta, type JobsMeta } from '../frames/frame-meta.js';
import { createNotice } from '../frames/notice.js';
import { toMs } from '../frames/times.js';
import { fillInFields } from './change-query.js';
import { JobFields, LimitField } from './editor-fields.js';
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

const DEFAULT_JOBS = 1000;
/** This many jobs of a list, the newest, come with their last metadata values. */
const MAX_JOBS_WITH_VALUES = 200;

export const jobs: QueryType = {
  label: 'Jobs',
  description: 'One row a job',
  run,
  describe: ({ job, user }) => describeParts('jobs', job, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'task'], scopedVars, templates),
  Editor,
};

/**
 * Asks for the list first, then for the last metadata values of the newest jobs. The values of thousands of jobs
 * would be most of the answer.
 */
function run(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  const { client, requestId, fromNs, toNs, nowMs } = context;
  const request = { job: fillIn(query.job, context), user: fillIn(query.user, context), fromNs, toNs, values: false };
  const statements = jobsQuery(request);
  const limit = readLimit(query.limit, DEFAULT_JOBS);
  return client.query(statements, requestId).pipe(
    switchMap((results) => {
      const found = readJobs(results, request);
      const executedQuery = printAll(statements);
      return addValues(found.slice(0, limit), context).pipe(
        map((valued) => [
          createJobsFrame({ refId: query.refId, jobs: valued, totalJobs: found.length, nowMs, executedQuery }),
        ])
      );
    })
  );
}

function addValues(list: readonly JobRecord[], { client, requestId }: RunContext): Observable<readonly JobRecord[]> {
  const newest = list.slice(0, MAX_JOBS_WITH_VALUES);
  if (newest.length === 0) return of(list);
  return client
    .query([jobValuesQuery(newest)], `${requestId}/values`)
    .pipe(map(([result]) => [...addJobValues(newest, result), ...list.slice(newest.length)]));
}

interface JobsList {
  readonly refId: string;
  /** Newest first. */
  readonly jobs: readonly JobRecord[];
  /** How many there are, beyond the limit too. */
  readonly totalJobs: number;
  /** A job that has not ended has been running until now. */
  readonly nowMs: number;
  readonly executedQuery: string;
}

type Cell = string | number | null;
interface FieldSpec {
  readonly name: string;
  readonly type: FieldType;
  readonly unit?: string;
  readonly read: (job: JobRecord, nowMs: number) => Cell;
}

/** The dashboards name these columns. */
const FIELDS: readonly FieldSpec[] = [
  { name: 'started', type: FieldType.time, read: readStartedMs },
  { name: 'job', type: FieldType.string, read: (job) => job.job },
  { name: 'user', type: FieldType.string, read: (job) => job.user },
  { name: 'name', type: FieldType.string, read: (job) => job.name ?? null },
  { name: 'state', type: FieldType.string, read: (job) => job.state ?? null },
  { name: 'submitted', type: FieldType.time, read: (job) => job.submittedMs ?? null },
  { name: 'ended', type: FieldType.time, read: (job) => job.endedMs ?? null },
  { name: 'duration', type: FieldType.number, unit: 'ms', read: readDurationMs },
  { name: 'nodes', type: FieldType.number, read: (job) => job.nodes ?? null },
  { name: 'queue', type: FieldType.string, read: (job) => job.queue ?? null },
  { name: 'host', type: FieldType.string, read: (job) => job.host ?? null },
  { name: 'exit_code', type: FieldType.number, read: (job) => job.exitCode ?? null },
  { name: 'command', type: FieldType.string, read: (job) => job.command ?? null },
  { name: 'tags', type: FieldType.string, read: (job) => formatTags(job.tags) },
  { name: 'values', type: FieldType.string, read: (job) => formatValues(job.values) },
  // The job's own time range as a link's `from` and `to`; text, so that no panel formats it.
  { name: 'from', type: FieldType.string, read: (job) => String(Math.floor(readBeginMs(job))) },
  { name: 'to', type: FieldType.string, read: readRangeEnd },
];

/** One row a job, newest first: a list to read, not a series to draw. */
export function createJobsFrame({ refId, jobs: list, totalJobs, nowMs, executedQuery }: JobsList): DataFrame {
  const meta: JobsMeta = { kind: 'jobs' };
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
    fields: FIELDS.map(({ name, type, unit, read }) => ({
      name,
      type,
      values: list.map((job) => read(job, nowMs)),
      config: unit === undefined ? {} : { unit },
    })),
  });
}

/** A job that waits has no start. A job that was only piped starts with its first line or table. */
function readStartedMs(job: JobRecord): number | null {
  if (job.startedMs !== undefined) return job.startedMs;
  if (job.state !== undefined || job.submittedMs !== undefined) return null;
  return toMs(job.firstSeenNs ?? job.timeNs);
}

function readBeginMs(job: JobRecord): number {
  return readStartedMs(job) ?? job.submittedMs ?? toMs(job.timeNs);
}

/** The last points are written after the job's end. */
const RANGE_MARGIN_MS = 2000;
/** A job that is only piped has no end: after this long without a line, the page no longer follows it. */
const SILENCE_MS = 60_000;

function readRangeEnd(job: JobRecord, nowMs: number): string {
  if (job.endedMs !== undefined) return String(Math.ceil(job.endedMs) + RANGE_MARGIN_MS);
  if (job.state !== undefined || job.lastLogNs === undefined) return 'now';
  const lastMs = toMs(job.lastLogNs);
  return nowMs - lastMs < SILENCE_MS ? 'now' : String(Math.ceil(lastMs) + RANGE_MARGIN_MS);
}

/** Until the end; until now while the job runs; until the last line for a job without description. */
function readDurationMs(job: JobRecord, nowMs: number): number | null {
  const startedMs = readStartedMs(job);
  if (startedMs === null) return null;
  const seenMs = job.state === undefined && job.lastSeenNs !== undefined ? toMs(job.lastSeenNs) : nowMs;
  return Math.max(0, (job.endedMs ?? seenMs) - startedMs);
}

function formatTags(tags: JobRecord['tags']): string | null {
  const pairs = Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? null : pairs.join(', ');
}

const SHOWN_VALUES = 4;

/** `epoch 3, loss 0.2134, +5`: as much as fits in a list. */
function formatValues(values: JobRecord['values']): string | null {
  if (values.size === 0) return null;
  const shown = [...values].slice(0, SHOWN_VALUES).map(([key, value]) => `${key} ${formatNumber(value)}`);
  return [...shown, ...(values.size > SHOWN_VALUES ? [`+${values.size - SHOWN_VALUES}`] : [])].join(', ');
}

function formatNumber(value: number | string): string {
  if (typeof value === 'string') return value.length > 24 ? `${value.slice(0, 23)}…` : value;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function Editor(props: EditorProps<JoblensQuery>): React.ReactElement {
  return (
    <>
      <JobFields {...props} />
      <LimitField {...props} defaultLimit={DEFAULT_JOBS} />
    </>
  );
}
