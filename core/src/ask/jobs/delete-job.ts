import { createColumn, createMeasurement, createSelect, createTagEquals, freezeNode } from '../../influxql/build.js';
import type { SelectStatement, Statement } from '../../influxql/nodes.js';
import type { Point } from '../../point/point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeName } from '../../schema/name-transport.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';

interface JobName {
  readonly job: string;
  readonly user: string;
}

/** The measurements in which the job is a field: its points can only be overwritten. */
const MARKS: readonly string[] = [MEASUREMENT.heartbeat, MEASUREMENT.transition, MEASUREMENT.label];

/** The measurements that have the job as a tag: its series can be dropped. */
export const JOB_SERIES_MEASUREMENTS: readonly string[] = Object.values(MEASUREMENT).filter(
  (name) => !MARKS.includes(name)
);

/** Drop all series of a job; each statement those of one measurement, as not every engine takes several. */
export function dropJobStatements({ job, user }: JobName): readonly Statement[] {
  return JOB_SERIES_MEASUREMENTS.map((name) =>
    freezeNode({
      kind: 'dropSeries',
      from: [createMeasurement(name)],
      ...whereAll(createTagCondition('job', job), createTagCondition('user', user)),
    })
  );
}

/** The heartbeats, transitions and labels of a job in a range, by their series: there the job is a field. */
export function jobMarksQueries({ job, user }: JobName, range: TimeSelection): readonly SelectStatement[] {
  return MARKS.map((measurement) =>
    createSelect({
      columns: [createColumn('job')],
      from: [createMeasurement(measurement)],
      ...whereAll(
        createTagEquals('job', encodeName(job)),
        createTagCondition('user', user),
        ...createTimeConditions(range)
      ),
      groupBy: { dimensions: [freezeNode({ kind: 'wildcard' } as const)] },
    })
  );
}

/**
 * Points that overwrite what jobMarksQueries has found. A heartbeat or label without a job counts nowhere; a transition
 * still counts, as one of a job with the substitute's name.
 */
export function createForgottenPoints(results: readonly ReadableResult[], substitute: string): Point[] {
  return results.flatMap(listSeries).flatMap((series) => {
    const tags = new Map(Object.entries(series.tags ?? {}).filter((tag): tag is [string, string] => !!tag[1]));
    const fields: ReadonlyArray<readonly [string, string]> =
      series.name === MEASUREMENT.transition
        ? [
            ['job', substitute],
            ['name', ''],
            ['data', ''],
          ]
        : [['job', '']];
    return listRows(series).map(({ timeNs }) => ({
      ...{ measurement: series.name, tags, timeNs },
      fields: new Map(fields),
    }));
  });
}
