import { LEAST_SEEDS } from '../../experiment/mean-difference.js';
import { formatNumber } from '../../numbers/format-number.js';
import type { GroupComparison, GroupDifference } from './compare-groups.js';

/** Whether the groups differ; `unknown` where too few seeds can tell. */
type Verdict = 'different' | 'undecided' | 'unknown';

export function judge({ interval }: Pick<GroupDifference, 'interval'>): Verdict {
  if (interval === undefined) return 'unknown';
  return interval.low > 0 || interval.high < 0 ? 'different' : 'undecided';
}

/**
 * The best group against another in one sentence: `loss is lower with lr=0.1 than with lr=0.01, by 0.21 (95 % interval
 * 0.14 to 0.28; 5 pairs of equal seeds; lower is taken for better)`.
 */
export function describeDifference({ by, metric, direction, best }: GroupComparison, other: GroupDifference): string {
  const order = direction ?? 'higher';
  const toOrder = order === 'lower' ? -1 : 1;
  const ahead = toOrder * (other.difference ?? 0);
  // Pairs may say the contrary of the means of all runs.
  const [first, second] = ahead < 0 ? [other.value, best] : [best, other.value];
  const sign = ahead < 0 ? -toOrder : toOrder;
  const key = by.replace(/^(?:config|tag)\./, '');
  const statement = `${order} with ${key}=${first} than with ${key}=${second}`;
  if (other.interval === undefined) {
    return `too few seeds to tell whether ${metric} is ${statement}: ${countSeeds(other)}, and it takes ${LEAST_SEEDS} of each`;
  }
  const ends = [sign * other.interval.low, sign * other.interval.high].sort((a, b) => a - b);
  const step = (other.interval.high - other.interval.low) / 100;
  const [size, low, high] = [Math.abs(ahead), ...ends].map((end) => formatNumber(end, step));
  const guess = direction === undefined ? 'which is better is not known' : `${direction} is taken for better`;
  const grounds = `95 % interval ${low} to ${high}; ${countSeeds(other)}; ${guess}`;
  return judge(other) === 'different'
    ? `${metric} is ${statement}, by ${size} (${grounds})`
    : `${metric} is not surely ${statement}: by ${size} (${grounds})`;
}

function countSeeds({ seeds: [first, second], pairs }: GroupDifference): string {
  if (pairs !== undefined) return `${pairs} pairs of equal seeds`;
  return first === second ? `${first} ${first === 1 ? 'seed' : 'seeds'} each` : `${first} and ${second} seeds`;
}
