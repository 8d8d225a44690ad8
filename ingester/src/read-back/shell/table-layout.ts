import { columnsOfText } from '@joblens/core/console/column-width';
import { cutToColumns, toVisibleText } from '@joblens/core/console/terminal-text';
import { ellipsisOf } from '../../host/charset.js';
import { type CellColor, type Column, formatValue } from './column.js';
import type { Output } from './output.js';

const GAP = '  ';
/** A column that is cut keeps at least so many columns of the terminal. */
const MIN_CUT_WIDTH = 6;
const SGR: Readonly<Record<CellColor, number>> = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2 };

export interface TableLayout<Row> {
  /** The head, as one line. */
  formatHead(): string;
  formatRow(row: Row): string;
}

/**
 * Lays out a table of aligned columns so that these rows fit into `width` columns of a terminal, wide characters
 * counted. Rows that are formatted later have the same columns. Texts are cut only where they must be.
 */
export function createTableLayout<Row>(
  allColumns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, hasColors, charset }: Pick<Output, 'width' | 'hasColors' | 'charset'>
): TableLayout<Row> {
  const columns = chooseColumns(allColumns, rows, width);
  const heads = columns.map(formatHead);
  const fitted = fitWidths(columns, measure(columns, rows), width - gapsOf(columns));

  const formatLine = (texts: readonly string[], colorOf: (i: number) => number | undefined): string => {
    const cells = texts.map((text, i) => {
      const cut = cutToColumns(text, fitted[i] ?? 0, ellipsisOf(charset));
      const room = ' '.repeat(Math.max(0, (fitted[i] ?? 0) - columnsOfText(cut)));
      const color = hasColors && cut !== '' ? colorOf(i) : undefined;
      const shown = color === undefined ? cut : `\x1b[${color}m${cut}\x1b[0m`;
      if (columns[i]?.align === 'right') return room + shown;
      return i === columns.length - 1 ? shown : shown + room;
    });
    return `${cells.join(GAP).trimEnd()}\n`;
  };

  return {
    formatHead: () => formatLine(heads, () => 1),
    formatRow: (row) =>
      formatLine(
        columns.map((column) => formatCell(column, row)),
        (i) => {
          const color = columns[i]?.color?.(row);
          return color === undefined ? undefined : SGR[color];
        }
      ),
  };
}

function formatHead<Row>({ name, head }: Column<Row>): string {
  return toVisibleText(head ?? name.replaceAll('_', ' ').toUpperCase());
}

function formatCell<Row>({ value, shown }: Column<Row>, row: Row): string {
  return toVisibleText(shown?.(row) ?? formatValue(value(row)));
}

/** The widths that the columns would like to have. */
function measure<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly number[] {
  return columns.map((column) =>
    rows.reduce(
      (most, row) => Math.max(most, columnsOfText(formatCell(column, row))),
      columnsOfText(formatHead(column))
    )
  );
}

function gapsOf(columns: readonly unknown[]): number {
  return GAP.length * (columns.length - 1);
}

/** Leaves out minor columns: empty ones, and by rank and from the right those that do not fit with all texts cut. */
function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number
): readonly Column<Row>[] {
  const isEmpty = (column: Column<Row>): boolean => rows.every((row) => formatCell(column, row) === '');
  const filled = columns.filter((column) => column.isMinor !== true || column.mayFill === true || !isEmpty(column));
  const widths = measure(filled, rows);
  const needs = new Map(
    filled.map((column, i) => [
      column,
      column.shrinks === true ? Math.min(widths[i] ?? 0, MIN_CUT_WIDTH) : (widths[i] ?? 0),
    ])
  );
  const fits = (some: readonly Column<Row>[]): boolean =>
    some.reduce((sum, column) => sum + (needs.get(column) ?? 0), gapsOf(some)) <= width;
  const minor = filled.filter(({ isMinor }) => isMinor === true);
  const chosen = new Set(filled);
  for (const column of minor.reverse().sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0))) {
    if (fits([...chosen])) break;
    chosen.delete(column);
  }
  return filled.filter((column) => chosen.has(column));
}

/** Takes width from the widest columns: first from those that shrink, then from all. */
function fitWidths<Row>(columns: readonly Column<Row>[], widths: readonly number[], room: number): readonly number[] {
  const shrunk = cap(widths, (i) => columns[i]?.shrinks === true, room);
  return cap(shrunk, () => true, room);
}

/** Caps the chosen widths at the highest number with which all of them fit into the room. */
function cap(widths: readonly number[], isChosen: (i: number) => boolean, room: number): readonly number[] {
  const capped = (most: number): number[] => widths.map((width, i) => (isChosen(i) ? Math.min(width, most) : width));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  // A text that is longer than the room is cut to it.
  let most = Math.max(MIN_CUT_WIDTH, Math.min(room, Math.max(...widths, 0)));
  while (most > MIN_CUT_WIDTH && sum(capped(most)) > room) most--;
  return capped(most);
}
