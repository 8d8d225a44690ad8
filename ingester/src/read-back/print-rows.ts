import { toVisibleText } from '@joblens/core';
import type { Column } from './column.js';
import { formatCell } from './column.js';
import type { Output } from './output.js';
import { createTableLayout } from './table-layout.js';
import type { TableLayout } from './table-layout.js';

/** The forms of rows: a table on a terminal, tabs where the output goes elsewhere, or what the user asked for. */
export type RowFormat = 'table' | 'tabs' | 'json' | 'csv';

/** Prints rows as they come. */
export interface RowPrinter<Row> {
  /** False when nobody reads any more: end quietly, with exit code 0. */
  print(rows: readonly Row[]): Promise<boolean>;
}

/** Lines are written together up to about this many characters. */
const CHUNK_CHARS = 1 << 16;

/**
 * Creates a printer in the form that the options and the output ask for. A table's widths are those of the rows that
 * are printed first; it has its head once, and nothing is printed without rows, except the head of CSV.
 */
export function createRowPrinter<Row>(
  output: Output,
  format: RowFormat,
  columns: readonly Column<Row>[]
): RowPrinter<Row> {
  const formatRows = createFormatter(output, format, columns);
  return {
    async print(rows) {
      let text = '';
      for (const line of formatRows(rows)) {
        text += line;
        if (text.length < CHUNK_CHARS) continue;
        if (!(await output.write(text))) return false;
        text = '';
      }
      return text === '' || output.write(text);
    },
  };
}

/** Returns the lines of rows, with what comes before the first of them. */
function createFormatter<Row>(
  output: Output,
  format: RowFormat,
  columns: readonly Column<Row>[]
): (rows: readonly Row[]) => Iterable<string> {
  const shown = columns.filter(({ isDetail }) => isDetail !== true);
  switch (format) {
    case 'table':
      return createTableFormatter(output, shown);
    case 'tabs':
      return (rows) => rows.map((row) => formatTabs(shown, row));
    case 'json':
      return (rows) => rows.map((row) => showJson(formatJson(columns, row), output));
    case 'csv':
      return createCsvFormatter(columns, output);
  }
}

function createTableFormatter<Row>(
  output: Output,
  columns: readonly Column<Row>[]
): (rows: readonly Row[]) => Iterable<string> {
  let layout: TableLayout<Row> | undefined;
  return function* (rows) {
    if (rows.length === 0) return;
    if (layout === undefined) {
      layout = createTableLayout(columns, rows, { width: output.width, hasColors: output.hasColors });
      yield layout.formatHead();
    }
    for (const row of rows) yield layout.formatRow(row);
  };
}

function createCsvFormatter<Row>(
  columns: readonly Column<Row>[],
  { isTerminal }: Pick<Output, 'isTerminal'>
): (rows: readonly Row[]) => Iterable<string> {
  const show = (cell: string): string => (isTerminal ? toVisibleText(cell) : cell);
  let isFirst = true;
  return function* (rows) {
    if (isFirst) yield formatCsvLine(columns.map(({ name }) => show(name)));
    isFirst = false;
    for (const row of rows) yield formatCsvLine(columns.map((column) => show(formatCell(column, row))));
  };
}

/** A cell cannot hold a tab or the end of a line; it has a space there. */
function formatTabs<Row>(columns: readonly Column<Row>[], row: Row): string {
  return `${columns.map((column) => formatCell(column, row).replace(/[\t\n\v\f\r]+/g, ' ')).join('\t')}\n`;
}

function formatJson<Row>(columns: readonly Column<Row>[], row: Row): string {
  const members = new Map<string, string>();
  for (const { name, value, json } of columns) {
    const found = value(row);
    if (found !== undefined) members.set(name, json?.(row) ?? JSON.stringify(found));
  }
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}\n`;
}

/** JSON on a terminal has escapes for what could control it or change the direction of text; it is the same JSON. */
export function showJson(json: string, { isTerminal }: Pick<Output, 'isTerminal'>): string {
  if (!isTerminal) return json;
  return json.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** But the line feeds between objects. */
const CONTROLS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A line of CSV (RFC 4180), which ends with LF. */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
