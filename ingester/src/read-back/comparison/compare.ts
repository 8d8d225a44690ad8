import {
  type ComparedFact,
  type ComparedJob,
  compareJobs,
  type ResultStat,
} from '@joblens/core/ask/comparison/compare-jobs';
import { compareGroups, type GroupComparison, type GroupDifference } from '@joblens/core/ask/comparison/compare-groups';
import { describeDifference } from '@joblens/core/ask/comparison/describe-groups';
import { findFact } from '@joblens/core/ask/comparison/find-fact';
import { readLabelled } from '@joblens/core/ask/comparison/find-compared';
import { findStep, formatFact } from '@joblens/core/ask/comparison/format-fact';
import { groupJobs, type JobGroup } from '@joblens/core/ask/comparison/group-jobs';
import { readCompared } from '@joblens/core/ask/comparison/read-compared';
import { findNearest } from '@joblens/core/console/find-nearest';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { DAY_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Column } from '../shell/column.js';
import { parseLabels } from '../shell/has-tags.js';
import type { PointInTime } from '../shell/point-in-time.js';
import { escapeMarkdown } from '../shell/print-rows.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';
import { readTaggedJobs } from '../shell/tagged-jobs.js';
import { createComparisonPrinter } from './comparison-printer.js';
import { readNamedCompared } from './named-jobs.js';

export interface CompareCommand {
  readonly tag: readonly string[];
  readonly user: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  readonly key: readonly string[];
  readonly stat: ResultStat;
  readonly sort: string | undefined;
  readonly by: string | undefined;
  readonly markdown: boolean;
}

const DAYS_30_MS = 30 * DAY_MS;
/** More are asked for by name. */
const SHOWN_RESULTS = 4;
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['state', 'took_s']);

/** Prints the named jobs, or those with the tags, side by side. Returns the exit code. */
export async function printComparison(
  reading: Reading,
  command: CompareCommand,
  names: readonly string[]
): Promise<number> {
  const found =
    names.length > 0 ? await readNamedCompared(reading.ask, names, command.user) : await readTagged(reading, command);
  if (!found.ok) return reading.fail(found.error);
  const jobs = found.value;
  if (jobs.length === 0) {
    reading.report.info(
      (command.after ?? command.before) === undefined
        ? 'no such job is stored; give --after 90d, for example, for jobs that an older Joblens has logged'
        : 'no such job lived in that range; leave the range out to find jobs whenever they ran'
    );
    return 0;
  }
  const facts = compareJobs(jobs, { stat: command.stat, nowMs: reading.host.clock.nowMs() });
  const chosen = chooseFacts(facts, command);
  if (!chosen.ok) return reading.refuse(chosen.error);
  const { shown, sort, by } = chosen.value;
  if (by !== undefined) {
    await printGroups(reading, command, { facts, shown, by });
  } else {
    const places = jobs.map((_, at) => at);
    const ordered = sort === undefined ? places : sortPlaces(places, sort);
    await createComparisonPrinter(reading, command, createJobColumns(jobs, shown)).print(ordered);
  }
  return 0;
}

/** Prints a row for each value of a key, and says of each number which of them is better. */
async function printGroups(
  reading: Reading,
  command: CompareCommand,
  { facts, shown, by }: Pick<ChosenFacts, 'shown'> & { facts: readonly ComparedFact[]; by: ComparedFact }
): Promise<void> {
  const { stat, key, markdown } = command;
  const results = shown.filter(({ kind }) => kind === 'result');
  const comparisons = results.map((result) => compareGroups(by, result, { facts, stat }));
  const columns = createGroupColumns(by, results, comparisons);
  await createComparisonPrinter(reading, command, columns).print(groupJobs(by, results));
  for (const comparison of comparisons) {
    const [next] = comparison?.others ?? [];
    // What nobody named, and has no better and worse, is a counter mostly.
    if (comparison === undefined || next === undefined) continue;
    if (comparison.direction === undefined && key.length === 0) continue;
    const said = describeDifference(comparison, next);
    // In a note, the verdict belongs to its table.
    if (markdown) await reading.output.write(`\n${escapeMarkdown(said, reading.output.charset)}\n`);
    else reading.report.info(said);
  }
}

/** In the order in which they ran. */
async function readTagged(
  { ask, host }: Reading,
  { tag, user, after, before }: CompareCommand
): Promise<Result<readonly ComparedJob[], string>> {
  if ((after ?? before) === undefined) {
    const labelled = await runReading(ask, readLabelled({ labels: parseLabels(tag), user, manifest: true }));
    if (!labelled.ok || labelled.value.length > 0) return labelled;
  }
  const request = { tag, user, after, before, defaultMs: DAYS_30_MS, config: true };
  const listed = await readTaggedJobs(ask, host.clock.nowMs(), request);
  if (!listed.ok) return listed;
  return runReading(ask, readCompared(listed.value.jobs.toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1))));
}

