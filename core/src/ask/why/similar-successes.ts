import { createColumn, createMeasurement, createSelect, createTagEquals } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { DAY_NS } from '../../numbers/time-units.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { findStateKind, STATES } from '../../words/states.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import type { JobRecord } from '../jobs/jobs.js';
import { describeFound } from '../jobs/list-jobs.js';
import { findLabelledJobs } from '../labels/labelled-jobs.js';
import { IS_REMEMBERED } from '../reading/forgotten-jobs.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';

/** How jobs that went well are like the one that failed. */
export type Likeness = 'name' | 'experiment' | 'group';

export interface SimilarSuccesses {
  readonly by: Likeness;
  /** The newest first. */
  readonly jobs: readonly string[];
}

const COMPLETED: readonly string[] = STATES.filter((state) => findStateKind(state) === 'completed');
/** Most jobs ran before within weeks; to look further costs a look into each shard. */
const LOOKS_BACK_NS: readonly bigint[] = [30n * DAY_NS, 730n * DAY_NS];
/** Two may tell of one job, and one may have failed since. */
const MAX_FOUND = 20;
/** The newest jobs of an experiment that are looked at. */
const MAX_LABELLED = 200;
const LABELS = ['experiment', 'group'] as const;

/**
 * The newest jobs of the same user that went well before this one ended: of the same name, or else of the same
 * experiment or group. Undefined where there is none.
 */
export function* findSimilarSuccesses(
  record: Pick<JobRecord, 'job' | 'user' | 'name' | 'tags' | 'timeNs'>,
  toNs: bigint
): Reading<SimilarSuccesses | undefined> {
  const { name = '', user } = record;
  const isOther = (job: string): boolean => job !== record.job;
  for (const backNs of name === '' ? [] : LOOKS_BACK_NS) {
    const [result] = yield [successesQuery({ name, user, fromNs: record.timeNs - backNs, toNs })];
    const jobs = readSuccesses(result).filter(isOther);
    if (jobs.length > 0) return { by: 'name', jobs };
  }
  for (const key of LABELS) {
    const value = record.tags?.[key];
    if (value === undefined) continue;
    const labelled = yield* findLabelledJobs({ labels: [{ key, value }], user });
    const described = yield* describeFound(labelled.slice(0, MAX_LABELLED), { config: false });
    const ended = described.filter(({ state = '', timeNs }) => COMPLETED.includes(state) && timeNs <= toNs);
    const jobs = ended.map(({ job }) => job).filter(isOther);
    if (jobs.length > 0) return { by: key, jobs };
  }
  return undefined;
}

interface SuccessesRequest {
  readonly name: string;
  readonly user: string;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** Changes of state are in few series, however many jobs there are. */
function successesQuery({ name, user, ...range }: SuccessesRequest): SelectStatement {
  return createSelect({
    columns: ['job', 'user'].map((column) => createColumn(column)),
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(
      createTagCondition('to_state', COMPLETED),
      createTagCondition('user', user),
      createTagEquals('name', name),
      IS_REMEMBERED,
      ...createTimeConditions(range)
    ),
    orderBy: 'DESC',
    limit: MAX_FOUND,
  });
}

function readSuccesses(result: ReadableResult): string[] {
  const jobs = listSeries(result)
    .flatMap(listRows)
    .flatMap((row) => {
      const job = decodeTag(row.text('job'));
      return job === undefined ? [] : [{ job, user: decodeTag(row.text('user')) ?? '' }];
    });
  return [...new Map(jobs.map((one) => [formatJobKey(one), one.job])).values()];
}
