import { findTurns } from '@joblens/core/rows/segments';
import type { GraphLine } from './graphs.js';
import { findExtent, type Extent } from '../scales/scale.js';

/** What counts on by itself, beside the X axis that already does. */
const COUNT_NAME =
  /(?:^|[^a-z])(?:steps?|iter(?:ation)?s?|epochs?|batch(?:es)?|rounds?|episodes?|tokens?|samples?|examples?|images?|updates?)(?:[_ ]?(?:seen|total|done|processed|num|idx|index))?$/i;
const TIME_NAME =
  /(?:^|[^a-z])(?:time|timestamp|elapsed|uptime|age|runtime|walltime|wall_?clock)(?:[_ ]?(?:ns|us|ms|s|sec|secs|seconds|min|minutes|h|hours))?$/i;

/** A line that leaves the straight one between its ends by less than this share of its range shows nothing. */
const STRAIGHT_SHARE = 0.05;
/** Two values are always a straight line. */
const MIN_POINTS = 3;

/** Whether each value is at least the one before, where X goes on. */
function isRising({ xs, ys }: GraphLine): boolean {
  const isTurn = findTurns(xs);
  let before = -Infinity;
  return ys.every((y, index) => {
    if (isTurn(index)) before = -Infinity;
    if (!Number.isFinite(y)) return true;
    const isHigher = y >= before;
    before = y;
    return isHigher;
  });
}

function isStraight({ xs, ys }: GraphLine, { min, max }: Extent): boolean {
  const first = ys.findIndex(Number.isFinite);
  const last = ys.findLastIndex(Number.isFinite);
  const [fromX, fromY] = [xs[first] ?? NaN, ys[first] ?? NaN];
  const slope = ((ys[last] ?? NaN) - fromY) / ((xs[last] ?? NaN) - fromX);
  const most = (max - min) * STRAIGHT_SHARE;
  return ys.every((y, index) => !(Math.abs(fromY + slope * ((xs[index] ?? NaN) - fromX) - y) > most));
}

const counters = new WeakMap<GraphLine, boolean>();

/**
 * Whether a line only counts on: integers that never fall and are a straight line over X or named as a count, or a
 * time that goes by. Computed once for each line.
 */
export function isCounter(line: GraphLine): boolean {
  const known = counters.get(line);
  if (known !== undefined) return known;
  const found = findCounter(line);
  counters.set(line, found);
  return found;
}

function findCounter(line: GraphLine): boolean {
  const extent = findExtent(line.ys);
  const values = line.ys.filter(Number.isFinite);
  if (extent === undefined || extent.min === extent.max || values.length < MIN_POINTS || !isRising(line)) return false;
  if (TIME_NAME.test(line.column.name)) return true;
  // The mean of integers is often none.
  const isInteger = line.extremes.every((value) => !Number.isFinite(value) || Number.isInteger(value));
  return isInteger && (COUNT_NAME.test(line.column.name) || isStraight(line, extent));
}
