import { foldColumns, type TableStats } from '../table/table-stats.js';
import type { JobSource } from '../schema/measurements.js';
import { createLineTemplate, type LineTemplate } from './line-template.js';
import { listInexactIntegers } from '../table/inexact-integer.js';
import { hasKeys, type KeyPaths, type MetadataRow, type PrintedRow } from '../table/metadata-row.js';
import { type MetadataOptions, parsePrintedRow } from './parse-metadata.js';
import { type FormattedPoints, TableLayout } from './table-layout.js';

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
  /** The number that a key holds, also the nearest float of an integer beyond 2^53. */
  numberOf(key: string): number | undefined;
  toRow(): MetadataRow;
}

/** Reads the metadata lines of one source. Lines of the same table are cheap: the text that they share is made once. */
export interface MetadataReader {
  /** A line that may be metadata; undefined when it is a log line (parsePrintedRow). */
  read(line: string, options: MetadataOptions): MetadataLine | undefined;
  /** A line that was read already, its row, and the columns that count its rows, where they are known. */
  toLine(line: string, row: MetadataRow, counters?: readonly string[]): MetadataLine;
  /** A row that was not printed as a line, such as one of a file with columns. */
  fromRow(row: PrintedRow): MetadataLine;
}

/** How many tables are remembered, and how many keys they have in all: rows may have any of many sets of keys. */
const MAX_TABLES = 1000;
const MAX_KEYS = 20_000;
const NO_PATHS: KeyPaths = new Map();

/** A table that came again, and how its lines are printed. */
export interface PrintedTable {
  readonly layout: TableLayout;
  readonly template: LineTemplate;
}

/** The tables that read their further lines in a faster way. */
export interface PrintedTableSet {
  has(layout: TableLayout): boolean;
  add(table: PrintedTable): void;
}

interface KnownTable {
  readonly layout: TableLayout;
  /** Whether it came again, and its lines are not printed alike. */
  isUnlike: boolean;
}

/** Each table that comes again is added to `printed`. */
export function createMetadataReader(source: JobSource, printed?: PrintedTableSet): MetadataReader {
  /** By their keys, the newest last. */
  const tables = new Map<string, KnownTable>();
  let keys = 0;
  let last: KnownTable | undefined;

  function findLayout(line: string, row: MetadataRow): TableLayout {
    const known = findKnown(row);
    if (known === undefined) {
      const layout = new TableLayout(source, [...row.keys()]);
      remember({ layout, isUnlike: false });
      return layout;
    }
    last = known;
    if (printed !== undefined && !known.isUnlike && !printed.has(known.layout)) {
      const template = createLineTemplate(line, known.layout.keys);
      if (template === undefined) {
        known.isUnlike = true;
      } else {
        printed.add({ layout: known.layout, template });
      }
    }
    return known.layout;
  }

  function findKnown(row: MetadataRow): KnownTable | undefined {
    if (last !== undefined && hasKeys(row, last.layout.keys)) {
      return last;
    }
    const known = tables.get(joinKeys(row.keys()));
    // Keys may hold the character that separates them.
    return known !== undefined && hasKeys(row, known.layout.keys) ? known : undefined;
  }

  function remember(table: KnownTable): void {
    const count = table.layout.keys.length;
    if (count > MAX_KEYS) {
      return;
    }
    for (const [oldest, { layout }] of tables) {
      if (tables.size < MAX_TABLES && keys + count <= MAX_KEYS) {
        break;
      }
      tables.delete(oldest);
      keys -= layout.keys.length;
    }
    const name = joinKeys(table.layout.keys);
    keys += count - (tables.get(name)?.layout.keys.length ?? 0);
    tables.set(name, table);
  }

  return {
    read(line, options) {
      const printed = parsePrintedRow(line, options);
      return printed === undefined ? undefined : createLine(findLayout(line, printed.row), printed);
    },
    toLine(line, row, counters) {
      return createLine(findLayout(line, row), { row, jsonKeys: undefined, paths: NO_PATHS }, counters);
    },
    fromRow(printed) {
      return createLine(findLayout('', printed.row), printed);
    },
  };
}

function joinKeys(keys: Iterable<string>): string {
  return [...keys].join('\0');
}

/** The line of a row that was read already, whose keys are those of the layout, in this order. */
export function createLine(
  layout: TableLayout,
  { row, jsonKeys, paths }: PrintedRow,
  counters?: readonly string[]
): MetadataLine {
  const inexact = listInexactIntegers(row, jsonKeys);
  return {
    series: layout.series,
    keys: layout.keys,
    paths,
    formatPoints: (timeText) => layout.formatPoints(row.values(), timeText, inexact),
    foldInto(stats) {
      if (counters !== undefined) stats.counters ??= counters;
      foldColumns(stats, layout.columnsOf(stats), row, jsonKeys);
    },
    numberOf(key) {
      const value = row.get(key);
      return typeof value === 'number' ? value : inexact?.get(key);
    },
    toRow: () => row,
  };
}
