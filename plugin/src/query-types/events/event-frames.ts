import { type DataFrame, type DataLink, FieldType, toDataFrame } from '@grafana/data';
import { createCustomMeta, type EventsMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import type { JobRange } from '../memory/job-range-memory.js';
import { createRangeFields } from '../jobs/job-ranges.js';

/** One event of a job, under the users' own names. */
interface EventRow {
  readonly timeNs: bigint;
  readonly job: string;
  readonly user: string;
  readonly topic: string;
  readonly fromState?: string | undefined;
  readonly toState?: string | undefined;
  /** JSON. */
  readonly data: string;
}

interface EventsAnswer {
  readonly refId: string;
  readonly name: string;
  /** In the order asked for. */
  readonly events: readonly EventRow[];
  readonly readRange: (event: EventRow) => JobRange;
  /** Says that there are more. */
  readonly notice: string | undefined;
  readonly executedQuery: string;
}

/** For Grafana's own panels; the views of our own panel link jobs with any characters in their ids. */
export const JOB_LINK: DataLink = {
  title: 'Open the job',
  url:
    '/d/joblens-job?var-job=${__value.raw:percentencode}&var-user=${__data.fields.user:percentencode}' +
    '&from=${__data.fields.from}&to=${__data.fields.to}',
};

/** One row an event. */
export function createEventsTable({ refId, name, events, readRange, notice, executedQuery }: EventsAnswer): DataFrame {
  const meta: EventsMeta = { kind: 'events', tsNs: events.map(({ timeNs }) => String(timeNs)), jobColumn: 'job' };
  const field = (title: string, type: FieldType, read: (event: EventRow) => string | number | null, config = {}) => ({
    name: title,
    type,
    values: events.map(read),
    config,
  });
  return toDataFrame({
    refId,
    name,
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: notice === undefined ? [] : [createNotice(notice)],
    },
    fields: [
      field('time', FieldType.time, ({ timeNs }) => toMs(timeNs)),
      field('job', FieldType.string, ({ job }) => job, { links: [JOB_LINK] }),
      field('user', FieldType.string, ({ user }) => user),
      field('topic', FieldType.string, ({ topic }) => topic),
      field('from_state', FieldType.string, ({ fromState }) => fromState ?? null),
      field('to_state', FieldType.string, ({ toState }) => toState ?? null),
      field('data', FieldType.string, ({ data }) => data),
      ...createRangeFields(events.map(readRange)),
    ],
  });
}
