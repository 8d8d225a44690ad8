import { formatCsvRow } from '@joblens/core/words/csv';
import { replaceControls, toVisibleText } from '@joblens/core/console/terminal-text';
import { type Charset, unknownMarkOf } from '../../host/charset.js';
import { showJson } from '../../host/show-json.js';
import { type Column, formatCell } from './column.js';
import type { Output } from './output.js';
import { createTableLayout, type TableLayout } from './table-layout.js';

/** The forms of rows: a table on a terminal, tabs where the output goes elsewhere, or what the user asked for. */
export type RowFormat = 'table' | 'tabs' | 'json' | 'csv' | 'markdown';

/** Prints rows as they come. */
export interface RowPrinter<Row> {
  /** False when nobody reads any more: end quietly, with exit code 0. */
  print(rows: readonly Row[]): Promise<boolean>;
}

/** Lines are written together up to about this many characters. */
const CHUNK_CHARS = 1 << 16;

/**
 * Creates a printer in the form that the options and the output ask for. A table's widths are those of the rows that
 * are printed first; it has its head once, and nothing is printed without rows, except the head of CSV. Raw CSV has the
 * texts as they are stored.
 */
export function createRowPrinter<Row>(
  output: Output,
  format: RowFormat,
  columns: readonly Column<Row>[],
  isRaw = false
): RowPrinter<Row> {
  const formatRows = createFormatter(output, format, columns, isRaw);
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
  columns: readonly Column<Row>[],
  isRaw: boolean
): (rows: readonly Row[]) => Iterable<string> {
  const shown = columns.filter(({ isDetail }) => isDetail !== true);
  switch (format) {
    case 'table':
      return createTableFormatter(output, shown);
    case 'tabs':
      return (rows) => rows.map((row) => formatTabs(shown, row, output));
    case 'json':
      return (rows) => rows.map((row) => showJson(formatJson(columns, row)));
    case 'markdown':
      return createMarkdownFormatter(shown, output);
    case 'csv':
      return createCsvFormatter(columns, { isRaw, isTerminal: output.isTerminal, charset: output.charset });
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
      layout = createTableLayout(columns, rows, output);
      yield layout.formatHead();
    }
    for (const row of rows) yield layout.formatRow(row);
  };
}

function createCsvFormatter<Row>(
  columns: readonly Column<Row>[],
  form: CsvForm
): (rows: readonly Row[]) => Iterable<string> {
  let isFirst = true;
  return function* (rows) {
    if (isFirst)
      yield formatCsvLine(
        columns.map(({ name }) => name),
        form
      );
    isFirst = false;
    for (const row of rows)
      yield formatCsvLine(
        columns.map((column) => formatCell(column, row)),
        form
      );
  };
}

/** A table of GitHub Flavored Markdown (spec 0.29, 4.10): cells as people read them. */
function createMarkdownFormatter<Row>(
  columns: readonly Column<Row>[],
  { charset }: Output
): (rows: readonly Row[]) => Iterable<string> {
  const formatLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  let isFirst = true;
  return function* (rows) {
    if (isFirst && rows.length > 0) {
      yield formatLine(columns.map(({ name, head }) => escapeMarkdown(head ?? name, charset)));
      yield formatLine(columns.map(({ align }) => (align === 'right' ? '---:' : '---')));
      isFirst = false;
    }
    for (const row of rows)
      yield formatLine(
        columns.map((column) => escapeMarkdown(column.shown?.(row) ?? formatCell(column, row), charset))
      );
  };
}

/** A text as one line of Markdown that shows it as it is, whoever chose it. `_` within a word needs no escape. */
export function escapeMarkdown(text: string, charset: Charset): string {
  const line = replaceControls(text.replace(/[\t\n\v\f\r]+/g, ' '), unknownMarkOf(charset));
  return line.replace(/[\\`*<>|~&[\]#!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

/** A cell cannot hold a tab or the end of a line; it has a space there. */
function formatTabs<Row>(columns: readonly Column<Row>[], row: Row, output: Output): string {
  const cells = columns.map((column) => formatCell(column, row));
  return joinByTabs(cells, output);
}

/** The head of lines with tabs, which have none unless their columns cannot be told apart without it. */
export function formatTabsHead<Row>(columns: readonly Column<Row>[], output: Output): string {
  const shown = columns.filter(({ isDetail }) => isDetail !== true);
  return joinByTabs(
    shown.map(({ name, head }) => head ?? name),
    output
  );
}

function joinByTabs(cells: readonly string[], { charset }: Output): string {
  const mark = unknownMarkOf(charset);
  return `${cells.map((cell) => replaceControls(cell.replace(/[\t\n\v\f\r]+/g, ' '), mark)).join('\t')}\n`;
}

/** A row as one object of JSON and the end of its line. */
export function formatJson<Row>(columns: readonly Column<Row>[], row: Row): string {
  const members = new Map<string, string>();
  for (const { name, value, json } of columns) {
    const found = value(row);
    if (found !== undefined) members.set(name, json?.(row) ?? JSON.stringify(found));
  }
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}\n`;
}

/** How texts of others are shown in CSV. */
export interface CsvForm {
  /** As they are stored, whatever they do to a terminal or a spreadsheet. */
  readonly isRaw: boolean;
  /** On a terminal, a row is one line. */
  readonly isTerminal: boolean;
  /** That of the marks for characters that are not shown. */
  readonly charset: Charset;
}

/**
 * A line of CSV (RFC 4180), which ends with LF. Unless it is raw, no cell controls a terminal or runs in a spreadsheet,
 * whoever chose its text.
 */
export function formatCsvLine(cells: readonly string[], { isRaw, isTerminal, charset }: CsvForm): string {
  const show = (cell: string): string =>
    isTerminal ? toVisibleText(cell) : replaceControls(cell, unknownMarkOf(charset));
  return `${formatCsvRow(isRaw ? cells : cells.map(show), { isRaw })}\n`;
}
