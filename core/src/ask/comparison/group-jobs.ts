import { groupBy } from '../../lists/group-by.js';
import { compareNatural } from '../../rows/natural-order.js';
import type { ComparedFact, FactValue } from './compare-jobs.js';

/** The numbers of one key over some jobs. */
export interface Spread {
  /** How many of the jobs have one. */
  readonly count: number;
  readonly mean: number;
  /** The sample standard deviation; undefined of fewer than two. */
  readonly deviation: number | undefined;
}

/** Jobs that share a value. */
export interface JobGroup {
  readonly value: FactValue | undefined;
  readonly jobs: number;
  /** In the order of the results; undefined where no job of the group has a number. */
  readonly spreads: ReadonlyArray<Spread | undefined>;
}

/** Groups jobs by the value of one fact, the groups in natural order, jobs without a value last. */
export function groupJobs(by: ComparedFact, results: readonly ComparedFact[]): readonly JobGroup[] {
  return [...groupBy(by.values.keys(), (at) => by.values[at])]
    .sort(([a], [b]) => compareValues(a, b))
    .map(([value, jobs]) => ({
      value,
      jobs: jobs.length,
      spreads: results.map(({ values }) => measureSpread(jobs.map((at) => values[at]))),
    }));
}

function measureSpread(values: ReadonlyArray<FactValue | undefined>): Spread | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  const count = numbers.length;
  if (count === 0) return undefined;
  // Divided first, so that large numbers do not add up to infinity.
  const mean = numbers.reduce((sum, value) => sum + value / count, 0);
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2 / (count - 1), 0);
  return { count, mean, deviation: count < 2 ? undefined : Math.sqrt(variance) };
}

/** Numbers by size before texts in natural order, and those before nothing. */
function compareValues(a: FactValue | undefined, b: FactValue | undefined): number {
  const rank = (value: FactValue | undefined): number => ['number', 'string', 'undefined'].indexOf(typeof value);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return rank(a) - rank(b) || compareNatural(String(a), String(b));
}
