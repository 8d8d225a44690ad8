import { type Experiment, formatDay, listExperiments } from '@joblens/core/ask/labels/experiments';
import type { Column } from '../shell/column.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';
import { createComparisonPrinter } from './comparison-printer.js';

interface ExperimentsCommand {
  readonly user: readonly string[];
  readonly markdown: boolean;
}

/** Prints the experiments that can be compared, the newest first. Returns the exit code. */
export async function printExperiments(reading: Reading, command: ExperimentsCommand): Promise<number> {
  const found = await runReading(reading.ask, listExperiments({ user: command.user }));
  if (!found.ok) return reading.fail(found.error);
  if (found.value.length === 0) {
    reading.report.info('no experiment is stored; joblens run --experiment NAME begins one, or name jobs to compare');
    return 0;
  }
  await createComparisonPrinter(reading, command, COLUMNS).print(found.value);
  reading.report.info('to compare the runs of one, give --tag experiment=NAME');
  return 0;
}

const COLUMNS: ReadonlyArray<Column<Experiment>> = [
  { name: 'experiment', value: ({ name }) => name, shrinks: true },
  { name: 'runs', value: ({ runs }) => runs, align: 'right' },
  { name: 'last_day', value: ({ lastDayMs }) => formatDay(lastDayMs) },
  { name: 'users', value: ({ users }) => users, shown: ({ users }) => users.join(', '), shrinks: true },
];
