import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import {
  addFailureReasons,
  type Failure,
  failureReasonsQuery,
  type FailuresRequest,
  findFailures,
} from '@joblens/core/ask/events/failures';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { type JobRecord, readJobs } from '@joblens/core/ask/jobs/jobs';
import type { Reading } from '@joblens/core/ask/reading/reading';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import { map, type Observable } from 'rxjs';
import { createCustomMeta, type EventsMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { STATE_MAPPINGS } from '../../frames/state-kind.js';
import { toMs } from '../../frames/times.js';
import { JOB_LINK } from './event-frames.js';
import { createEventFilter, type EventFilterQuery } from '../parts/event-filter.js';
import type { JobRange } from '../memory/job-range-memory.js';
import { createRangeFields, readJobRange } from '../jobs/job-ranges.js';
import type { RunContext } from '../parts/query-type.js';
import { runReading, withQuery } from '../parts/run-reading.js';

/** The newest jobs that failed, with the reason that their descriptions give. */
export function readFailureTable(query: EventFilterQuery, limit: number, context: RunContext): Observable<DataFrame[]> {
  const { users, toStates, afterNs = context.fromNs, beforeNs = context.toNs } = createEventFilter(query, context);
  const states = toStates !== undefined && toStates.length > 0 ? { states: toStates } : {};
  const request = { fromNs: afterNs, toNs: beforeNs, user: users, ...states, limit };
  return runReading(() => readFailures(request), context).pipe(
    map(({ failures, described, ...rest }) => {
      const ranges = listRanges(failures, readJobs([described]), context);
      const explained = addFailureReasons(failures, described);
      return [createFailuresFrame({ ...rest, refId: query.refId, failures: explained, ranges })];
    })
  );
}

interface FoundFailures extends Pick<FailuresAnswer, 'failures' | 'isLimited' | 'executedQuery'> {
  /** The descriptions of their jobs. */
  readonly described: ReadableResult;
}

function* readFailures(request: FailuresRequest): Reading<FoundFailures> {
  const { answer, executedQuery } = yield* withQuery(findFailures(request));
  const { failures, isCut: isLimited } = answer;
  const [described] = yield failures.length === 0 ? [] : [failureReasonsQuery(failures)];
  return { failures, described, isLimited, executedQuery };
}

/** The time range of each job; that of the panel where nothing describes the job. */
function listRanges(
  failures: readonly Failure[],
  described: readonly JobRecord[],
  { fromNs, toNs, nowMs }: RunContext
): JobRange[] {
  const ofPanel = { from: String(toMs(fromNs)), to: String(toMs(toNs)) };
  const ranges = new Map(described.map((job) => [formatJobKey(job), readJobRange(job, nowMs)]));
  return failures.map((failure) => ranges.get(formatJobKey(failure)) ?? ofPanel);
}

interface FailuresAnswer {
  readonly refId: string;
  readonly failures: readonly Failure[];
  /** One for each failure. */
  readonly ranges: readonly JobRange[];
  /** There are older ones. */
  readonly isLimited: boolean;
  readonly executedQuery: string;
}

function createFailuresFrame({ refId, failures, ranges, isLimited, executedQuery }: FailuresAnswer): DataFrame {
  const meta: EventsMeta = { kind: 'events', tsNs: failures.map(({ timeNs }) => String(timeNs)), jobColumn: 'job' };
  const field = (name: string, type: FieldType, read: (failure: Failure) => string | number | null, config = {}) => ({
    name,
    type,
    values: failures.map(read),
    config,
  });
  return toDataFrame({
    refId,
    name: 'failures',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: isLimited ? [createNotice(`The newest ${failures.length} failures; there are older ones.`)] : [],
    },
    fields: [
      field('time', FieldType.time, ({ timeNs }) => toMs(timeNs)),
      field('job', FieldType.string, ({ job }) => job, { links: [JOB_LINK] }),
      field('state', FieldType.string, ({ state }) => state, { mappings: STATE_MAPPINGS }),
      field('reason', FieldType.string, ({ reason }) => reason ?? null),
      field('user', FieldType.string, ({ user }) => user),
      field('name', FieldType.string, ({ name }) => name ?? null),
      field('runtime', FieldType.number, ({ runtimeS }) => runtimeS ?? null, { unit: 's' }),
      field('nodes', FieldType.number, ({ nodes }) => nodes ?? null),
      field('exit_code', FieldType.number, ({ exitCode }) => exitCode ?? null),
      ...createRangeFields(ranges),
    ],
  });
}
