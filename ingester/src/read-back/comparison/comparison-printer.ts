import type { Column } from '../shell/column.js';
import { createRowPrinter, type RowPrinter } from '../shell/print-rows.js';
import type { Reading } from '../shell/reading.js';

/** Prints rows as Markdown, or else in the form that the options of all reading commands ask for. */
export function createComparisonPrinter<Row>(
  reading: Reading,
  { markdown }: { readonly markdown: boolean },
  columns: readonly Column<Row>[]
): RowPrinter<Row> {
  return markdown ? createRowPrinter(reading.output, 'markdown', columns) : reading.createPrinter(columns);
}
