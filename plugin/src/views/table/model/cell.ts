import { dateTimeFormat, FieldType } from '@grafana/data';
import type { Column, PanelTable } from '../../parts/components/tables.js';
import { formatExactTime } from '../../parts/exact-time.js';
import { createJobHref } from '../../parts/job-link.js';
import { readTexts } from './row-json.js';
import { createNumberFormat, createUnitFormat } from '../../parts/number-format.js';

interface Cell {
  readonly text: string;
  /** The value in full, where the text is shorter. */
  readonly title: string | undefined;
}

export interface CellColumn {
  /** The user's own key; undefined for the time, by which the rows are ordered anyway. */
  readonly name: string | undefined;
  readonly title: string;
  readonly isNumeric: boolean;
  /** Characters the widest cell of the sample needs. */
  readonly widthCh: number;
  /** Characters it needs to show the sample uncut, where that is more: it gets them if there is room. */
  readonly wantedCh: number;
  readonly readCell: (row: number) => Cell;
  readonly readLink: (row: number) => CellLink | undefined;
}

interface CellLink {
  readonly href: string;
  readonly target: string | undefined;
}

const EMPTY: Cell = { text: '', title: undefined };
const MIN_WIDTH_CH = 5;
const MAX_WIDTH_CH = 36;
/** A header that is wider than its values breaks into lines of about this. */
const HEADER_LINE_CH = 16;
/** Nobody reads a longer line in a table. */
const MAX_WANTED_CH = 400;
const SAMPLE_ROWS = 200;

function formatOther(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return JSON.stringify(value);
}

function isTimeColumn(column: Column): boolean {
  return column.field.type === FieldType.time;
}

function createReader(column: Column, table: PanelTable, timeZone: string): (row: number) => Cell {
  const withUnit = createUnitFormat(column.field);
  const texts = readTexts(table, column.name);
  // A number that is shown by its text needs no digits of the others.
  const formatNumber = createNumberFormat(column.values.filter((_value, row) => !texts.has(row)));
  return (row) => {
    const value = texts.get(row) ?? column.values[row];
    if (value === null || value === undefined) return EMPTY;
    if (isTimeColumn(column) && typeof value === 'number') {
      return { text: formatTimeMs(value, timeZone), title: undefined };
    }
    const full = formatOther(value);
    if (withUnit !== undefined) return { text: withUnit(value), title: full };
    if (typeof value !== 'number') return { text: full, title: full.length > MAX_WIDTH_CH ? full : undefined };
    const text = formatNumber(value);
    return { text, title: text === full ? undefined : full };
  };
}

function createLinkReader(
  column: Column,
  { jobColumn, readJobPlace }: PanelTable
): (row: number) => CellLink | undefined {
  const { field, values } = column;
  if (column.name === jobColumn) {
    return (row) => {
      const job = values[row];
      if (typeof job !== 'string' || job === '') return undefined;
      return { href: createJobHref({ job, ...readJobPlace(row) }), target: undefined };
    };
  }
  const { getLinks } = field;
  if (getLinks === undefined || (field.config.links?.length ?? 0) === 0) return () => undefined;
  return (row) => {
    const [link] = getLinks({ valueRowIndex: row });
    return link === undefined ? undefined : { href: link.href, target: link.target };
  };
}

/** The longest part of a header that must stay on one line: headers break after `_ / . - ,` and between words. */
export function splitHeader(title: string): readonly string[] {
  return title.split(/(?<=[_/.\-,\s])/);
}

function measureHeader(title: string): number {
  const longestPart = Math.max(0, ...splitHeader(title).map((part) => part.length));
  return Math.max(Math.min(title.length, HEADER_LINE_CH), longestPart);
}

function createCellColumn(column: Column, table: PanelTable, rows: readonly number[], timeZone: string): CellColumn {
  const readCell = createReader(column, table, timeZone);
  const sample = rows.slice(0, SAMPLE_ROWS).map((row) => readCell(row).text.length);
  const widest = Math.max(measureHeader(column.title), ...sample);
  return {
    name: column.name,
    title: column.title,
    isNumeric: column.isNumeric,
    widthCh: Math.min(MAX_WIDTH_CH, Math.max(MIN_WIDTH_CH, widest)),
    wantedCh: Math.min(MAX_WANTED_CH, Math.max(MIN_WIDTH_CH, widest)),
    readCell,
    readLink: createLinkReader(column, table),
  };
}

function formatTimeMs(timeMs: number, timeZone: string): string {
  return dateTimeFormat(timeMs, { timeZone, format: 'YYYY-MM-DD HH:mm:ss.SSS' });
}

function createTimeColumn(table: PanelTable, timesMs: readonly number[], timeZone: string): CellColumn {
  return {
    name: undefined,
    title: table.timeTitle,
    isNumeric: false,
    widthCh: 22,
    wantedCh: 22,
    readCell: (row) => {
      const timeMs = timesMs[row] as number | null | undefined;
      if (timeMs === undefined || timeMs === null) return EMPTY;
      const timeNs = table.timesNs?.[row];
      const exact = timeNs === undefined ? new Date(timeMs).toISOString() : formatExactTime(timeNs);
      return { text: formatTimeMs(timeMs, timeZone), title: exact };
    },
    readLink: () => undefined,
  };
}

/** How each column of a table is written, the time first; widths come from these rows. */
export function createCellColumns(table: PanelTable, rows: readonly number[], timeZone: string): readonly CellColumn[] {
  const time = table.timesMs === undefined ? [] : [createTimeColumn(table, table.timesMs, timeZone)];
  return [...time, ...table.columns.map((column) => createCellColumn(column, table, rows, timeZone))];
}
