import type { DataFrame } from '@grafana/data';
import { groupBy } from '@joblens/core/lists/group-by';
import { createNamedTest, formatNamedJob, parseNamedJob } from '@joblens/core/ask/reading/named-job';
import { readFrameMeta } from '../../../frames/frame-meta.js';
import { createTables, type PanelTable } from '../../parts/components/tables.js';

/** Columns that say nothing where all rows are alike. */
const ONLY_IF_DIFFERENT: ReadonlySet<string> = new Set(['user', 'name', 'group']);

/** The runs of the frames that Compare made, without columns that say nothing. Their order is that of the frame. */
export function readRuns(frames: readonly DataFrame[]): PanelTable | undefined {
  const [table] = createTables(frames.filter((frame) => readFrameMeta(frame)?.kind === 'compare'));
  if (table === undefined) return undefined;
  const columns = table.columns.filter(({ name, values }) => !ONLY_IF_DIFFERENT.has(name) || new Set(values).size > 1);
  return { ...table, columns, timesMs: undefined, timesNs: undefined, jobColumn: 'job' };
}

/** More columns than this have no room on a laptop. */
const MAX_COLUMNS = 12;

/** The same runs; of a wide table, without the keys that one run alone has: they compare nothing. */
export function dropLoneKeys(table: PanelTable): PanelTable {
  if (table.rowCount < 2 || table.columns.length <= MAX_COLUMNS) return table;
  const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
  return { ...table, columns: table.columns.filter(({ values }) => values.filter((one) => !isEmpty(one)).length > 1) };
}

/** A row's job, and the text by which the dashboard's variable names it. */
export interface Run {
  readonly job: string;
  readonly user: string;
  readonly name: string;
}

/** The jobs of the rows, named with their users where several have one of the id. */
export function listRuns({ columns, rowCount, readJobPlace }: PanelTable): readonly Run[] {
  const values = columns.find(({ name }) => name === 'job')?.values ?? [];
  const owned = Array.from({ length: rowCount }, (_, row) => {
    const value = values[row];
    return { job: typeof value === 'string' ? value : '', user: readJobPlace(row).user };
  });
  const users = groupBy(owned, ({ job }) => job);
  return owned.map((one) => ({ ...one, name: formatNamedJob(one, (users.get(one.job)?.length ?? 0) > 1) }));
}

/** Whether a run is one of those that the variable names. */
export function createChosenTest(chosen: ReadonlySet<string>): (run: Run | undefined) => boolean {
  const isNamed = createNamedTest([...chosen].map(parseNamedJob));
  return (run) => run !== undefined && isNamed(run);
}

/** What a click on a run makes of the chosen names. */
export function toggleRun(chosen: ReadonlySet<string>, run: Run, runs: readonly Run[]): readonly string[] {
  if (!createChosenTest(chosen)(run)) return [...chosen, run.name];
  return [...chosen].flatMap((name) => {
    const isMeant = createChosenTest(new Set([name]));
    // A name without a user may stand for other runs, which stay.
    return isMeant(run) ? runs.filter((other) => other !== run && isMeant(other)).map((other) => other.name) : [name];
  });
}
