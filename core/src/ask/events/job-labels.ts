import { parseJsonObject } from '../../json/bounded-json.js';
import { createCallColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { JOB_FIELDS } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTagCondition, MAX_NAMED_JOBS, whereAll } from '../reading/selection.js';

/** What an EventFilter asks of a job itself. */
export interface JobLabels {
  readonly tags: Readonly<Record<string, unknown>>;
  readonly schedulerId?: string;
}

/** Whether the descriptions of jobs decide. */
export function needsLabels({ tags = {}, schedulerIds = [] }: EventFilter): boolean {
  return Object.keys(tags).length > 0 || schedulerIds.length > 0;
}

export function matchesLabels({ tags = {}, schedulerIds = [] }: EventFilter, labels: JobLabels | undefined): boolean {
  const found = labels?.tags ?? {};
  return (
    Object.entries(tags).every(([key, value]) => Object.hasOwn(found, key) && found[key] === value) &&
    (schedulerIds.length === 0 || (labels?.schedulerId !== undefined && schedulerIds.includes(labels.schedulerId)))
  );
}

/** Finds the labels of the named jobs of all users, by formatJobKey. */
export function* findJobLabels(names: readonly string[]): Reading<ReadonlyMap<string, JobLabels>> {
  const found = new Map<string, JobLabels>();
  for (let at = 0; at < names.length; at += MAX_NAMED_JOBS) {
    const [result] = yield [jobLabelsQuery(names.slice(at, at + MAX_NAMED_JOBS))];
    for (const [key, labels] of readJobLabels(result)) found.set(key, labels);
  }
  return found;
}

function jobLabelsQuery(jobs: readonly string[]): SelectStatement {
  return createSelect({
    columns: [
      createCallColumn('last', JOB_FIELDS.tags, 'tags'),
      createCallColumn('last', JOB_FIELDS.schedulerId, 'scheduler_id'),
    ],
    from: [createMeasurement(MEASUREMENT.job)],
    ...whereAll(createTagCondition('job', jobs)),
    groupBy: { dimensions: ['job', 'user'].map(createTagDimension) },
  });
}

/** The labels in the result of jobLabelsQuery, by formatJobKey. */
function readJobLabels(result: ReadableResult): ReadonlyMap<string, JobLabels> {
  const found = new Map<string, JobLabels>();
  for (const series of listSeries(result)) {
    const key = formatJobKey({ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '' });
    for (const row of listRows(series)) {
      const schedulerId = row.text('scheduler_id');
      found.set(key, { tags: parseTags(row.text('tags')), ...(schedulerId !== undefined && { schedulerId }) });
    }
  }
  return found;
}

function parseTags(json: string | undefined): JobLabels['tags'] {
  return parseJsonObject(json ?? '') ?? {};
}
