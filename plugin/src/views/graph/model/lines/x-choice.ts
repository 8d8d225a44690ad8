import { inferXAxis, type XAxisChoice } from '@joblens/core/axis/x-axis';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Column, PanelTable } from '../../../parts/components/tables.js';

/** In a tooltip; the list to choose from has all. */
const MAX_RUNNERS_UP = 5;

/** The X axis that the viewer or the options ask for. `relative` is the time since the job's first row. */
export type XWish = (
  | { readonly kind: 'auto' }
  | { readonly kind: 'time' }
  | { readonly kind: 'relative' }
  | { readonly kind: 'key'; readonly key: string }
) & {
  /** The options ask for it, not the viewer. */
  readonly isOfOptions?: true;
};

/** The X axis of one table; `key` undefined is time (or the row number, where rows have no time). */
export interface XChoice {
  readonly key: string | undefined;
  readonly reason: string;
  readonly isAutomatic: boolean;
  /** The time since the job's first row. */
  readonly isRelative?: true;
}

export interface XOption {
  readonly wish: XWish;
  readonly label: string;
  readonly description: string;
}

/** The wish that an option's text, or a dashboard variable in it, names; a wish as `formatXWish` writes it, too. */
export function readXWish(option: string): XWish {
  const text = option.trim();
  if (text === '') return { kind: 'auto' };
  if (text === 'auto' || text === 'time' || text === 'relative') return { kind: text, isOfOptions: true };
  return { kind: 'key', key: text.replace(/^key:/, ''), isOfOptions: true };
}

/** One string per wish, for pickers and keys; a column named `time` is not the time. */
export function formatXWish(wish: XWish): string {
  return wish.kind === 'key' ? `key:${wish.key}` : wish.kind;
}

/** Folds the rows at hand, for a table that came without a choice of X. */
function foldX(table: PanelTable): XAxisChoice | null {
  const stats = createTableStats();
  for (let row = 0; row < table.rowCount; row++) {
    const values = new Map<string, number | string>();
    for (const column of table.columns) {
      const value = column.values[row];
      if (typeof value === 'number' || typeof value === 'string') values.set(column.name, value);
    }
    foldRow(stats, values);
  }
  return inferXAxis(stats) ?? null;
}

const foldedByTable = new WeakMap<PanelTable, XAxisChoice | null>();

/** The stored choice, else the folded one, computed once for each table; `null` when no column can be X. */
function findAutomaticX(table: PanelTable): XAxisChoice | null {
  if (table.storedX !== undefined) return table.storedX;
  const known = foldedByTable.get(table);
  if (known !== undefined) return known;
  const folded = foldX(table);
  foldedByTable.set(table, folded);
  return folded;
}

function isFiniteAt({ values }: Column, row: number): boolean {
  return Number.isFinite(values[row]);
}

/** Whether a graph over this key has a point: a row with a number here, and one in another column. */
function leavesPoints(table: PanelTable, key: string): boolean {
  const x = table.columns.find(({ name, isNumeric }) => name === key && isNumeric);
  // A key without a name tells nobody what X is.
  if (x === undefined || key === '') return false;
  const others = table.columns.filter(({ name, isNumeric }) => name !== key && isNumeric);
  return others.some((column) => x.values.some((_value, row) => isFiniteAt(x, row) && isFiniteAt(column, row)));
}

function chooseAutomatically(table: PanelTable): XChoice {
  if (table.kind === 'plain' && table.timesMs !== undefined) {
    return { key: undefined, reason: 'rows that are not job metadata are drawn against time', isAutomatic: true };
  }
  const found = findAutomaticX(table);
  if (found !== null && leavesPoints(table, found.key)) {
    return { key: found.key, reason: found.reason, isAutomatic: true };
  }
  return { key: undefined, reason: explainTime(table, found), isAutomatic: true };
}

function explainTime(table: PanelTable, found: XAxisChoice | null): string {
  const [first, ...others] = table.columns.filter(({ isNumeric }) => isNumeric);
  if (first === undefined) return 'no column holds numbers to draw against';
  if (others.length === 0) return `${first.name} is the only key with numbers in these rows`;
  return found === null ? 'no key fits' : `no row has a number beside ${found.key}`;
}

/** The X axis of a table under a wish; a wish that the table cannot fulfil falls back to the automatic choice. */
export function chooseX(table: PanelTable, wish: XWish): XChoice {
  if (wish.kind === 'time' && table.timesMs !== undefined) {
    return { key: undefined, reason: 'chosen', isAutomatic: false };
  }
  if (wish.kind === 'relative' && table.timesMs !== undefined) {
    return { key: undefined, reason: 'chosen', isAutomatic: false, isRelative: true };
  }
  if (wish.kind === 'key' && leavesPoints(table, wish.key)) {
    return { key: wish.key, reason: 'chosen', isAutomatic: false };
  }
  return chooseAutomatically(table);
}

function listKeys(tables: readonly PanelTable[]): { runnersUp: readonly string[]; others: readonly string[] } {
  const runnersUp = new Set<string>();
  const others = new Set<string>();
  for (const table of tables) {
    const found = findAutomaticX(table);
    for (const key of found === null ? [] : [found.key, ...found.runnersUp]) {
      if (leavesPoints(table, key)) runnersUp.add(key);
    }
    for (const { name } of table.columns) if (leavesPoints(table, name)) others.add(name);
  }
  return { runnersUp: [...runnersUp], others: [...others].filter((key) => !runnersUp.has(key)) };
}

/** The best columns beside the one that is X, for a line of text. */
export function listRunnersUp(tables: readonly PanelTable[], xKey: string | undefined): readonly string[] {
  return listKeys(tables)
    .runnersUp.filter((key) => key !== xKey)
    .slice(0, MAX_RUNNERS_UP);
}

/**
 * Everything that can be X for these tables: automatic first, then the ladder's candidates, other columns, and time.
 */
export function listXOptions(tables: readonly PanelTable[]): readonly XOption[] {
  const automatic = tables[0] === undefined ? undefined : chooseAutomatically(tables[0]);
  const { runnersUp, others } = listKeys(tables);
  const keyOption = (key: string, description: string): XOption => ({
    wish: { kind: 'key', key },
    label: key,
    description,
  });
  return [
    {
      wish: { kind: 'auto' },
      label: 'Automatic',
      description: automatic === undefined ? '' : `${automatic.key ?? 'time'}: ${automatic.reason}`,
    },
    { wish: { kind: 'time' }, label: 'Time', description: 'when each row was printed' },
    { wish: { kind: 'relative' }, label: 'Relative time', description: "since the job's first row" },
    ...runnersUp.map((key) => keyOption(key, 'a candidate of the automatic choice')),
    ...others.map((key) => keyOption(key, 'another column with numbers')),
  ];
}
