import {
  type ComparedFact,
  compareJobs,
  type FactKind,
  type ResultStat,
} from '@joblens/core/ask/comparison/compare-jobs';
import { formatFact, nameJobs } from '@joblens/core/ask/comparison/format-fact';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { Column } from '../shell/column.js';
import type { Reading } from '../shell/reading.js';
import { formatTabsHead } from '../shell/print-rows.js';
import { createComparisonPrinter } from './comparison-printer.js';
import { readNamedCompared } from './named-jobs.js';

export interface DiffCommand {
  readonly all: boolean;
  readonly only: readonly FactKind[];
  readonly stat: ResultStat;
  readonly user: readonly string[];
  readonly markdown: boolean;
}

const [EXIT_SAME, EXIT_DIFFERENT] = [0, 1];

/** Prints what differs between the named jobs. Returns the exit code. */
export async function printDiff(reading: Reading, command: DiffCommand, names: readonly string[]): Promise<number> {
  const { all, only, stat, user } = command;
  const found = await readNamedCompared(reading.ask, names, user);
  if (!found.ok) return reading.refuse(found.error);
  const jobs = found.value;
  if (jobs.length < 2) return reading.refuse('these are one job; name two, or more');
  const facts = compareJobs(jobs, { stat, nowMs: reading.host.clock.nowMs() });
  const wanted = facts.filter(({ kind }) => only.length === 0 || only.includes(kind));
  const different = wanted.filter(({ differs }) => differs);
  const columns = createColumns(
    jobs.map(({ record }) => record),
    all
  );
  const rows = all ? wanted : different;
  const areTwins = new Set(jobs.map(({ record }) => record.job)).size < jobs.length;
  // Who named one id twice cannot know which column is whose.
  const needsHead = areTwins && rows.length > 0 && reading.format === 'tabs' && !command.markdown;
  if (needsHead) await reading.output.write(formatTabsHead(columns, reading.output));
  await createComparisonPrinter(reading, command, columns).print(rows);
  if (different.length === 0) reading.report.info('nothing differs');
  return different.length === 0 ? EXIT_SAME : EXIT_DIFFERENT;
}

function createColumns(jobs: readonly JobRecord[], showsEqual: boolean): readonly Column<ComparedFact>[] {
  const color = ({ differs }: ComparedFact) => (showsEqual && !differs ? 'dim' : undefined);
  const what: Column<ComparedFact> = { name: 'what', value: ({ name }) => name, color };
  const kind: Column<ComparedFact> = { name: 'kind', value: (fact) => fact.kind, isDetail: true };
  const risk: Column<ComparedFact> = { name: 'risk', value: (fact) => fact.risk, isDetail: true };
  const differs: Column<ComparedFact> = { name: 'differs', value: (fact) => fact.differs, isDetail: true };
  return [what, kind, risk, differs, ...nameJobs(jobs).map((name, at) => createJobColumn(name, at, color))];
}

function createJobColumn(name: string, at: number, color: Column<ComparedFact>['color']): Column<ComparedFact> {
  const value = ({ values }: ComparedFact) => values[at];
  return { name, head: name, value, shown: (fact) => formatFact(fact, at), shrinks: true, ...(color && { color }) };
}
