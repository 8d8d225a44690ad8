import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { err, ok, type Result } from '@joblens/core/result/result';
import { joinRows, rowsQueries } from '@joblens/core/ask/tables/rows';
import type { AskPage } from '../shell/ask-store.js';
import type { PrintedRow } from './printed-rows.js';

/** A column of CSV or Parquet. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: 'number' | 'text' | 'time';
  /** A number or a text; a time in nanoseconds; undefined where the row has none, or null. */
  readonly read: (printed: PrintedRow) => number | string | bigint | undefined;
}

/** Texts that a column of doubles can hold, as null or as that number. */
const NUMBERS: ReadonlyMap<string, number | undefined> = new Map([
  ['null', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);
const SCANNED_ROWS = 2000;

/** The time, the task if there are several, and the keys of all tables, in printed order. */
export async function createExportColumns(
  ask: AskPage,
  tables: readonly TableSummary[]
): Promise<Result<readonly ExportColumn[], string>> {
  const keys = [...new Set(tables.flatMap((table) => table.keys))];
  const columns: ExportColumn[] = [{ name: findFreeName('time', keys), kind: 'time', read: ({ row }) => row.timeNs }];
  if (tables.some(({ task }) => task !== undefined)) {
    columns.push({ name: findFreeName('task', keys), kind: 'text', read: ({ table }) => table.task });
  }
  const formatted = createJsonKeyTest(tables);
  for (const key of keys) {
    const isNumeric = await hasOnlyNumbers(ask, tables, key);
    if (!isNumeric.ok) return isNumeric;
    columns.push(isNumeric.value ? createNumberColumn(key) : createTextColumn(key, formatted));
  }
  return ok(columns);
}

/** A name that no key has. */
export function findFreeName(name: string, keys: readonly string[]): string {
  return keys.includes(name) ? findFreeName(`_${name}`, keys) : name;
}

function createNumberColumn(key: string): ExportColumn {
  return {
    name: key,
    kind: 'number',
    read: ({ row }) => {
      const value = row.values.get(key) ?? undefined;
      return typeof value === 'string' ? NUMBERS.get(value) : value;
    },
  };
}

function createTextColumn(key: string, isJson: (table: TableSummary, key: string) => boolean): ExportColumn {
  return {
    name: key,
    kind: 'text',
    read: ({ row, table }) => {
      const value = row.values.get(key) ?? undefined;
      return value === 'null' && isJson(table, key) ? undefined : value;
    },
  };
}

/** Whether a text of this key that reads as null was null, and not a string. */
function createJsonKeyTest(tables: readonly TableSummary[]): (table: TableSummary, key: string) => boolean {
  const forms = new Map(tables.map((table) => [table, new Map(table.form)]));
  return (table, key) => {
    const form = forms.get(table);
    return form === undefined || form.get(key)?.texts !== 'strings';
  };
}

/** Reads texts of keys that have numbers as well: null and NaN are no reason to make texts of all numbers. */
async function hasOnlyNumbers(
  ask: AskPage,
  tables: readonly TableSummary[],
  key: string
): Promise<Result<boolean, string>> {
  for (const table of tables.filter(({ keys }) => keys.includes(key))) {
    const form = table.form === undefined ? 'unknown' : new Map(table.form).get(key);
    if (form === undefined || (form !== 'unknown' && form.texts === undefined)) continue;
    if (form !== 'unknown' && (form.texts === 'strings' || form.hasNumbers !== true)) return ok(false);
    const scanned = await scanTexts(ask, table, key);
    if (!scanned.ok || !scanned.value) return scanned;
  }
  return ok(true);
}

async function scanTexts(ask: AskPage, table: TableSummary, key: string): Promise<Result<boolean, string>> {
  for (let fromNs = 0n; ;) {
    const [, texts] = rowsQueries({ table, keys: [key], order: 'asc', limit: SCANNED_ROWS, fromNs });
    const answer = await ask([texts]);
    if (!answer.ok) return err(answer.error.message);
    const rows = joinRows(undefined, answer.value[0], [key], { order: 'asc' });
    if (rows.some(({ values }) => !NUMBERS.has(String(values.get(key))))) return ok(false);
    const last = rows.at(-1);
    if (last === undefined || rows.length < SCANNED_ROWS) return ok(true);
    fromNs = last.timeNs + 1n;
  }
}
