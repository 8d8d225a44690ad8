import { freezeNode } from './build.js';
import { type TokenCursor, shorten } from './cursor.js';
import {
  type AggregateCall,
  type AggregateName,
  type ArithmeticOperator,
  type ColumnExpression,
  type FunctionCall,
  type FunctionName,
  type FunctionParameter,
  FUNCTION_NAMES,
} from './nodes.js';
import { createNumeric, readCast, readRef } from './parse-condition.js';
import { readDuration } from './parse-time.js';

const AGGREGATES = ['count', 'sum', 'mean', 'min', 'max', 'first', 'last', 'spread', 'distinct'] as const;

/** Go's precedence, which InfluxQL has: the lists from the loosest to the tightest. */
const PRECEDENCE: readonly (readonly ArithmeticOperator[])[] = [
  ['+', '-', '|', '^'],
  ['*', '/', '%', '&'],
];

/** How tightly an operator binds; more is tighter. */
export function precedenceOf(operator: ArithmeticOperator): number {
  return PRECEDENCE.findIndex((operators) => operators.includes(operator));
}

/** A column of SELECT: a name, a call, a wildcard, or arithmetic with these and numbers. */
export function readExpression(cursor: TokenCursor, level = 0): ColumnExpression {
  const operators = PRECEDENCE[level];
  if (operators === undefined) return readOperand(cursor);
  let left = readExpression(cursor, level + 1);
  for (;;) {
    const operator = operators.find((known) => cursor.isAt(known));
    if (operator === undefined) return left;
    cursor.next();
    cursor.countOperation();
    left = freezeNode({ kind: 'binary', operator, left, right: readExpression(cursor, level + 1) });
  }
}

function readOperand(cursor: TokenCursor): ColumnExpression {
  const regex = cursor.acceptRegex();
  if (regex !== undefined) return freezeNode({ kind: 'regex', source: regex.text });
  if (cursor.accept('*')) return readWildcard(cursor);
  if (cursor.accept('(')) {
    const inner = cursor.nest(() => readExpression(cursor));
    cursor.expect(')');
    return inner;
  }
  if (cursor.accept('-')) return cursor.nest(() => readNegative(cursor));
  if (cursor.accept('+')) return cursor.nest(() => readOperand(cursor));
  if (cursor.accept('DISTINCT')) return readDistinct(cursor);
  const token = cursor.peek();
  if (token.kind === 'number' || token.kind === 'integer') {
    return createNumber(cursor, false);
  }
  if (token.kind === 'string' || token.kind === 'duration') {
    throw cursor.unsupported('texts and durations as columns are not supported', token);
  }
  if (token.kind !== 'identifier') throw cursor.unexpected(['identifier', 'string', 'number', 'bool']);
  const ref = readRef(cursor);
  return cursor.isAt('(') ? readCallOf(cursor, ref.name, token) : ref;
}

function readWildcard(cursor: TokenCursor): ColumnExpression {
  if (!cursor.accept('::')) return freezeNode({ kind: 'wildcard' });
  return freezeNode({ kind: 'wildcard', only: readCast(cursor) });
}

/** `-5` is a number; `-"x"` is -1 times it. */
function readNegative(cursor: TokenCursor): ColumnExpression {
  const token = cursor.peek();
  if (token.kind === 'number' || token.kind === 'integer') return createNumber(cursor, true);
  const right = readOperand(cursor);
  return freezeNode({ kind: 'binary', operator: '*', left: freezeNode({ kind: 'integer', value: -1n }), right });
}

function createNumber(cursor: TokenCursor, isNegative: boolean): ColumnExpression {
  const literal = createNumeric(cursor, cursor.next(), isNegative);
  if (literal.kind === 'number' || literal.kind === 'integer') return literal;
  throw cursor.unexpected(['number']);
}

/** `DISTINCT "x"` and `DISTINCT("x")` are the same. */
function readDistinct(cursor: TokenCursor): Call {
  const token = cursor.peek();
  if (cursor.isAt('(')) return readCallOf(cursor, 'distinct', token);
  return freezeNode({ kind: 'call', name: 'distinct', argument: readRef(cursor) });
}

type Call = AggregateCall | FunctionCall;

function readCallOf(cursor: TokenCursor, written: string, token: ReturnType<TokenCursor['peek']>): Call {
  const name = written.toLowerCase();
  const isAggregate = AGGREGATES.some((known) => known === name);
  if (!isAggregate && !FUNCTION_NAMES.some((known) => known === name)) {
    const names = [...new Set<string>([...AGGREGATES, ...FUNCTION_NAMES])].join(', ');
    throw cursor.unsupported(`the function ${shorten(written)}() is not supported; supported are ${names}`, token);
  }
  cursor.expect('(');
  if (cursor.isAt(')')) {
    throw cursor.failure(`invalid number of arguments for ${name}, expected at least 1, got 0`, cursor.peek());
  }
  const argument = cursor.nest(() => readArgument(cursor));
  const parameters: FunctionParameter[] = [];
  while (cursor.accept(',')) parameters.push(readParameter(cursor));
  cursor.expect(')');
  return createCall(cursor, name, argument, parameters);
}

function createCall(
  cursor: TokenCursor,
  name: string,
  argument: FunctionCall['argument'],
  parameters: readonly FunctionParameter[]
): Call {
  const isOfCall = argument.kind === 'call' || argument.kind === 'function';
  if (AGGREGATES.some((known) => known === name) && !isOfCall) {
    if (parameters.length > 0) {
      const got = `expected 1, got ${parameters.length + 1}`;
      throw cursor.failure(`invalid number of arguments for ${name}, ${got}`, cursor.peek());
    }
    return freezeNode({ kind: 'call', name: name as AggregateName, argument });
  }
  if (!FUNCTION_NAMES.some((known) => known === name)) {
    throw cursor.failure(`expected field argument in ${name}()`, cursor.peek());
  }
  return freezeNode({ kind: 'function', name: name as FunctionName, argument, parameters });
}

function readArgument(cursor: TokenCursor): FunctionCall['argument'] {
  const regex = cursor.acceptRegex();
  if (regex !== undefined) return freezeNode({ kind: 'regex', source: regex.text });
  if (cursor.accept('*')) return freezeNode({ kind: 'wildcard' });
  if (cursor.accept('DISTINCT')) return readDistinct(cursor);
  const token = cursor.peek();
  const ref = readRef(cursor);
  return cursor.isAt('(') ? readCallOf(cursor, ref.name, token) : ref;
}

function readParameter(cursor: TokenCursor): FunctionParameter {
  const isNegative = cursor.accept('-');
  const token = cursor.peek();
  if (token.kind === 'duration') {
    const durationNs = readDuration(cursor);
    return freezeNode({ kind: 'duration', durationNs: isNegative ? -durationNs : durationNs });
  }
  if (token.kind === 'identifier' && !isNegative) return readRef(cursor);
  if (token.kind !== 'number' && token.kind !== 'integer') throw cursor.unexpected(['number', 'duration']);
  const literal = createNumeric(cursor, cursor.next(), isNegative);
  if (literal.kind === 'number' || literal.kind === 'integer') return literal;
  throw cursor.unexpected(['number', 'duration']);
}
