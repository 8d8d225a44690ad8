import type { JsonValue } from '../schema/job-point.js';
import type { MetadataRow } from '../table/metadata-row.js';
import { inferLinePattern, type InferredPattern } from './infer-line-pattern.js';
import { createKindReader } from './kind-reader.js';
import { KNOWN_KINDS } from './known-kinds.js';
import { type CompilePattern, readPatternRow, ROW_COUNTER } from './line-pattern.js';
import type { LineReader } from './line-reader.js';
import type { MetadataKind } from './metadata-kind.js';
import { findNamedNumbers, type NamedNumber } from './named-numbers.js';
import { readPrintedValue } from './printed-value.js';

/** Numbers that somebody has chosen in one line of a log. */
export interface ChosenNumbers {
  /** Lines of one stream of a job, the oldest first. Those around the chosen one tell which program prints it. */
  readonly lines: readonly string[];
  /** The index of the line. */
  readonly at: number;
  /** Where the numbers are in the line, UTF-16 units, from 0. */
  readonly columns: readonly number[];
}

export interface LineRule {
  /** The rule that makes lines such as this one metadata. */
  readonly rule: MetadataKind;
  /** The column of the chosen number in the rows. */
  readonly name: string;
}

/** A heading may be far before the line, and the end of a row of many lines is soon after it. */
const LINES_BEFORE = 2000;
const LINES_AFTER = 200;
/** So few rows say nothing of how a column goes. */
const MIN_ROWS = 3;

/**
 * The rule of the lines that are like this one, for each of its chosen numbers: that of the program that prints them,
 * else the pattern of the line. None where no number is.
 */
export function findLineRules({ lines, at, columns }: ChosenNumbers, compile: CompilePattern): readonly LineRule[] {
  const line = lines[at] ?? '';
  const before = lines.slice(Math.max(0, at - LINES_BEFORE), Math.max(0, at));
  const rest = [line, ...lines.slice(at + 1, at + LINES_AFTER)];
  const kinds = findKinds(before, line, compile);
  const numbers = findNamedNumbers(line);
  return columns.flatMap((column) => {
    const number = numbers.find(({ start, end }) => start <= column && column <= end);
    for (const kind of number === undefined ? [] : kinds) {
      const name = number && findKey(kind, rest, number, compile);
      if (name !== undefined) {
        return [{ rule: kind.rule, name }];
      }
    }
    const pattern = inferLinePattern(line, column, before);
    return pattern === undefined
      ? []
      : [{ rule: { regex: countRows(pattern, [...before, ...rest], compile) }, name: pattern.name }];
  });
}

/** A kind that reads the chosen line, and what the lines before have left. */
interface FittingKind {
  readonly rule: MetadataKind;
  readonly state: JsonValue;
}

/** The kinds that make a row of the line, or keep something of it for a later one. */
function findKinds(before: readonly string[], line: string, compile: CompilePattern): readonly FittingKind[] {
  return KNOWN_KINDS.flatMap((rule) => {
    const reader = createReader(rule, null, compile);
    before.forEach((text) => reader.read(text));
    // A copy, since the reader goes on.
    const text = JSON.stringify(reader.takeState() ?? null);
    const isRead = reader.read(line) !== undefined || JSON.stringify(reader.takeState() ?? null) !== text;
    return isRead ? [{ rule, state: JSON.parse(text) as JsonValue }] : [];
  });
}

function createReader(rule: MetadataKind, state: JsonValue, compile: CompilePattern): LineReader {
  return createKindReader({ kinds: [rule], nonfinite: 'metadata', compile, state });
}

/**
 * The column that changes with the number; undefined where the kind reads no row from it.
 *
 * @param lines the chosen one and those after it
 */
function findKey(
  { rule, state }: FittingKind,
  lines: readonly string[],
  number: NamedNumber,
  compile: CompilePattern
): string | undefined {
  const read = (first: string): readonly (MetadataRow | undefined)[] => {
    const reader = createReader(rule, state, compile);
    return lines.map((line, i) => reader.read(i === 0 ? first : line));
  };
  const [line = ''] = lines;
  const rows = read(line);
  for (const text of listOthers(number.text)) {
    const others = read(line.slice(0, number.start) + text + line.slice(number.end));
    for (const [i, row] of rows.entries()) {
      const other = others[i];
      const keys = row && other ? [...row.keys()].filter((key) => row.get(key) !== other.get(key)) : [];
      if (keys.length > 0) {
        return keys.find((key) => row?.get(key) === readPrintedValue(number.text)) ?? keys[0];
      }
    }
  }
  return undefined;
}

/** Other numbers that are printed alike: a count may not take the next one. */
function listOthers(text: string): readonly string[] {
  const last = /\d(?=[.,]?(?:[eEdDqQ][+-]?\d+)?$)/.exec(text);
  return last === null
    ? ['0.5']
    : [1, 9].map((step) => {
        const digit = (Number(last[0]) + step) % 10;
        return `${text.slice(0, last.index)}${digit}${text.slice(last.index + 1)}`;
      });
}

/** Numbers the rows where none of their columns counts, as far as the lines around tell. */
function countRows({ regex, hasCount }: InferredPattern, lines: readonly string[], compile: CompilePattern): string {
  const compiled = compile(regex);
  const rows = compiled.ok ? lines.flatMap((line) => readPatternRow(compiled.value, line) ?? []) : [];
  const keys = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const isCounted = rows.length < MIN_ROWS ? hasCount : keys.some((key) => isCounting(key, rows));
  return (isCounted ? '' : ROW_COUNTER) + regex;
}

/** Whole numbers or times that rise: what is measured may rise by chance. */
function isCounting(key: string, rows: readonly MetadataRow[]): boolean {
  const values = rows.map((row) => row.get(key));
  const isOfCount = /time/i.test(key) || values.every((value) => Number.isInteger(value));
  const hasChanged = values.some((value) => value !== values[0]);
  return isOfCount && hasChanged && values.every((value, i) => i === 0 || Number(value) >= Number(values[i - 1]));
}
