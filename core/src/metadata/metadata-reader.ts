import type { TableStats } from '../table/table-stats.js';
import { foldValue } from '../table/table-stats.js';
import type { JobSource } from '../schema/measurements.js';
import type { LineTemplate } from './line-template.js';
import { createLineTemplate } from './line-template.js';
import type { KeyPaths, MetadataRow, PrintedRow } from '../table/metadata-row.js';
import { hasKeys } from '../table/metadata-row.js';
import type { MetadataOptions } from './parse-metadata.js';
import { parsePrintedRow } from './parse-metadata.js';
import type { FormattedPoints } from './table-layout.js';
import { TableLayout } from './table-layout.js';

/** One metadata line after reading. */
export interface MetadataLine {
  /** The name of its table. */
  readonly series: string;
  /** Its keys, flattened, in the order printed. */
  readonly keys: readonly string[];
  /** Where those keys come from that are not of the line's own object. */
  readonly paths: KeyPaths;
  /** Its points at a time (nanoseconds, in decimal) as line protocol; each ends with a newline. */
  formatPoints(timeText: string): FormattedPoints;
  /** Folds its values as one row into the statistics of its table. */
  foldInto(stats: TableStats): void;
  toRow(): MetadataRow;
}

/** Reads the metadata lines of one source. Lines of the same table are cheap: the text that they share is made once. */
export interface MetadataReader {
  /** A line that may be metadata; undefined when it is a log line (parsePrintedRow). */
  read(line: string, options: MetadataOptions): MetadataLine | undefined;
  /** A line that was read already, and its row. */
  toLine(line: string, row: MetadataRow): MetadataLine;
}

/** How many tables are remembered: a job alternates between few (training, validation, test). */
const MAX_TABLES = 16;
const MAX_KEYS = 1000;
const NO_PATHS: KeyPaths = new Map();

/** A table that came again, and how its lines are printed. */
export interface PrintedTable {
  readonly layout: TableLayout;
  readonly template: LineTemplate;
}

interface KnownTable {
  readonly layout: TableLayout;
  /** Whether it came again, and `onPrinted` has heard how its lines are printed. */
  isRepeated: boolean;
}

/** `onPrinted` hears of each table that comes again, so that the caller can read such lines faster. */
export function createMetadataReader(source: JobSource, onPrinted?: (table: PrintedTable) => void): MetadataReader {
  let tables: readonly KnownTable[] = [];

  function findLayout(line: string, row: MetadataRow): TableLayout {
    const known = tables.find(({ layout }) => hasKeys(row, layout.keys));
    if (known === undefined) {
      const layout = new TableLayout(source, [...row.keys()]);
      if (row.size <= MAX_KEYS) {
        tables = [{ layout, isRepeated: false }, ...tables.slice(0, MAX_TABLES - 1)];
      }
      return layout;
    }
    if (!known.isRepeated) {
      known.isRepeated = true;
      const template = createLineTemplate(line, known.layout.keys);
      if (template !== undefined) {
        onPrinted?.({ layout: known.layout, template });
      }
    }
    return known.layout;
  }

  return {
    read(line, options) {
      const printed = parsePrintedRow(line, options);
      return printed === undefined ? undefined : createLine(findLayout(line, printed.row), printed);
    },
    toLine: (line, row) => createLine(findLayout(line, row), { row, jsonKeys: undefined, paths: NO_PATHS }),
  };
}

function createLine(layout: TableLayout, { row, jsonKeys, paths }: PrintedRow): MetadataLine {
  return {
    series: layout.series,
    keys: layout.keys,
    paths,
    formatPoints: (timeText) => layout.formatPoints(row.values(), timeText),
    foldInto(stats) {
      const columns = layout.columnsOf(stats);
      stats.rows += 1;
      let i = 0;
      for (const [key, value] of row) {
        const column = columns[i];
        if (column !== undefined) {
          foldValue(column, value, jsonKeys?.has(key));
        }
        i += 1;
      }
    },
    toRow: () => row,
  };
}
