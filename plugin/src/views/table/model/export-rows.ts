import { formatCsvRow, formatTsvRow } from '@joblens/core/words/csv';
import { formatExactTime } from '../../parts/exact-time.js';
import type { Column, PanelTable } from '../../parts/components/tables.js';
import { createRowJson, readTexts } from './row-json.js';

export type ExportForm = 'csv' | 'jsonl' | 'tsv';

function formatPlain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function joinLine(form: 'csv' | 'tsv', cells: readonly string[]): string {
  return form === 'csv' ? formatCsvRow(cells) : formatTsvRow(cells);
}

function readTime({ timesMs, timesNs }: PanelTable, row: number): string {
  const timeNs = timesNs?.[row];
  if (timeNs !== undefined) return formatExactTime(timeNs);
  const timeMs = timesMs?.[row] as number | null | undefined;
  return timeMs === undefined || timeMs === null ? '' : new Date(timeMs).toISOString();
}

/** The line above the rows; JSON lines have none. */
export function formatHeader(form: ExportForm, table: PanelTable, columns: readonly Column[]): string {
  if (form === 'jsonl') return '';
  const time = table.timesMs === undefined ? [] : [table.timeTitle];
  return `${joinLine(form, [...time, ...columns.map(({ name }) => name)])}\n`;
}

/**
 * Rows as texts, each ending with a line feed. A row of JSON lines is the object that was printed, without the time;
 * CSV has the exact time first, and its cells are the values in full.
 */
export function formatRows(
  form: ExportForm,
  table: PanelTable,
  columns: readonly Column[],
  rows: readonly number[]
): readonly string[] {
  if (form === 'jsonl') {
    const formatJson = createRowJson(table, columns);
    return rows.map((row) => `${formatJson(row)}\n`);
  }
  const cells = columns.map(({ name, values }) => {
    const texts = readTexts(table, name);
    return (row: number) => formatPlain(texts.get(row) ?? values[row]);
  });
  return rows.map((row) => {
    const time = table.timesMs === undefined ? [] : [readTime(table, row)];
    return `${joinLine(form, [...time, ...cells.map((read) => read(row))])}\n`;
  });
}
