import { compareMeans, type MeanDifference, type SeededResult } from '../../experiment/mean-difference.js';
import { guessDirection, type MetricDirection } from '../../experiment/metric-direction.js';
import type { ComparedFact, FactValue, ResultStat } from './compare-jobs.js';

/** How the groups of jobs with one value each of a key differ in a number of theirs. */
export interface GroupComparison {
  /** The name of the key, and that of the number. */
  readonly by: string;
  readonly metric: string;
  /** Which numbers are better, guessed from the name; undefined if it does not say, and then the highest come first. */
  readonly direction: MetricDirection | undefined;
  /** The value of the group with the best mean. */
  readonly best: FactValue;
  /** The best group against each of the others, the next best first. Each interval is by itself. */
  readonly others: readonly GroupDifference[];
}

export interface GroupDifference extends MeanDifference {
  readonly value: FactValue;
}

/**
 * Compares the groups by the means of a result: the best against each of the others. Jobs without a value of either
 * are left out. Undefined where fewer than two groups have results.
 * @param facts all facts of the same jobs: their seeds are among them
 * @param stat what of the result was compared
 */
export function compareGroups(
  by: ComparedFact,
  result: ComparedFact,
  { facts, stat }: { readonly facts: readonly ComparedFact[]; readonly stat: ResultStat }
): GroupComparison | undefined {
  // Where the best came is not better for being early or late.
  const direction = stat.startsWith('x-') ? undefined : guessDirection(result.name);
  const groups = [...groupResults(by, result, listSeeds(facts.filter((fact) => fact !== by)))].map(
    ([value, results]) => ({ value, results, mean: findMean(results) })
  );
  groups.sort((a, b) => (direction === 'lower' ? a.mean - b.mean : b.mean - a.mean));
  const [best, ...others] = groups;
  if (best === undefined || others.length === 0) return undefined;
  return {
    ...{ by: by.name, metric: result.name, direction, best: best.value },
    others: others.map(({ value, results }) => ({ value, ...compareMeans(best.results, results) })),
  };
}

/** The seed of each job, by its place: a key of the configuration or a tag with that name, or what was found of it. */
export function listSeeds(facts: readonly ComparedFact[]): ReadonlyArray<FactValue | undefined> {
  const isSeed = ({ name, kind }: ComparedFact): boolean => kind === 'seed' || /(?:^|\.)seed$/i.test(name);
  const order = ['config', 'tag', 'seed'];
  const seeds = facts
    .filter((fact) => order.includes(fact.kind) && isSeed(fact))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const jobs = facts[0]?.values.length ?? 0;
  return Array.from({ length: jobs }, (_, at) => seeds.find(({ values }) => values[at] !== undefined)?.values[at]);
}

function groupResults(
  by: ComparedFact,
  result: ComparedFact,
  seeds: ReadonlyArray<FactValue | undefined>
): ReadonlyMap<FactValue, readonly SeededResult[]> {
  const groups = new Map<FactValue, SeededResult[]>();
  for (const [at, key] of by.values.entries()) {
    const value = result.values[at];
    if (key === undefined || typeof value !== 'number') continue;
    const group = groups.get(key) ?? [];
    group.push({ seed: seeds[at], value });
    groups.set(key, group);
  }
  return groups;
}

function findMean(results: readonly SeededResult[]): number {
  return results.reduce((sum, { value }) => sum + value / results.length, 0);
}
