import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import type { JobRecord } from '@joblens/core';
import { type JobsMeta, toMs } from './frame-meta.js';
import { createNotice } from './notice.js';

export interface JobsList {
  readonly refId: string;
  /** Newest first. */
  readonly jobs: readonly JobRecord[];
  /** How many there are before a limit took the newest of them. */
  readonly totalJobs: number;
  /** Until when a job that has not ended has been running. */
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

/** The columns in the order of the contract with the dashboards. */
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
export function createJobsFrame({ refId, jobs, totalJobs, nowMs, executedQuery }: JobsList): DataFrame {
  const custom: JobsMeta = { kind: 'jobs' };
  const isLimited = totalJobs > jobs.length;
  return toDataFrame({
    refId,
    name: 'jobs',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: { joblens: custom },
      notices: isLimited ? [createNotice(`The newest ${jobs.length} of ${totalJobs} jobs.`)] : [],
    },
    fields: FIELDS.map(({ name, type, unit, read }) => ({
      name,
      type,
      values: jobs.map((job) => read(job, nowMs)),
      config: unit === undefined ? {} : { unit },
    })),
  });
}

/** A job that waits has no start; of one that was only piped, the first line or table is taken. */
function readStartedMs(job: JobRecord): number | null {
  if (job.startedMs !== undefined) return job.startedMs;
  if (job.state !== undefined || job.submittedMs !== undefined) return null;
  return toMs(job.firstSeenNs ?? job.timeNs);
}

function readBeginMs(job: JobRecord): number {
  return readStartedMs(job) ?? job.submittedMs ?? toMs(job.timeNs);
}

/** The output's last points are written when the job has ended. */
const RANGE_MARGIN_MS = 2000;
/** A job that is only piped has no end: when it has been silent this long, the page need not follow it. */
const SILENCE_MS = 60_000;

function readRangeEnd(job: JobRecord, nowMs: number): string {
  if (job.endedMs !== undefined) return String(Math.ceil(job.endedMs) + RANGE_MARGIN_MS);
  if (job.state !== undefined || job.lastLogNs === undefined) return 'now';
  const lastMs = toMs(job.lastLogNs);
  return nowMs - lastMs < SILENCE_MS ? 'now' : String(Math.ceil(lastMs) + RANGE_MARGIN_MS);
}

/** Until the end, or until now while the job runs; without any description until the last line seen. */
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

/** `epoch 3, loss 0.2134, +5`: what a list has room for. */
function formatValues(values: JobRecord['values']): string | null {
  if (values.size === 0) return null;
  const shown = [...values].slice(0, SHOWN_VALUES).map(([key, value]) => `${key} ${formatNumber(value)}`);
  return [...shown, ...(values.size > SHOWN_VALUES ? [`+${values.size - SHOWN_VALUES}`] : [])].join(', ');
}

function formatNumber(value: number | string): string {
  if (typeof value === 'string') return value.length > 24 ? `${value.slice(0, 23)}…` : value;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