interface ChosenFacts {
  readonly shown: readonly ComparedFact[];
  readonly sort: ComparedFact | undefined;
  readonly by: ComparedFact | undefined;
}

/** The facts that the command names, or what people look at first. The error is one line. */
function chooseFacts(facts: readonly ComparedFact[], { key, sort, by }: CompareCommand): Result<ChosenFacts, string> {
  const wanted = [...key, sort, by].filter((name) => name !== undefined);
  const unknown = wanted.find((name) => findFact(facts, name) === undefined);
  if (unknown !== undefined) return err(formatUnknownKey(facts, unknown));
  const named = key.flatMap((name) => findFact(facts, name) ?? []);
  const basic = facts.filter(({ name }) => ALWAYS_SHOWN.has(name));
  const given = facts.filter(({ kind, differs }) => differs && (kind === 'config' || kind === 'tag'));
  const results = facts.filter(({ kind }) => kind === 'result').slice(0, SHOWN_RESULTS);
  const shown = key.length > 0 ? [...basic, ...named] : [...basic, ...given, ...results];
  const find = (name: string | undefined) => (name === undefined ? undefined : findFact(facts, name));
  return ok({ shown: [...new Set(shown)], sort: find(sort), by: find(by) });
}

function formatUnknownKey(facts: readonly ComparedFact[], wanted: string): string {
  const names = facts.map(({ name }) => name);
  const nearest = findNearest(wanted, names);
  return `none of the jobs has ${wanted}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** Jobs without a value come last. */
function sortPlaces(places: readonly number[], { values }: ComparedFact): readonly number[] {
  const collator = new Intl.Collator('en', { numeric: true });
  return places.toSorted((a, b) => {
    const [left, right] = [values[a], values[b]];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return collator.compare(String(left), String(right));
  });
}

/** A row is the place of a job. */
function createJobColumns(jobs: readonly ComparedJob[], facts: readonly ComparedFact[]): readonly Column<number>[] {
  const users = new Set(jobs.map(({ record }) => record.user));
  return [
    { name: 'job', value: (at) => jobs[at]?.record.job },
    { name: 'user', value: (at) => jobs[at]?.record.user, ...(users.size === 1 && { isDetail: true as const }) },
    ...facts.map((fact): Column<number> => ({
      name: fact.name,
      head: fact.name,
      value: (at) => fact.values[at],
      shown: (at) => formatFact(fact, at),
      ...(fact.values.every((value) => typeof value !== 'string') && { align: 'right' }),
      shrinks: true,
    })),
  ];
}

function createGroupColumns(
  by: ComparedFact,
  results: readonly ComparedFact[],
  comparisons: ReadonlyArray<GroupComparison | undefined>
): readonly Column<JobGroup>[] {
  return [
    { name: by.name, head: by.name, value: ({ value }) => value },
    { name: 'jobs', value: ({ jobs }) => jobs, align: 'right' },
    ...results.flatMap(({ name, values }, at): Column<JobGroup>[] => [
      {
        name,
        head: name,
        value: ({ spreads }) => spreads[at]?.mean,
        shown: ({ spreads }) => formatSpread(spreads[at], values),
        align: 'right',
      },
      { name: `${name}_deviation`, value: ({ spreads }) => spreads[at]?.deviation, isDetail: true },
      ...createDifferenceColumns(name, comparisons[at]),
    ]),
  ];
}

/** How far a group is from the best one, for programs. */
function createDifferenceColumns(name: string, comparison: GroupComparison | undefined): readonly Column<JobGroup>[] {
  const find = ({ value }: JobGroup) => comparison?.others.find((other) => other.value === value);
  const negate = (value: number | undefined) => (value === undefined ? undefined : 0 - value);
  const columns: ReadonlyArray<readonly [string, (found: GroupDifference) => number | undefined]> = [
    ['from_best', ({ difference }) => negate(difference)],
    ['from_best_low', ({ interval }) => negate(interval?.high)],
    ['from_best_high', ({ interval }) => negate(interval?.low)],
    ['seeds', ({ seeds }) => seeds[1]],
    ['pairs', ({ pairs }) => pairs],
  ];
  return columns.map(([what, read]) => ({
    name: `${name}_${what}`,
    value(group) {
      const found = find(group);
      return found === undefined ? undefined : read(found);
    },
    isDetail: true,
  }));
}

function formatSpread(spread: JobGroup['spreads'][number], values: ComparedFact['values']): string {
  if (spread === undefined) return '';
  const mean = formatNumber(spread.mean, findStep(values, spread.mean));
  return spread.deviation === undefined ? mean : `${mean} ± ${formatNumber(spread.deviation)}`;
}
