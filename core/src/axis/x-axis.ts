import { compareCodePoints } from '../point/utf8.js';
import type { ColumnStats, TableStats } from '../table/table-stats.js';

/** A rung of the ladder (plugin/src/README.md): the first rung with a candidate gives X. */
interface Step {
  /** Why such a column is X, in a short sentence. */
  readonly reason: string;
  /** Asked only of columns that hold a number. */
  readonly fits: (key: string, column: ColumnStats) => boolean;
  /** A column of a single value comes after all others: it would draw one vertical line. */
  readonly isFlatLast?: true;
}

const isInteger = ({ integer, count }: ColumnStats): boolean => integer === count;
const isNumber = ({ numeric, count }: ColumnStats): boolean => numeric === count;
const isClimbing = ({ rising, distinct }: ColumnStats): boolean => rising && distinct === 2;

/** Best first; a rung's number is its place, from 1. */
const LADDER: readonly Step[] = [
  { reason: 'a column named progress that holds numbers', fits: (key) => key === 'progress' },
  { reason: 'a column named epoch that holds numbers', fits: (key) => key === 'epoch' },
  {
    reason: 'every value is an integer that never falls',
    fits: (_key, column) => isInteger(column) && isClimbing(column),
  },
  {
    reason: 'every value is a number that never falls',
    fits: (_key, column) => isNumber(column) && isClimbing(column),
  },
  { reason: 'every value is an integer', fits: (_key, column) => isInteger(column), isFlatLast: true },
  { reason: 'every value is a number', fits: (_key, column) => isNumber(column), isFlatLast: true },
  { reason: 'some values are numbers', fits: () => true, isFlatLast: true },
];

export interface XAxisChoice {
  readonly key: string;
  /** The number of its rung: 1 is the best. */
  readonly rung: number;
  /** Why it was chosen, in a short sentence. */
  readonly reason: string;
  /** The other columns that could be X, best first. */
  readonly runnersUp: readonly string[];
}

interface Candidate {
  readonly key: string;
  readonly rung: number;
  readonly reason: string;
  readonly isLast: boolean;
}

/**
 * Chooses X for one table, from the statistics of its rows in printed order. The first rung with a candidate wins; ties
 * go to the first name in code-point order. Undefined: X is time. So it is where one column alone holds numbers, which
 * would leave nothing to draw against it.
 */
export function inferXAxis(stats: TableStats): XAxisChoice | undefined {
  const [best, ...others] = [...stats.columns]
    .flatMap(([key, column]) => findCandidate(key, column) ?? [])
    .sort(compareCandidates);
  if (best === undefined || others.length === 0) return undefined;
  const { key, rung, reason } = best;
  return { key, rung, reason, runnersUp: others.map((other) => other.key) };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return Number(a.isLast) - Number(b.isLast) || a.rung - b.rung || compareCodePoints(a.key, b.key);
}

/** The column on the best rung that it reaches. */
function findCandidate(key: string, column: ColumnStats): Candidate | undefined {
  if (column.numeric === 0) return undefined;
  const place = LADDER.findIndex((step) => step.fits(key, column));
  const step = LADDER[place];
  if (step === undefined) return undefined;
  const isLast = step.isFlatLast === true && column.distinct < 2;
  return { key, rung: place + 1, reason: step.reason, isLast };
}
