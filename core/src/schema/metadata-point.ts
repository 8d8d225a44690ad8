import { formatTableStats, type TableStats } from '../table/table-stats.js';
import { formatKeyPaths } from '../table/key-paths.js';
import type { KeyPaths, MetadataRow } from '../table/metadata-row.js';
import type { Point } from '../point/point.js';
import { encodeFieldKey } from './field-name.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { sourceTags } from './source-tags.js';

/**
 * Where a store may keep either of two versions of a point, each summary of a run of a table has the next nanosecond.
 * So all of them are less than this behind the first row of the run. Rows are further apart.
 */
export const SUMMARIES_SPREAD_NS = 1000n;

/** The content of job_series for one table. */
export interface SeriesSummary {
  /** The table's name (createSeriesName). */
  readonly series: string;
  /** The keys in the order printed. */
  readonly keys: readonly string[];
  readonly stats: TableStats;
  /** The key that the X ladder has chosen so far, if any. */
  readonly x: string | undefined;
  readonly rows: number;
  /** Where those keys come from that were nested in the table's first row. Default: none was. */
  readonly paths?: KeyPaths;
  /** Time of the table's first row, or just behind it (SUMMARIES_SPREAD_NS). */
  readonly timeNs: bigint;
}

/**
 * The points of one metadata line: its numbers as float fields of `job_metadata`, the rest as string fields of
 * `job_metadata_text`, both at the line's time. If the line has no value of one kind, there is no point of that kind.
 * `inexact` are those of listInexactIntegers, which have a field of either kind.
 */
export function createMetadataPoints(
  source: JobSource,
  series: string,
  row: MetadataRow,
  timeNs: bigint,
  inexact?: ReadonlyMap<string, number>
): Point[] {
  const numbers = new Map<string, number>();
  const texts = new Map<string, string>();
  for (const [key, value] of row) {
    if (typeof value === 'number') {
      numbers.set(encodeFieldKey(key), value);
    } else {
      texts.set(encodeFieldKey(key), value);
      const number = inexact?.get(key);
      if (number !== undefined) numbers.set(encodeFieldKey(key), number);
    }
  }
  const tags = sourceTags(source, 'series', series);
  const points: Point[] = [];
  if (numbers.size > 0) {
    points.push({ measurement: MEASUREMENT.metadata, tags, fields: numbers, timeNs });
  }
  if (texts.size > 0) {
    points.push({ measurement: MEASUREMENT.metadataText, tags, fields: texts, timeNs });
  }
  return points;
}

/** The `job_series` point of one table. */
export function createSeriesPoint(source: JobSource, summary: SeriesSummary): Point {
  const fields = new Map<string, string | number>();
  fields.set('keys', JSON.stringify(summary.keys));
  fields.set('stats', formatTableStats(summary.stats));
  if (summary.x !== undefined) {
    fields.set('x', summary.x);
  }
  fields.set('rows', summary.rows);
  if (summary.paths !== undefined && summary.paths.size > 0) {
    fields.set('paths', formatKeyPaths(summary.paths));
  }
  const tags = sourceTags(source, 'series', summary.series);
  return { measurement: MEASUREMENT.series, tags, fields, timeNs: summary.timeNs };
}
