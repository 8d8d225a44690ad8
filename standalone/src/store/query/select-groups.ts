import { compareCodePoints } from '@joblens/core/point/utf8';
import type { Condition } from '@joblens/core/influxql/nodes';
import type { Measurement, Series } from '../kept/catalog.js';
import type { SelectedSeries } from './points-source.js';
import type { RegexMatcher } from './values/regex-matcher.js';
import type { TimeRange } from '@joblens/core/influxql/time-range';

/** The part of a SELECT that is the same for all its measurements. */
export interface SelectContext {
  readonly range: TimeRange;
  readonly condition: Condition | undefined;
  readonly matches: RegexMatcher;
  readonly isDescending: boolean;
  readonly nowNs: bigint;
  /** 0 or absent means all. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface GroupedSeries {
  readonly measurement: Measurement;
  readonly selected: readonly SelectedSeries[];
  /** The tags of each group, in the order of InfluxDB's answers. */
  readonly groups: readonly ReadonlyMap<string, string>[];
}

export interface GroupOptions {
  readonly dimensions: readonly string[];
  readonly seriesLimit?: number | undefined;
  readonly seriesOffset?: number | undefined;
}

/** Groups series by the values of some tags. SLIMIT and SOFFSET count groups, including those that turn out empty. */
export function groupSeries(measurement: Measurement, series: readonly Series[], options: GroupOptions): GroupedSeries {
  const { dimensions, seriesLimit = 0, seriesOffset = 0 } = options;
  const byValues = new Map<string, { readonly values: readonly string[]; readonly members: Series[] }>();
  for (const one of series) {
    const values = dimensions.map((key) => one.tags.get(key) ?? '');
    const key = values.join('\n');
    const group = byValues.get(key);
    if (group) group.members.push(one);
    else byValues.set(key, { values, members: [one] });
  }
  const sorted = [...byValues.values()].sort((a, b) => compareLists(a.values, b.values));
  const kept = sorted.slice(seriesOffset, seriesLimit > 0 ? seriesOffset + seriesLimit : undefined);
  return {
    measurement,
    selected: kept.flatMap(({ members }, group) => members.map((member) => ({ series: member, group }))),
    groups: kept.map(({ values }) => new Map(dimensions.map((key, i) => [key, values[i] ?? '']))),
  };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length; i += 1) {
    const order = compareCodePoints(a[i] ?? '', b[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
