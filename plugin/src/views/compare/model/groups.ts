import type { DataFrame } from '@grafana/data';
import { judge } from '@joblens/core/ask/comparison/describe-groups';
import { findStep } from '@joblens/core/ask/comparison/format-fact';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { type GroupsMeta, readGroupsMeta } from '../../../frames/comparison-meta.js';
import { readValues } from '../../../frames/field-values.js';

/** Runs that share a value. */
export interface GroupRow {
  readonly name: string;
  readonly runs: number;
  readonly seeds: number | undefined;
  /** `0.21 ± 0.01`; undefined where no run has the number. */
  readonly mean: string | undefined;
  readonly meanValue: number | undefined;
  /** Means of the other numbers, in their order. */
  readonly others: ReadonlyArray<string | undefined>;
  /** How far it is from the best, and how surely; undefined of the best. */
  readonly behind: string | undefined;
  /** The same in a sentence. */
  readonly verdict: string | undefined;
  /** The number of each run. */
  readonly points: readonly number[];
}

export interface GroupsTable extends GroupsMeta {
  /** Numbers that are shown beside the metric. */
  readonly otherMetrics: readonly string[];
  /** The best first. */
  readonly rows: readonly GroupRow[];
  /** What there is to say, in one sentence. */
  readonly statement: string;
}

/** The frame that Groups made; undefined where there is none. */
export function readGroups(frames: readonly DataFrame[]): GroupsTable | undefined {
  for (const frame of frames) {
    const meta = readGroupsMeta(frame);
    if (meta !== undefined) return createTable(frame, meta);
  }
  return undefined;
}

/** Fields before the means of numbers, and behind them. Their places tell: a number may be called `runs`. */
const [GROUP_FIELDS, VERDICT_FIELDS] = [3, 5];

function createTable({ fields }: DataFrame, meta: GroupsMeta): GroupsTable {
  const [names, runs, seeds] = fields.slice(0, GROUP_FIELDS).map(readValues);
  const means = fields.slice(GROUP_FIELDS, -VERDICT_FIELDS);
  const [deviations, behind, lows, highs, verdicts] = fields.slice(-VERDICT_FIELDS).map(readValues);
  const otherMetrics = meta.metrics.filter((name) => name !== meta.metric);
  const [ofMetric = [], ...others] = means.map((field) => readValues(field).map(readNumber));
  const number = (values: readonly unknown[] | undefined, row: number) => readNumber(values?.[row]);
  const rows = (names ?? []).map((name, row): GroupRow => ({
    name: readText(name) ?? 'none',
    runs: number(runs, row) ?? 0,
    seeds: number(seeds, row),
    mean: formatMean(ofMetric, row, number(deviations, row)),
    meanValue: ofMetric[row],
    others: others.map((values) => formatMean(values, row, undefined)),
    behind: formatBehind(number(behind, row), number(lows, row), number(highs, row), meta.direction),
    verdict: readText(verdicts?.[row]),
    points: meta.points[row] ?? [],
  }));
  return { ...meta, otherMetrics, rows, statement: describe(meta, rows) };
}

function formatMean(
  means: ReadonlyArray<number | undefined>,
  row: number,
  deviation: number | undefined
): string | undefined {
  const mean = means[row];
  if (mean === undefined) return undefined;
  const text = formatNumber(mean, findStep(means, mean));
  // A few runs tell no more than two digits of it.
  return deviation === undefined ? text : `${text} ± ${formatNumber(Number(deviation.toPrecision(2)))}`;
}

/** `+0.09 (0.07 to 0.11), worse`. */
function formatBehind(
  difference: number | undefined,
  low: number | undefined,
  high: number | undefined,
  direction: GroupsMeta['direction']
): string | undefined {
  if (difference === undefined) return undefined;
  const sign = difference > 0 ? '+' : '';
  if (low === undefined || high === undefined) return `${sign}${formatNumber(difference)}, too few seeds to tell`;
  const step = (high - low) / 100;
  const [size, from, to] = [difference, low, high].map((value) => formatNumber(value, step));
  const isWorse = direction === 'lower' ? difference > 0 : difference < 0;
  const order = direction === undefined ? 'different' : isWorse ? 'worse' : 'better';
  const isSure = judge({ interval: { low, high } }) === 'different';
  return `${sign}${size} (${from} to ${to}), ${isSure ? order : `not surely ${order}`}`;
}

const NO_KEY =
  'Nothing to group by: no setting or tag differs that several runs share. Run each setting with several seeds, or give them a --group.';

function describe({ by, metric }: GroupsMeta, rows: readonly GroupRow[]): string {
  if (by === undefined) return NO_KEY;
  if (metric === undefined) return 'No numbers to compare yet.';
  const verdict = rows.find((row) => row.verdict !== undefined)?.verdict;
  return verdict === undefined ? `${metric} is known of one group only, so there is nothing to compare.` : verdict;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
