import type { SelectStatement } from '../influxql/nodes.js';
import { intersect, splitTimeRange, type TimeRange } from '../influxql/time-range.js';
import { MIN_TIME_NS } from '../point/line-protocol.js';
import { Refusal } from './refusal.js';

/** A graph has some thousands; a year of ten minutes has 52,560. */
const MAX_BUCKETS = 200_000n;

/**
 * Refuses a SELECT that makes very many buckets of time. A store makes each of them, also without points, unless it is
 * told fill(none): one query without bounds ends InfluxDB 1.x, whose `max-select-buckets` has no limit by default. The
 * bounds of a query hold for those inside it.
 */
export function checkBuckets(select: SelectStatement, nowNs: bigint, outer: TimeRange = {}): void {
  const range = intersect(splitTimeRange(select.where, nowNs).range, outer);
  for (const source of select.from) if (source.kind === 'subquery') checkBuckets(source.select, nowNs, range);
  const interval = select.groupBy?.dimensions.find((dimension) => dimension.kind === 'time')?.intervalNs;
  if (interval === undefined || interval <= 0n || select.groupBy?.fill === 'none') return;
  const { fromNs = MIN_TIME_NS, toNs = nowNs } = range;
  if ((toNs - fromNs) / interval <= MAX_BUCKETS) return;
  throw new Refusal(
    'buckets',
    `A query makes at most ${MAX_BUCKETS} buckets of time: narrow its time, group by a longer one, or add fill(none)`
  );
}
