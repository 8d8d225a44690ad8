import type { DataFrame } from '@grafana/data';
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

/** The job of each row. */
export function listRunJobs(table: PanelTable): readonly string[] {
  const values = table.columns.find(({ name }) => name === 'job')?.values ?? [];
  return values.map((value) => (typeof value === 'string' ? value : ''));
}

/** What a click makes of the chosen jobs. */
export function toggleJob(chosen: ReadonlySet<string>, job: string): readonly string[] {
  return chosen.has(job) ? [...chosen].filter((other) => other !== job) : [...chosen, job];
}
