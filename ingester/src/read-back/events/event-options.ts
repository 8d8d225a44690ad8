import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import { DAY_MS } from '@joblens/core/numbers/time-units';
import { ok, type Result } from '@joblens/core/result/result';
import { list, option } from '../../config/option.js';
import { nonEmptyText } from '../../config/value-types.js';
import { findRange, type PointInTime, pointInTime } from '../shell/point-in-time.js';

/** The options of subcommands that read what happened to jobs at some time. */
export const WHEN_AND_WHOSE = {
  job: list('--job <id>', nonEmptyText, { help: 'of this job, at any time; repeat it for more', completes: 'job' }),
  user: list('--user <name>', nonEmptyText, { help: 'of jobs of this user; repeat it for more', completes: 'user' }),
  after: option('--after <time>', pointInTime, {
    help: 'at or after this time',
    shownDefault: 'a day before --before; any time with --job',
  }),
  before: option('--before <time>', pointInTime, { help: 'at or before this time', shownDefault: 'now' }),
};

interface WhenAndWhose {
  readonly job: readonly string[];
  readonly user: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
}

/** What these options ask for. Without a job and a time, the last day: what it costs must follow what is asked. */
export function createRangeFilter(
  { job, user, after, before }: WhenAndWhose,
  nowMs: number
): Result<Pick<EventFilter, 'jobs' | 'users' | 'afterNs' | 'beforeNs'>, string> {
  const names = { jobs: job, users: user };
  if (job.length > 0 && after === undefined) {
    return ok({ ...names, ...(before !== undefined && { beforeNs: before(nowMs) }) });
  }
  const range = findRange({ after, before }, nowMs, DAY_MS);
  if (!range.ok) return range;
  const { fromNs: afterNs, toNs: beforeNs } = range.value;
  return ok({ ...names, afterNs, ...(before !== undefined && { beforeNs }) });
}
