import type { TextFacts } from '../../experiment/manifest.js';
import { createColumn, createMeasurement, createSelect, createTimeComparison } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries } from '../reading/result-rows.js';
import { createTagCondition, whereAll } from '../reading/selection.js';

/** How many points are asked for at once: each has 64 KiB at most, and mostly a line. */
const POINTS_AT_ONCE = 5000;

/** Names a text of a job. */
export interface TextName {
  readonly job: string;
  readonly user: string;
  /** `patch`, `packages`, `script`, …: a key of the manifest's `texts`. */
  readonly name: string;
}

/**
 * The lines of a long text of a job. A job that ran several times has written it as often: the number of lines in
 * the manifest tells which are those of the last time.
 */
export function* readJobText(text: TextName, { lines: count }: Pick<TextFacts, 'lines'>): Reading<readonly string[]> {
  const lines: string[] = [];
  for (let afterNs = -1n; ;) {
    const [result] = yield [jobTextQuery(text, afterNs)];
    const rows = listSeries(result).flatMap(listRows);
    for (const row of rows) {
      const line = row.text('line') ?? '';
      if (lines.length > 0 && (row.number('part') ?? 0) > 0) lines.push(`${lines.pop()}${line}`);
      else lines.push(line);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < POINTS_AT_ONCE) break;
    afterNs = last.timeNs;
  }
  return count === undefined ? lines : lines.slice(Math.max(0, lines.length - count));
}

function jobTextQuery({ job, user, name }: TextName, afterNs: bigint): SelectStatement {
  return createSelect({
    columns: ['line', 'part'].map((column) => createColumn(column)),
    from: [createMeasurement(MEASUREMENT.text)],
    ...whereAll(
      createTagCondition('job', job),
      createTagCondition('user', user),
      createTagCondition('name', name),
      afterNs < 0n ? undefined : createTimeComparison('>', afterNs)
    ),
    limit: POINTS_AT_ONCE,
  });
}
