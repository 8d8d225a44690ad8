import type { JsonValue } from '../schema/job-point.js';
import type { MetadataRow } from '../table/metadata-row.js';

/** Reads lines of one kind, in the order in which they were printed. */
export interface LineReader {
  /** The row of a line; undefined when it is a log line, or a line that only later ones complete to a row. */
  read(line: string): MetadataRow | undefined;
  /**
   * Texts of which every line that matters holds one, besides lines that begin like an object of JSON. The other lines
   * need not be read. Undefined when any line may matter. They may change with each line that was read.
   */
  needles(): readonly string[] | undefined;
  /** The columns that count such rows as `read` gave last, the best first; undefined where none is known. */
  counters(row: MetadataRow): readonly string[] | undefined;
  /** What the lines before have left, as JSON; undefined for none. `counts`: only numbers that nobody printed. */
  takeState(part?: 'all' | 'counts'): JsonValue | undefined;
}

/** What a reader gives for a line of its program that is no row: no other reader may take it for one. */
export const NO_ROW: MetadataRow = new Map();

/** A reader that keeps nothing from one line to the next. */
export function createPlainReader(
  read: (line: string) => MetadataRow | undefined,
  needles: readonly string[] | undefined
): LineReader {
  return { read, needles: () => needles, counters: () => undefined, takeState: () => undefined };
}
