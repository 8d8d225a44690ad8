import { escapeRegex } from '../../words/escape-regex.js';
import { createAnd, createComparison, createRef, createStringLiteral, freezeNode } from '../../influxql/build.js';
import type { CompareOperator, Condition } from '../../influxql/nodes.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { readInexactInteger } from '../../table/inexact-integer.js';

/**
 * Which cells of a column pass. A row's numbers and its texts are in two measurements, so there is a test for each. A
 * cell without a value never passes.
 */
export interface ColumnFilter {
  /** A number passes if all of these hold. Undefined: no number does. */
  readonly numbers?: readonly NumberTest[];
  /** Undefined: no text passes. */
  readonly texts?: TextTest;
}

export interface NumberTest {
  readonly operator: CompareOperator;
  /** Finite. */
  readonly value: number;
}

export type TextTest =
  | { readonly kind: 'any' }
  /** In any case. */
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'equals'; readonly text: string }
  /** A null is stored as its text, and differs from nothing. */
  | { readonly kind: 'differs'; readonly text: string };

/** The half of a row that a measurement holds. */
export type RowHalf = 'numbers' | 'texts';

/** Every cell with a value. */
export const ANY_VALUE: ColumnFilter = freezeNode({ numbers: [], texts: { kind: 'any' } });

const NULL_TEXT = 'null';
const OPERATOR = /^(?:<=|>=|!=|<|>|=)/;
/** Behind one character at least. In `1... 5` the first point is that of the number. */
const RANGE_MARK = /(?<!^)\.\.(?!\.\s)/;
const COMPARE: Readonly<Record<CompareOperator, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? NaN : Number(text);
  // InfluxQL has no literal for the others. A minus before 0 means nothing.
  return Number.isFinite(number) ? number + 0 : undefined;
}

/**
 * What somebody typed above a column: `>0.5`, `<= 3`, `0.1..0.5` (both ends included), `=x`, `!=x`, a number, or a text
 * that the cell contains. A number finds the numbers that equal it, and the texts that contain it. Undefined for
 * nothing.
 */
export function parseColumnFilter(typed: string): ColumnFilter | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const operator = OPERATOR.exec(text)?.[0];
  const operand = text.slice(operator?.length).trimStart();
  // Somebody is still typing.
  if (operator !== undefined && operand === '') return undefined;
  return parseComparison(operator, operand) ?? parseRange(text) ?? parseWord(text);
}

function parseComparison(operator: string | undefined, operand: string): ColumnFilter | undefined {
  if (operator === undefined) return undefined;
  const value = parseNumber(operand);
  if (operator === '=') {
    return { ...createEquality(operand), texts: { kind: 'equals', text: operand } };
  }
  if (operator === '!=') {
    return { numbers: value === undefined ? [] : [{ operator, value }], texts: { kind: 'differs', text: operand } };
  }
  if (value === undefined) return undefined;
  // Infinity is stored as a text: JSON has no such number.
  const beyond = operator.startsWith('>') ? 'Infinity' : '-Infinity';
  return { numbers: [{ operator: operator as CompareOperator, value }], texts: { kind: 'equals', text: beyond } };
}

function parseRange(text: string): ColumnFilter | undefined {
  const mark = RANGE_MARK.exec(text);
  if (mark === null) return undefined;
  const [from, to] = [text.slice(0, mark.index), text.slice(mark.index + mark[0].length)].map(parseNumber);
  if (from === undefined || to === undefined) return undefined;
  return {
    numbers: [
      { operator: '>=', value: from },
      { operator: '<=', value: to },
    ],
  };
}

function parseWord(text: string): ColumnFilter {
  return { ...createEquality(text), texts: { kind: 'contains', text } };
}

/** Many integers beyond 2^53 have one float: their texts tell which of them is meant. */
function createEquality(text: string): Pick<ColumnFilter, 'numbers'> {
  const value = readInexactInteger(text) === undefined ? parseNumber(text) : undefined;
  return value === undefined ? {} : { numbers: [{ operator: '=', value }] };
}

/** The filter as a test of cells as they are stored. The store gives the same answers. */
export function compileColumnFilter({ numbers, texts }: ColumnFilter): (cell: number | string | null) => boolean {
  const testText = texts === undefined ? () => false : compileTextTest(texts);
  const testNumber = (cell: number): boolean =>
    numbers !== undefined && numbers.every(({ operator, value }) => COMPARE[operator](cell, value));
  return (cell) => {
    if (cell === null) return false;
    if (typeof cell === 'number') return testNumber(cell);
    const number = readInexactInteger(cell);
    return testText(cell) || (number !== undefined && testNumber(number));
  };
}

function compileTextTest(test: TextTest): (text: string) => boolean {
  switch (test.kind) {
    case 'any':
      return () => true;
    case 'contains': {
      // Folds case as the store's expressions do.
      const pattern = new RegExp(escapeRegex(test.text), 'iu');
      return (text) => pattern.test(text);
    }
    case 'equals':
      return (text) => text === test.text;
    case 'differs':
      return (text) => text !== test.text && text !== NULL_TEXT;
  }
}

/** The condition of the points of one half that pass; undefined if all do that have a value there. */
export function createFilterCondition(
  key: string,
  half: RowHalf,
  { numbers, texts }: ColumnFilter
): Condition | undefined {
  const ref = createRef(encodeFieldKey(key));
  if (half === 'numbers') {
    return createAnd(
      (numbers ?? []).map(({ operator, value }) =>
        createComparison(ref, operator, freezeNode({ kind: 'number', value }))
      )
    );
  }
  switch (texts?.kind) {
    case undefined:
    case 'any':
      return undefined;
    case 'contains':
      return freezeNode({
        kind: 'match',
        left: ref,
        operator: '=~',
        source: `(?i)${escapeRegex(texts.text)}`,
      } as const);
    case 'equals':
      return createComparison(ref, '=', createStringLiteral(texts.text));
    case 'differs':
      return createAnd(
        [...new Set([texts.text, NULL_TEXT])].map((text) => createComparison(ref, '!=', createStringLiteral(text)))
      );
  }
}
