import { formatPoint } from '@joblens/core/point/line-protocol';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';

export const SOURCE = { job: '7', user: 'ann' };
export const ROWS = 20;

/** A job of two lines on a graph, with a coloured log. */
export function createPoints(nowMs: number): string {
  const toNs = (ms: number): bigint => BigInt(ms) * 1_000_000n;
  const startedMs = nowMs - 60_000;
  const keys = ['epoch', 'loss', 'accuracy'];
  const series = createSeriesName(keys);
  const stats = createTableStats();
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const cells = new Map(keys.map((key, column) => [key, [at, 2 - at / ROWS, at / ROWS][column] ?? 0]));
    foldRow(stats, cells);
    return createMetadataPoints(SOURCE, series, cells, toNs(startedMs + 1000 * at));
  });
  const points = [
    createJobPoint(SOURCE, { name: 'small', state: 'RUNNING', progress: 0.5, startedMs }, toNs(startedMs)),
    ...rows.flat(),
    createSeriesPoint(SOURCE, { series, keys, stats, x: 'epoch', rows: ROWS, timeNs: toNs(startedMs) }),
    ...Array.from({ length: 30 }, (_, at) => {
      const text = { line: `line ${at}`, ansi: `\u001b[31mline ${at}\u001b[0m` };
      return createLogPoints(SOURCE, {
        ...{ stream: 'stdout', kind: 'output', timeNs: toNs(startedMs + 1000 * at) },
        ...text,
      });
    }).flat(),
  ];
  return points.map((point) => formatPoint(point)).join('\n');
}
