import { formatPoint } from '@joblens/core/point/line-protocol';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { DEMO_NOW_MS } from './demo-data.js';

export const PART_READ_JOB = 'part-read';

const KEYS = ['step', 'loss'];
const ROWS = 20_000;
/** As if the writer were not through yet: so many rows are read part by part. */
const SAID_ROWS = 1_000_000;
const MS_A_ROW = 100;

/** Long before the other demo jobs, so that no list of the day has it. */
const FROM_MS = DEMO_NOW_MS - 10 * 24 * 3_600_000;
export const PART_READ_RANGE = { from: String(FROM_MS), to: String(FROM_MS + ROWS * MS_A_ROW) };

/** Line protocol of a job with a table that has no buckets, as an older ingester or another client writes it. */
export function createPartReadJob(): string {
  const source = { job: PART_READ_JOB, user: 'ann' };
  const series = createSeriesName(KEYS);
  const stats = createTableStats();
  const toNs = (at: number): bigint => BigInt(FROM_MS + at * MS_A_ROW) * 1_000_000n;
  const rows = Array.from(
    { length: ROWS },
    (_, at) => new Map([['step', at] as const, ['loss', 1 / (1 + at)] as const])
  );
  for (const row of rows) foldRow(stats, row);
  const points = [
    createJobPoint(source, { name: PART_READ_JOB, state: 'COMPLETED', startedMs: FROM_MS }, toNs(0)),
    ...rows.flatMap((row, at) => createMetadataPoints(source, series, row, toNs(at))),
    createSeriesPoint(source, { series, keys: KEYS, stats, x: 'step', rows: SAID_ROWS, timeNs: toNs(0) }),
  ];
  return points.map((point) => `${formatPoint(point)}\n`).join('');
}
