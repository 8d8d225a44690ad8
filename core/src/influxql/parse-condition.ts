import { createComparison, createRef, createStringLiteral, freezeNode } from './build.js';
import { shorten, type TokenCursor } from './cursor.js';
import type { Token } from './lexer.js';
import type { ColumnCast, ColumnRef, CompareOperator, Condition, FieldCast, Literal, TimeOperator } from './nodes.js';
import { readTimeLiteral } from './parse-time.js';

const COMPARE_OPERATORS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);
const FLIPPED: Readonly<Record<string, CompareOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const OPERAND = ['identifier', 'string', 'number', 'bool'];

/** The condition after WHERE. AND binds tighter than OR; both associate to the left. */
export function readCondition(cursor: TokenCursor): Condition {
  let left = readConjunction(cursor);
  while (cursor.acceptLink('OR')) left = freezeNode({ kind: 'or', left, right: readConjunction(cursor) });
  return left;
}

function readConjunction(cursor: TokenCursor): Condition {
  let left = readTerm(cursor);
  while (cursor.acceptLink('AND')) left = freezeNode({ kind: 'and', left, right: readTerm(cursor) });
  return left;
}

function readTerm(cursor: TokenCursor): Condition {
  if (cursor.accept('(')) {
    const inner = cursor.nest(() => readCondition(cursor));
    cursor.expect(')');
    return inner;
  }
  const token = cursor.peek();
  return token.kind === 'identifier' ? readComparison(cursor) : readFlippedComparison(cursor);
}

function readComparison(cursor: TokenCursor): Condition {
  const token = cursor.peek();
  const left = readRef(cursor);
  refuseCall(cursor, token);
  if (isTime(left)) {
    const operator = readTimeOperator(cursor);
    return freezeNode({ kind: 'time', operator, right: readTimeLiteral(cursor) });
  }
  if (cursor.isAt('=~') || cursor.isAt('!~')) {
    const operator = cursor.next().text === '=~' ? '=~' : '!~';
    const regex = cursor.acceptRegex();
    if (regex === undefined) throw cursor.unexpected(['regex']);
    return freezeNode({ kind: 'match', left, operator, source: regex.text });
  }
  const operator = readOperator(cursor);
  const right = readLiteral(cursor);
  refuseArithmetic(cursor);
  return createComparison(left, operator, right);
}

/** `'x' = "name"`: the same comparison with its sides swapped. */
function readFlippedComparison(cursor: TokenCursor): Condition {
  const literal = readLiteral(cursor);
  const operator = readOperator(cursor);
  const token = cursor.peek();
  if (token.kind !== 'identifier') throw cursor.unexpected(['identifier']);
  const left = readRef(cursor);
  if (isTime(left)) throw cursor.unsupported('time must stand on the left of its comparison', token);
  return createComparison(left, FLIPPED[operator] ?? operator, literal);
}

function isTime(ref: ColumnRef): boolean {
  return ref.cast === undefined && ref.name.toLowerCase() === 'time';
}

function isCompareOperator(text: string): text is CompareOperator {
  return COMPARE_OPERATORS.has(text);
}

function readOperator(cursor: TokenCursor): CompareOperator {
  const token = cursor.peek();
  refuseArithmetic(cursor);
  if (token.kind !== 'symbol' || !isCompareOperator(token.text)) {
    throw cursor.unexpected(['=', '!=', '<', '<=', '>', '>=', '=~', '!~']);
  }
  cursor.next();
  return token.text;
}

function readTimeOperator(cursor: TokenCursor): TimeOperator {
  const token = cursor.peek();
  if (cursor.isAt('=~') || cursor.isAt('!~')) throw cursor.failure('invalid operation: time is not a text', token);
  const operator = readOperator(cursor);
  if (operator === '!=') throw cursor.failure('invalid time comparison operator: !=', token);
  return operator;
}

function readLiteral(cursor: TokenCursor): Literal {
  const isNegative = cursor.accept('-');
  const token = cursor.peek();
  if (token.kind === 'number' || token.kind === 'integer') {
    cursor.next();
    return createNumeric(cursor, token, isNegative);
  }
  if (isNegative) throw cursor.unexpected(['number']);
  if (token.kind === 'string') {
    cursor.next();
    return createStringLiteral(token.text);
  }
  if (cursor.isAt('TRUE') || cursor.isAt('FALSE')) {
    return freezeNode({ kind: 'boolean', value: cursor.next().text === 'TRUE' });
  }
  if (token.kind === 'identifier') {
    throw cursor.unsupported(
      `comparing with the column ${shorten(token.found)} is not supported; a text stands in single quotes`,
      token
    );
  }
  if (token.kind === 'duration') throw cursor.unsupported('comparing a column with a duration is not supported', token);
  throw cursor.unexpected(OPERAND);
}

/** The numeric literal of a token that was already read. */
export function createNumeric(cursor: TokenCursor, token: Token, isNegative: boolean): Literal {
  if (token.kind === 'number') {
    const value = Number(token.text);
    if (!Number.isFinite(value)) throw cursor.failure('unable to parse number', token);
    return freezeNode({ kind: 'number', value: isNegative ? -value : value });
  }
  const value = isNegative ? -BigInt(token.text) : BigInt(token.text);
  if (BigInt.asIntN(64, value) !== value) throw cursor.failure('unable to parse integer', token);
  return freezeNode({ kind: 'integer', value });
}

/** A column: a name, dotted names as one, with an optional cast. */
export function readRef(cursor: TokenCursor): ColumnRef {
  let name = cursor.identifier();
  while (cursor.accept('.')) name += `.${cursor.identifier()}`;
  if (!cursor.accept('::')) return createRef(name);
  return createRef(name, readTypedCast(cursor));
}

const FIELD_CASTS: readonly FieldCast[] = ['float', 'string', 'boolean'];

/** The type after `::` of a column. */
function readTypedCast(cursor: TokenCursor): ColumnCast {
  const { kind, text } = cursor.peek();
  const cast = kind === 'identifier' ? FIELD_CASTS.find((type) => type === text.toLowerCase()) : undefined;
  if (cast === undefined) return readCast(cursor, '::field, ::tag, ::float, ::string and ::boolean are');
  cursor.next();
  return cast;
}

/** The type after `::` of all columns. */
export function readCast(cursor: TokenCursor, supported = '::field and ::tag are'): 'field' | 'tag' {
  if (cursor.accept('FIELD')) return 'field';
  if (cursor.accept('TAG')) return 'tag';
  const token = cursor.peek();
  if (token.kind === 'identifier' && /^(float|integer|unsigned|string|boolean)$/i.test(token.text)) {
    throw cursor.unsupported(`the cast ::${token.text} is not supported; ${supported}`, token);
  }
  throw cursor.unexpected(['float', 'integer', 'unsigned', 'string', 'boolean', 'field', 'tag']);
}

/** Throws if a call comes next: no function is allowed at this place. */
function refuseCall(cursor: TokenCursor, name: Token): void {
  if (cursor.isAt('(')) throw cursor.unsupported(`the function ${shorten(name.found)}() is not supported here`, name);
}

function refuseArithmetic(cursor: TokenCursor): void {
  const token = cursor.peek();
  if (token.kind === 'symbol' && /^[-+*/%&|^]$/.test(token.text)) {
    throw cursor.unsupported(`arithmetic (${token.text}) is not supported`, token);
  }
}
