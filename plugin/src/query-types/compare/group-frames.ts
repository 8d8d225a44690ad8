import { type DataFrame, type Field, FieldType, toDataFrame } from '@grafana/data';
import type { GroupKey } from '@joblens/core/ask/comparison/choose-groups';
import type { GroupComparison } from '@joblens/core/ask/comparison/compare-groups';
import type { ComparedFact, ComparedJob, FactValue } from '@joblens/core/ask/comparison/compare-jobs';
import { describeDifference } from '@joblens/core/ask/comparison/describe-groups';
import { groupJobs, type JobGroup } from '@joblens/core/ask/comparison/group-jobs';
import type { GroupsMeta } from '../../frames/comparison-meta.js';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';

interface GroupsAnswer {
  readonly refId: string;
  readonly jobs: readonly ComparedJob[];
  readonly total: number;
  /** What makes the groups; undefined where nothing differs by which there could be any. */
  readonly by: ComparedFact | undefined;
  readonly keys: readonly GroupKey[];
  /** The number that is compared, and others that are shown beside it. */
  readonly result: ComparedFact | undefined;
  readonly results: readonly ComparedFact[];
  readonly comparison: GroupComparison | undefined;
  /** Somebody said which numbers are better. */
  readonly isTold: boolean;
  readonly executedQuery: string;
}

/** One row a group of jobs, the best first: means of its numbers, and how far it is from the best, in words, too. */
export function createGroupsFrame(answer: GroupsAnswer): DataFrame {
  const { refId, jobs, total, by, result, comparison, executedQuery } = answer;
  const shown = [...new Set([...(result === undefined ? [] : [result]), ...answer.results])];
  const groups = by === undefined ? [] : sortGroups(groupJobs(by, shown), comparison);
  const numbers = (name: string, read: (group: JobGroup) => number | undefined): Field => ({
    ...{ name, type: FieldType.number, values: groups.map((group) => read(group) ?? null), config: {} },
  });
  const find = (group: JobGroup) => comparison?.others.find(({ value }) => value === group.value);
  const texts = (name: string, read: (group: JobGroup) => string | undefined): Field => ({
    ...{ name, type: FieldType.string, values: groups.map((group) => read(group) ?? null), config: {} },
  });
  return toDataFrame({
    refId,
    name: 'groups',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(createMeta(answer, groups)),
      notices: jobs.length < total ? [createNotice(`Of ${jobs.length} of ${total} jobs; a limit takes more.`)] : [],
    },
    fields: [
      texts('group', ({ value }) => formatValue(value)),
      numbers('runs', (group) => group.jobs),
      numbers('seeds', (group) => findSeeds(group, comparison)),
      ...shown.map(({ name }, at) => numbers(name, ({ spreads }) => spreads[at]?.mean)),
      numbers('deviation', ({ spreads }) => spreads[0]?.deviation),
      numbers('from_best', (group) => negate(find(group)?.difference)),
      numbers('from_best_low', (group) => negate(find(group)?.interval?.high)),
      numbers('from_best_high', (group) => negate(find(group)?.interval?.low)),
      texts('verdict', (group) => {
        const other = find(group);
        return comparison && other && describeDifference(comparison, other);
      }),
    ],
  });
}

function createMeta({ by, keys, result, results, comparison, isTold }: GroupsAnswer, groups: readonly JobGroup[]) {
  const direction = comparison?.direction;
  const points = groups.map(({ value }) =>
    (by?.values ?? []).flatMap((each, at) => {
      const number = result?.values[at];
      return each === value && typeof number === 'number' ? [number] : [];
    })
  );
  const meta: GroupsMeta = {
    kind: 'groups',
    ...(by !== undefined && { by: by.name }),
    keys: keys.map(({ fact, groups: count, seeds }) => ({ name: fact.name, groups: count, seeds })),
    ...(result !== undefined && { metric: result.name }),
    metrics: results.map(({ name }) => name),
    ...(direction !== undefined && { direction }),
    isTold,
    points,
  };
  return meta;
}

/** The best first; groups without the number last. */
function sortGroups(groups: readonly JobGroup[], comparison: GroupComparison | undefined): readonly JobGroup[] {
  if (comparison === undefined) return groups;
  const order = [comparison.best, ...comparison.others.map(({ value }) => value)];
  const place = ({ value }: JobGroup): number =>
    value !== undefined && order.includes(value) ? order.indexOf(value) : Infinity;
  return groups.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

function findSeeds({ value }: JobGroup, comparison: GroupComparison | undefined): number | undefined {
  if (comparison?.best === value) return comparison?.others[0]?.seeds[0];
  return comparison?.others.find((other) => other.value === value)?.seeds[1];
}

function negate(value: number | undefined): number | undefined {
  return value === undefined ? undefined : 0 - value;
}

function formatValue(value: FactValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
