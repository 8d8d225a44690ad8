import { LEAST_SEEDS } from '../../experiment/mean-difference.js';
import { guessDirection } from '../../experiment/metric-direction.js';
import { isUsageKey } from '../tables/job-usage.js';
import { isSeedFact, listSeeds } from './compare-groups.js';
import type { ComparedFact, FactValue } from './compare-jobs.js';
import { findFact } from './find-fact.js';

/** A key of configurations, or a tag, whose values make groups of jobs. */
export interface GroupKey {
  readonly fact: ComparedFact;
  readonly groups: number;
  /** How many seeds two of the groups have at least. */
  readonly seeds: number;
}

/** The tag that `--group` writes. */
const GROUP_TAG = 'tag.group';

/**
 * Keys by which jobs may be grouped: those whose groups have seeds enough to tell them apart first, then those with
 * some; the tag `group` before others. Seeds and what is other in each job are none.
 * @param facts all facts of the same jobs
 */
export function listGroupKeys(facts: readonly ComparedFact[]): readonly GroupKey[] {
  const seeds = listSeeds(facts);
  const keys = facts
    .filter((fact) => fact.differs && (fact.kind === 'config' || fact.kind === 'tag') && !isSeedFact(fact))
    .flatMap((fact): GroupKey[] => {
      const counts = countSeeds(fact, seeds);
      const jobs = fact.values.filter((value) => value !== undefined).length;
      const isWorth = counts.length > 1 && counts.length < jobs;
      return isWorth ? [{ fact, groups: counts.length, seeds: counts[1] ?? 0 }] : [];
    });
  const rank = ({ fact, seeds: fewest }: GroupKey): number =>
    (fewest >= LEAST_SEEDS ? 0 : fewest > 1 ? 2 : 4) + (fact.name === GROUP_TAG ? 0 : 1);
  return keys.toSorted((a, b) => rank(a) - rank(b));
}

/** The seeds of each value, most first. A job without a seed is its own. */
function countSeeds({ values }: ComparedFact, seeds: ReadonlyArray<FactValue | undefined>): readonly number[] {
  const groups = new Map<FactValue, Set<string | symbol>>();
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    const seed = seeds[at];
    const group = groups.get(value) ?? new Set();
    groups.set(value, group.add(seed === undefined ? Symbol('no seed') : String(seed)));
  }
  return [...groups.values()].map(({ size }) => size).sort((a, b) => b - a);
}

/** The fact whose values are the groups: the one that is asked for, or else the first of the keys. */
export function chooseGroupFact(
  facts: readonly ComparedFact[],
  keys: readonly GroupKey[],
  wanted: string | undefined
): ComparedFact | undefined {
  const asked = wanted === undefined ? undefined : findFact(facts, wanted);
  return asked ?? keys[0]?.fact ?? facts.find(({ name, differs }) => differs && name === GROUP_TAG);
}

/** The number by which groups are compared: the one that is asked for, or the first whose name says what is better. */
export function chooseResult(results: readonly ComparedFact[], wanted: string | undefined): ComparedFact | undefined {
  const asked = results.find(({ name }) => name === wanted);
  const named = results.find(({ name }) => guessDirection(name) !== undefined && !isUsageKey(name));
  return asked ?? named ?? results[0];
}
