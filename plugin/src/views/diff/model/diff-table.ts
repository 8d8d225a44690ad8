import type { DataFrame } from '@grafana/data';
import { groupBy } from '@joblens/core/lists/group-by';
import { readValues } from '../../../frames/field-values.js';
import { readDiffMeta } from '../../../frames/comparison-meta.js';

/** One fact of all jobs. */
export interface DiffRow {
  readonly what: string;
  readonly risk: string;
  readonly differs: boolean;
  /** In the order of the jobs; undefined where one has none. */
  readonly cells: ReadonlyArray<string | undefined>;
  /** For each job, which of the row's values it has, counted from 0; undefined where nothing is to be told apart. */
  readonly marks: ReadonlyArray<number | undefined>;
  /** Some value is too long for its cell. */
  readonly isLong: boolean;
}

export interface DiffTable {
  readonly jobs: readonly string[];
  /** How many jobs there are, beyond those. */
  readonly total: number;
  /** In the order of risk. */
  readonly rows: readonly DiffRow[];
  /** How many facts are equal in all jobs, shown or not. */
  readonly equal: number;
}

/** Behind these fields, each is a job. */
const FACT_FIELDS = 4;
/** Where there are more different values, none has a colour of its own. */
const MAX_MARKS = 8;
/** A cell shows about as many characters. */
export const CELL_CH = 24;

/** The frame that Diff made; undefined where there is none. */
export function readDiff(frames: readonly DataFrame[]): DiffTable | undefined {
  for (const frame of frames) {
    const meta = readDiffMeta(frame);
    if (meta !== undefined) return { ...readTable(frame), total: meta.total, equal: meta.equal };
  }
  return undefined;
}

function readTable({ fields }: DataFrame): Pick<DiffTable, 'jobs' | 'rows'> {
  const [what = [], , risk = [], differs = [], ...jobs] = fields.map(readValues);
  const rows = what.map((name, row): DiffRow => {
    const cells = jobs.map((values) => readText(values[row]));
    const isDifferent = differs[row] === true;
    return {
      ...{ what: String(name), risk: String(risk[row]), differs: isDifferent, cells },
      marks: isDifferent ? markValues(cells) : cells.map(() => undefined),
      isLong: cells.some((cell) => (cell?.length ?? 0) > CELL_CH),
    };
  });
  return { jobs: fields.slice(FACT_FIELDS).map(({ name }) => name), rows };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Equal values have one mark, in the order of their first job. */
function markValues(cells: ReadonlyArray<string | undefined>): ReadonlyArray<number | undefined> {
  const places = new Map<string, number>();
  for (const cell of cells) if (cell !== undefined && !places.has(cell)) places.set(cell, places.size);
  const isMany = places.size > MAX_MARKS;
  return cells.map((cell) => (cell === undefined || isMany ? undefined : places.get(cell)));
}

/** Rows of one risk after each other, as they come. */
export function groupRows(rows: readonly DiffRow[]): ReadonlyArray<readonly [risk: string, rows: readonly DiffRow[]]> {
  return [...groupBy(rows, ({ risk }) => risk)];
}
