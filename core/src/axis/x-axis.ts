import { compareAlphabetically } from './alphabetical-order.js';
import type { ColumnStats } from '../table/column-stats.js';
import type { TableStats } from '../table/table-stats.js';

/** A step of the ladder (plugin/src/README.md): the first step with a candidate gives X. */
interface Step {
  readonly rung: number;
  /** Why such a column is X, in a short sentence. */
  readonly reason: string;
  /** Asked only of columns that hold a number. */
  readonly fits: (key: string, column: ColumnStats) => boolean;
}

/** A null, or a key that is missing, says nothing of the column. */
const isInteger = ({ integer, count, nulls }: ColumnStats): boolean => integer === count - nulls;
const isNumber = ({ numeric, count, nulls }: ColumnStats): boolean => numeric === count - nulls;
const isClimbing = ({ rising, distinct }: ColumnStats): boolean => rising && distinct === 2;
const isDescending = ({ falling, distinct }: ColumnStats): boolean => falling && distinct === 2;

/** On this rung, a column of a single value comes after all others: it would draw one vertical line. */
const LAST_RUNG = 7;

/** Best first. */
const LADDER: readonly Step[] = [
  // A program that prints how far it is has said what its numbers are to be seen over.
  { rung: 1, reason: 'a column named progress that holds numbers', fits: (key) => key === 'progress' },
  // Epochs compare runs of any batch size and speed, which steps and time do not.
  { rung: 2, reason: 'a column named epoch that holds numbers', fits: (key) => key === 'epoch' },
  // What only grows by whole numbers counts something: steps, samples, iterations.
  {
    rung: 3,
    reason: 'every value is an integer that never falls',
    fits: (_key, column) => isInteger(column) && isClimbing(column),
  },
  // What only grows is simulated time, a distance, a dose: the line over it never turns back.
  {
    rung: 4,
    reason: 'every value is a number that never falls',
    fits: (_key, column) => isNumber(column) && isClimbing(column),
  },
  // A countdown counts as well, and its line never turns back either.
  {
    rung: 5,
    reason: 'every value is an integer that never rises',
    fits: (_key, column) => isInteger(column) && isDescending(column),
  },
  // A temperature that is lowered, a time that is left: behind the counts, because a loss that converges falls, too.
  {
    rung: 6,
    reason: 'every value is a number that never rises',
    fits: (_key, column) => isNumber(column) && isDescending(column),
  },
  // Nothing has an order: whole numbers are the likeliest to be a setting that was tried, texts the least.
  { rung: LAST_RUNG, reason: 'every value is an integer', fits: (_key, column) => isInteger(column) },
  { rung: LAST_RUNG, reason: 'every value is a number', fits: (_key, column) => isNumber(column) },
  { rung: LAST_RUNG, reason: 'some values are numbers', fits: () => true },
];

/** Right behind `epoch`: what the program, or the user's pattern, says of it is known, and the rest is a guess. */
const COUNTER: Step = { rung: 2.5, reason: 'the counter of the program or the pattern', fits: () => false };

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
  readonly step: Step;
  /** Its place in the ladder. */
  readonly place: number;
  readonly isFlat: boolean;
  readonly hasHoles: boolean;
}

/**
 * Chooses X for one table, from the statistics of its rows in printed order. The first rung with a candidate wins.
 * Within a rung, columns with a value in every row come first, then those that are first in alphabetical order.
 * Undefined: X is time. So it is where one column alone holds numbers, which would leave nothing to draw against it.
 */
export function inferXAxis(stats: TableStats): XAxisChoice | undefined {
  const counter = findCounter(stats);
  const numeric = [...stats.columns].filter(([, column]) => column.numeric > 0);
  const [best, ...others] = numeric
    // A key without a name tells nobody what X is.
    .filter(([key]) => key !== '')
    .map(([key, column]) => findCandidate(key, column, stats.rows, counter))
    .sort(compareCandidates);
  if (best === undefined || numeric.length < 2) return undefined;
  const { key, step } = best;
  // What is measured is no X in place of a counter that stands still.
  if (stats.counters !== undefined && counter === undefined && step.rung > COUNTER.rung) return undefined;
  return { key, rung: step.rung, reason: step.reason, runnersUp: others.map((other) => other.key) };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    a.step.rung - b.step.rung ||
    Number(a.isFlat) - Number(b.isFlat) ||
    a.place - b.place ||
    Number(a.hasHoles) - Number(b.hasHoles) ||
    compareAlphabetically(a.key, b.key)
  );
}

/** The first of the named counters that moves, if there is more than one row; `epoch` has its place already. */
function findCounter({ columns, rows, counters = [] }: TableStats): string | undefined {
  const others = counters.filter((key) => key !== 'epoch' && key !== 'progress');
  return others.find((key) => columns.get(key)?.distinct === 2) ?? (rows === 1 ? others[0] : undefined);
}

/** The column on the best step that it reaches. */
function findCandidate(key: string, column: ColumnStats, rows: number, counter: string | undefined): Candidate {
  const place = LADDER.findIndex(({ fits }) => fits(key, column));
  const step = key === counter ? COUNTER : (LADDER[place] as Step);
  const isFlat = step.rung === LAST_RUNG && column.distinct < 2;
  return { key, step, place, isFlat, hasHoles: column.count - column.nulls < rows };
}
