import { compareCodePoints } from '../point/utf8.js';
import type { ColumnStats, TableStats } from '../table/table-stats.js';

/** A rung of the ladder: 1 is the best. */
export type Rung = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface XAxisChoice {
  readonly key: string;
  readonly rung: Rung;
  /** Why this column, as a short sentence. */
  readonly reason: string;
  /** The other columns that could be X, best first. */
  readonly runnersUp: readonly string[];
}

const REASONS: Readonly<Record<Rung, string>> = {
  1: 'a column named progress that holds numbers',
  2: 'a column named epoch that holds numbers',
  3: 'every value is an integer that never falls',
  4: 'every value is a number that never falls',
  5: 'every value is an integer',
  6: 'every value is a number',
  7: 'some values are numbers',
};

interface Candidate {
  readonly key: string;
  readonly rung: Rung;
  /** Whether it comes after all others: of rungs 5 to 7, a column of one value would draw one vertical line. */
  readonly isFlat: boolean;
}

/**
 * The column that is X for one table, from the statistics of its rows in the order printed: the first rung of the ladder with a candidate,
 * ties by name in code-point order; within rungs 5 to 7 columns of a single value come last. Undefined when no column holds a number.
 */
export function inferXAxis(stats: TableStats): XAxisChoice | undefined {
  const candidates: Candidate[] = [];
  for (const [key, column] of stats.columns) {
    const rung = findRung(key, column);
    if (rung !== undefined) {
      candidates.push({ key, rung, isFlat: rung >= 5 && column.distinct < 2 });
    }
  }
  candidates.sort(compareCandidates);
  const [best, ...others] = candidates;
  if (best === undefined) {
    return undefined;
  }
  const { key, rung } = best;
  return { key, rung, reason: REASONS[rung], runnersUp: others.map((other) => other.key) };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return Number(a.isFlat) - Number(b.isFlat) || a.rung - b.rung || compareCodePoints(a.key, b.key);
}

/** The best rung on which a column stands. */
function findRung(key: string, column: ColumnStats): Rung | undefined {
  if (column.numeric === 0) {
    return undefined;
  }
  if (key === 'progress') {
    return 1;
  }
  if (key === 'epoch') {
    return 2;
  }
  const isClimbing = column.rising && column.distinct === 2;
  if (column.integer === column.count) {
    return isClimbing ? 3 : 5;
  }
  if (column.numeric === column.count) {
    return isClimbing ? 4 : 6;
  }
  return 7;
}
