import type { MetadataRow } from '../table/metadata-row.js';
import type { Result } from '../result/result.js';
import { isNumberText, readPrintedValue } from './printed-value.js';

/** A regular expression with named groups. */
export interface LinePattern {
  /** The names of its groups, in their order. */
  readonly names: readonly string[];
  /** The texts of the groups in the first match; undefined where the line has none. A group without text is ''. */
  match(line: string): readonly string[] | undefined;
}

/** A fault in a regular expression. The words quote nothing of it. */
export interface PatternFault {
  readonly message: string;
}

/**
 * Compiles a regular expression. Those of users must run in linear time, and core imports nothing, so its caller brings
 * the engine.
 */
export type CompilePattern = (source: string) => Result<LinePattern, PatternFault>;

/** A group with nothing in it numbers the rows: what counts nothing has an X all the same. */
export const ROW_COUNTER = '(?<table_row>)';

/** The name of the group that numbers the rows; undefined where there is none. */
export function findRowCounter(source: string): string | undefined {
  return /\(\?P?<(\w+)>\)/.exec(source)?.[1];
}

/** The row of a line that the pattern fits; undefined if it does not fit, or no group holds a number. */
export function readPatternRow(pattern: LinePattern, line: string): MetadataRow | undefined {
  const texts = pattern.match(line);
  if (texts?.some(isNumberText) !== true) {
    return undefined;
  }
  const row = new Map<string, number | string>();
  texts.forEach((text, i) => {
    const name = pattern.names[i];
    if (name !== undefined && text !== '') {
      row.set(name, readPrintedValue(text));
    }
  });
  return row;
}
