import type { PrintedRow } from '@joblens/core/table/metadata-row';
import { CsvRecords } from './csv-records.js';
import type { ImportRequest, ReadSource } from '../job/importer.js';
import { openSourceFile } from '../job/source-file.js';
import { TimedRows } from './timed-rows.js';

/** A number as JSON or Python prints it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NO_PATHS: PrintedRow['paths'] = new Map();

/** Reads a file whose first row names its columns, separated by commas, semicolons or tabs: the rows of one job. */
export const readCsv: ReadSource = async (request) => {
  const file = await openSourceFile(request);
  const rows = new TimedRows(request, file.modifiedMs);
  const records = new CsvRecords();
  let names: readonly string[] | undefined;
  let number = 0;
  const addAll = (found: Iterable<readonly string[]>): void => {
    for (const cells of found) {
      number += 1;
      if (cells.length === 1 && cells[0] === '') continue;
      if (names === undefined) names = nameColumns(cells);
      else addRow(request, rows, { names, cells, number });
    }
  };
  for await (const chunk of file.chunks) {
    addAll(records.add(chunk));
    await request.advance(file.readBytes(), file.sizeBytes);
  }
  addAll(records.end());
  if (records.isInQuotes) request.leftOut.add('quotes that no quote ends', `row ${number}`);
  rows.end();
};

interface CsvRow {
  readonly names: readonly string[];
  readonly cells: readonly string[];
  readonly number: number;
}

function addRow({ leftOut }: ImportRequest, rows: TimedRows, { names, cells, number }: CsvRow): void {
  if (cells.length > names.length) leftOut.add('rows with more cells than there are columns', `row ${number}`);
  else
    rows.add(
      readCells(names, cells),
      cells.reduce((sum, cell) => sum + cell.length, 0)
    );
}

/** Each column has a name of its own, as each key of an object has: the index of a table has none. */
function nameColumns(cells: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return cells.map((cell, i) => {
    const name = cell.trim() || `column ${i + 1}`;
    let own = name;
    for (let n = 2; taken.has(own); n += 1) own = `${name}.${n}`;
    taken.add(own);
    return own;
  });
}

/** An empty cell is a null, so that its row stays in its table. */
function readCells(names: readonly string[], cells: readonly string[]): PrintedRow {
  const row = new Map<string, string | number>();
  const jsonKeys = new Set<string>();
  names.forEach((name, i) => {
    const cell = (cells[i] ?? '').trim();
    if (cell === '') jsonKeys.add(name);
    row.set(name, cell === '' ? 'null' : readCell(cell));
  });
  return { row, jsonKeys, paths: NO_PATHS };
}

/** A number that a float holds as it is written, or nearly so; an integer that none holds stays text. */
function readCell(cell: string): string | number {
  if (!NUMBER.test(cell)) return cell;
  const number = Number(cell);
  if (!Number.isFinite(number)) return cell;
  const isInteger = /^[+-]?\d+$/.test(cell);
  // An id such as 007 is no number.
  if (isInteger && (!Number.isSafeInteger(number) || /^[+-]?0\d/.test(cell))) return cell;
  return number;
}
