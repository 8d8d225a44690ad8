import { compareMeans, type MeanDifference, type SeededResult } from '../../experiment/mean-difference.js';
import { guessDirection, type MetricDirection } from '../../experiment/metric-direction.js';
import type { ComparedFact, FactValue, ResultStat } from './compare-jobs.js';

/** How the groups of jobs with one value each of a key differ in a number of theirs. */
export interface GroupComparison {
  /** The name of the key, and that of the number. */
  readonly by: string;
  readonly metric: string;
  /** Which numbers are better, told or guessed by the name; undefined if nobody knows: the highest come first then. */
  readonly direction: MetricDirection | undefined;
  /** The value of the group with the best mean. */
  readonly best: FactValue;
  /** The best group against each of the others, the next best first. Each interval is by itself. */
  readonly others: readonly GroupDifference[];
}

export interface GroupDifference extends MeanDifference {
  readonly value: FactValue;
}

interface GroupRequest {
  /** All facts of the same jobs: their seeds are among them. */
  readonly facts: readonly ComparedFact[];
  /** The number of the result that was compared. */
  readonly stat: ResultStat;
  /** Which numbers are better, if somebody said so. Default: guessed from the name. */
  readonly direction?: MetricDirection | undefined;
}

/**
 * Compares the groups by the means of a result: the best against each of the others. Jobs without a value of either
 * are left out. Undefined where fewer than two groups have results.
 */
export function compareGroups(
  by: ComparedFact,
  result: ComparedFact,
  { facts, stat, direction = guessStatDirection(result.name, stat) }: GroupRequest
): GroupComparison | undefined {
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

/** Which numbers are better; where the best came is not better for being early or late. */
function guessStatDirection(metric: string, stat: ResultStat): MetricDirection | undefined {
  return stat.startsWith('x-') ? undefined : guessDirection(metric);
}

/** Whether a fact is the seed with which jobs began. */
export function isSeedFact({ name, kind }: ComparedFact): boolean {
  return kind === 'seed' || /(?:^|\.)seed$/i.test(name);
}

/** The seed of each job, by its place: a key of the configuration or a tag with that name, or what was found of it. */
export function listSeeds(facts: readonly ComparedFact[]): ReadonlyArray<FactValue | undefined> {
  const order = ['config', 'tag', 'seed'];
  const seeds = facts
    .filter((fact) => order.includes(fact.kind) && isSeedFact(fact))
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
