import type { Observable } from 'rxjs';
import type { Column, PanelTable } from '../../parts/components/tables.js';
import {
  chooseRows,
  type ColumnSort,
  listSortValues,
  listTypedFilters,
  type RowChoice,
  sortRows,
} from './column-filter.js';
import { type ExportForm, formatHeader, formatRows } from './export-rows.js';
import { orderRows } from './row-order.js';
import { readAllRows, type ReadRows } from './store-rows.js';

export interface DownloadedTable {
  readonly table: PanelTable;
  /** The columns that are shown. */
  readonly columns: readonly Column[];
  /** Way to the rows that are not loaded, if there is one. */
  readonly read: ReadRows | undefined;
  readonly choice: RowChoice;
  /** Rows that are equal in the column that sorts are in this order. */
  readonly isNewestFirst: boolean;
}

/** Puts texts of rows, each with the value that sorts it, in the order of a file. */
interface Collector {
  readonly add: (texts: readonly string[], values: readonly unknown[]) => void;
  readonly finish: () => readonly Blob[];
}

/** Each piece is the browser's own at once. */
function createCollector(): Collector {
  const pieces: Blob[] = [];
  return { add: (texts) => void pieces.push(new Blob([texts.join('')])), finish: () => pieces };
}

/** Keeps all texts until the last one has come. */
function createSortingCollector(sort: ColumnSort, isNewestFirst: boolean): Collector {
  const texts: string[] = [];
  const values: unknown[] = [];
  return {
    add: (newTexts, newValues) => {
      newTexts.forEach((text, at) => {
        texts.push(text);
        values.push(newValues[at]);
      });
    },
    finish: () => {
      const rows = [...texts.keys()];
      const sorted = sortRows(isNewestFirst ? rows.reverse() : rows, values, sort);
      return [new Blob(sorted.map((row) => texts[row] ?? ''))];
    },
  };
}

/**
 * All rows of a table that pass the filters, as the content of a file: oldest first, or sorted as in the view. They
 * come from the store, or are the loaded ones where that is all.
 * @param onRows told how many rows were read so far
 */
export async function downloadRows(
  form: ExportForm,
  { table, columns, read, choice, isNewestFirst }: DownloadedTable,
  { onRows, cancel }: { readonly onRows: (rows: number) => void; readonly cancel: Observable<unknown> }
): Promise<readonly Blob[]> {
  const { filters, sort } = choice;
  const collector = sort === undefined ? createCollector() : createSortingCollector(sort, isNewestFirst);
  let count = 0;
  const add = (piece: PanelTable, rows: readonly number[]): void => {
    const columnOf = (wanted: string) => piece.columns.filter(({ name }) => name === wanted);
    const own = columns.flatMap(({ name }) => columnOf(name));
    const [sorting] = sort === undefined ? [] : columnOf(sort.column);
    const values = sorting === undefined ? [] : listSortValues(piece, sorting);
    collector.add(
      formatRows(form, piece, own, rows),
      rows.map((row) => values[row])
    );
    count += rows.length;
    onRows(count);
  };
  if (table.totalRows <= table.rowCount || read === undefined) {
    add(table, chooseRows(table, orderRows(table, false), { filters, sort: undefined }));
  } else {
    const typed = listTypedFilters(filters);
    await readAllRows(read, (piece) => add(piece, orderRows(piece, false)), { filters: typed, cancel });
  }
  return [new Blob([formatHeader(form, table, columns)]), ...collector.finish()];
}
