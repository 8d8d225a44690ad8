import { createMeasurement, freezeNode } from '../../influxql/build.js';
import type { Statement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { JOB_SERIES_MEASUREMENTS } from './delete-job.js';
import { type ReadableResult, readTagValues } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, SINCE_EVER, whereAll } from '../reading/selection.js';

/** Buckets come with rows only, levels with spans, and texts with a description. */
const COMING_ALONG: readonly string[] = [MEASUREMENT.metadataBucket, MEASUREMENT.spanLevel, MEASUREMENT.text];
const MEASUREMENTS = JOB_SERIES_MEASUREMENTS.filter((name) => !COMING_ALONG.includes(name));

/** Which users have a job of this id, whatever of it is stored. The store's index answers. */
export function jobOwnersQuery(job: string): Statement {
  return freezeNode({
    kind: 'showTagValues',
    from: MEASUREMENTS.map(createMeasurement),
    key: freezeNode({ operator: '=', name: 'user' }),
    ...whereAll(createTagCondition('job', job), ...createTimeConditions(SINCE_EVER)),
  });
}

/** The users in the result of jobOwnersQuery, each once. */
export function readJobOwners(result: ReadableResult): readonly string[] {
  return [...new Set(readTagValues(result))].sort();
}
