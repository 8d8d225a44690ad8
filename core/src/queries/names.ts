import { createColumn, createMeasurement, createSelect, createTimeComparison, freezeNode } from '../influxql/build.js';
import type { Statement } from '../influxql/nodes.js';
import { compareNatural } from '../rows/natural-order.js';
import { compareCodePoints } from '../point/utf8.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult } from './result-rows.js';
import { createTagCondition, whereAll } from './selection.js';
import type { NameSelection } from './selection.js';
import { parseStringArray } from './tables.js';

export type NameKind = 'jobs' | 'users' | 'series' | 'fields' | 'tasks';

export interface NamesRequest {
  readonly kind: NameKind;
  readonly job?: NameSelection;
  readonly user?: NameSelection;
  readonly series?: NameSelection;
}

/** Every measurement that can be the only one a job has points in. */
const JOB_MEASUREMENTS = [MEASUREMENT.job, MEASUREMENT.log, MEASUREMENT.series];

const TAG_OF: Readonly<Record<Exclude<NameKind, 'fields'>, string>> = {
  jobs: 'job',
  users: 'user',
  series: 'series',
  tasks: 'task',
};

/**
 * Which names exist, for a list to choose from. Fields are the keys of the selected tables; SHOW FIELD KEYS would give
 * every job's.
 */
export function namesQuery(request: NamesRequest): Statement[] {
  const chosen = [
    createTagCondition('job', request.job),
    createTagCondition('user', request.user),
    createTagCondition('series', request.series),
  ];
  if (request.kind === 'fields') {
    return [
      createSelect({
        columns: [createColumn('keys')],
        from: [createMeasurement(MEASUREMENT.series)],
        ...whereAll(...chosen),
      }),
    ];
  }
  const isOfTable = request.kind === 'series' || request.series !== undefined;
  const from = (isOfTable ? [MEASUREMENT.series] : JOB_MEASUREMENTS).map(createMeasurement);
  const key = freezeNode({ operator: '=', name: TAG_OF[request.kind] });
  // Without a time, InfluxDB 3 looks only at the last day.
  const where = whereAll(...chosen, createTimeComparison('>=', 0n));
  return [freezeNode({ kind: 'showTagValues', from, key, ...where })];
}

/** The names without repeats: jobs with the highest number first, fields in printed order, others sorted. */
export function readNames(kind: NameKind, results: readonly ReadableResult[]): string[] {
  if (kind === 'fields') return unique(results.flatMap(readKeyLists));
  const names = unique(results.flatMap(readTagValues));
  if (kind === 'jobs') return names.sort((a, b) => compareNatural(b, a));
  return names.sort(kind === 'tasks' ? compareNatural : compareCodePoints);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function readKeyLists(result: ReadableResult): string[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) => parseStringArray(row.text('keys') ?? ''))
  );
}

function readTagValues(result: ReadableResult): string[] {
  return listSeries(result).flatMap((series) => {
    const valueAt = series.columns.indexOf('value');
    return series.values.flatMap((values) => {
      const stored = values[valueAt];
      const name = typeof stored === 'string' ? decodeTag(stored) : undefined;
      return name === undefined ? [] : [name];
    });
  });
}
