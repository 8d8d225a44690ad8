import { freezeNode } from './build.js';
import type { TokenCursor } from './cursor.js';
import type { Condition, Dimension, GroupBy, SelectColumn, SelectStatement, Source } from './nodes.js';
import { createNumeric, readCondition, readRef } from './parse-condition.js';
import { readExpression } from './parse-expression.js';
import { readDuration } from './parse-time.js';

/** The rest of a statement after SELECT. */
export function readSelect(cursor: TokenCursor): SelectStatement {
  const columns = readList(cursor, readColumn);
  if (cursor.isAt('INTO')) throw cursor.unsupported('INTO is not supported: queries only read', cursor.peek(), 'into');
  cursor.expect('FROM');
  const from = readList(cursor, readSource);
  const where = readWhere(cursor);
  const groupBy = readGroupBy(cursor);
  const orderBy = readOrderBy(cursor);
  const counts = {
    ...readCount(cursor, 'LIMIT', 'limit'),
    ...readCount(cursor, 'OFFSET', 'offset'),
    ...readCount(cursor, 'SLIMIT', 'seriesLimit'),
    ...readCount(cursor, 'SOFFSET', 'seriesOffset'),
  };
  const timeZone = readTimeZone(cursor);
  return freezeNode({
    kind: 'select',
    columns,
    from,
    ...(where && { where }),
    ...(groupBy && { groupBy }),
    ...(orderBy && { orderBy }),
    ...counts,
    ...(timeZone !== undefined && { timeZone }),
  });
}

/** `tz('Europe/Berlin')`; whether such a zone is known is for the store to say. */
function readTimeZone(cursor: TokenCursor): string | undefined {
  if (!cursor.isAtWord('tz')) return undefined;
  cursor.next();
  cursor.expect('(');
  const name = cursor.expectKind('string', 'string').text;
  cursor.expect(')');
  if (cursor.localTime !== undefined) {
    const example = "'2020-03-28T00:00:00Z'";
    throw cursor.unsupported(`a time without a zone beside tz() is not supported; write ${example}`, cursor.localTime);
  }
  return name;
}

/** One or more, separated by commas. */
export function readList<T>(cursor: TokenCursor, readOne: (cursor: TokenCursor) => T): readonly T[] {
  const items = [readOne(cursor)];
  while (cursor.accept(',')) items.push(readOne(cursor));
  return Object.freeze(items);
}

export function readWhere(cursor: TokenCursor): Condition | undefined {
  return cursor.accept('WHERE') ? readCondition(cursor) : undefined;
}

/** `{ [name]: n }` if the clause comes next, else nothing. */
export function readCount<K extends string>(
  cursor: TokenCursor,
  keyword: string,
  name: K
): { readonly [P in K]?: number } {
  if (!cursor.accept(keyword)) return {};
  const count: { [P in K]?: number } = {};
  count[name] = cursor.count();
  return count;
}

/** Undefined when there is no ORDER BY. InfluxDB orders by time only. */
export function readOrderBy(cursor: TokenCursor): 'ASC' | 'DESC' | undefined {
  if (!cursor.accept('ORDER')) return undefined;
  cursor.expect('BY');
  if (cursor.peek().kind === 'identifier') {
    const token = cursor.next();
    if (token.text.toLowerCase() !== 'time') throw cursor.failure('only ORDER BY time supported at this time', token);
  } else if (!cursor.isAt('ASC') && !cursor.isAt('DESC')) {
    throw cursor.unexpected(['identifier', 'ASC', 'DESC']);
  }
  if (cursor.accept('DESC')) return 'DESC';
  cursor.accept('ASC');
  if (cursor.isAt(',')) throw cursor.failure('only ORDER BY time supported at this time', cursor.peek());
  return 'ASC';
}

function readColumn(cursor: TokenCursor): SelectColumn {
  const expression = readExpression(cursor);
  return cursor.accept('AS') ? freezeNode({ expression, alias: cursor.identifier() }) : freezeNode({ expression });
}

export function readSource(cursor: TokenCursor): Source {
  const regex = cursor.acceptRegex();
  if (regex !== undefined) return freezeNode({ kind: 'measurementRegex', source: regex.text });
  if (cursor.accept('(')) {
    cursor.expect('SELECT');
    const select = cursor.nest(() => readSelect(cursor));
    cursor.expect(')');
    return freezeNode({ kind: 'subquery', select });
  }
  return readMeasurement(cursor);
}

function readMeasurement(cursor: TokenCursor): Source {
  const start = cursor.peek();
  const segments: Array<string | undefined> = [cursor.identifier()];
  while (cursor.accept('.')) {
    const regex = cursor.acceptRegex();
    if (regex !== undefined)
      throw cursor.unsupported('a regular expression after a retention policy is not supported', regex);
    segments.push(cursor.isAt('.') ? undefined : cursor.identifier());
  }
  const [name, retentionPolicy, database] = segments.toReversed();
  if (segments.length > 3 || name === undefined) throw cursor.failure('too many segments in a measurement', start);
  return freezeNode({
    kind: 'measurement',
    name,
    ...(retentionPolicy !== undefined && { retentionPolicy }),
    ...(database !== undefined && { database }),
  });
}

function readGroupBy(cursor: TokenCursor): GroupBy | undefined {
  if (!cursor.accept('GROUP')) {
    // InfluxDB reads it, and fills nothing: without GROUP BY there are no buckets.
    if (cursor.isAtWord('fill')) readFill(cursor);
    return undefined;
  }
  cursor.expect('BY');
  const dimensions = readList(cursor, readDimension);
  if (!cursor.isAtWord('fill')) return freezeNode({ dimensions });
  return freezeNode({ dimensions, fill: readFill(cursor) });
}

function readDimension(cursor: TokenCursor): Dimension {
  const regex = cursor.acceptRegex();
  if (regex !== undefined) return freezeNode({ kind: 'regex', source: regex.text });
  if (cursor.accept('*')) return freezeNode({ kind: 'wildcard' });
  const isTime = cursor.isAtWord('time');
  const token = cursor.peek();
  if (token.kind !== 'identifier') throw cursor.unexpected(['identifier', 'string', 'number', 'bool']);
  const ref = readRef(cursor);
  if (isTime && cursor.isAt('(')) return readTimeDimension(cursor);
  if (cursor.isAt('(')) throw cursor.failure('only time() calls allowed in dimensions', token);
  if (ref.name.toLowerCase() === 'time')
    throw cursor.failure('time() is a function and expects at least one argument', token);
  return freezeNode({ kind: 'tag', name: ref.name });
}

function readTimeDimension(cursor: TokenCursor): Dimension {
  cursor.expect('(');
  const token = cursor.peek();
  const intervalNs = readDuration(cursor);
  if (intervalNs <= 0n) throw cursor.failure('time dimension must have a duration above zero', token);
  const offsetNs = cursor.accept(',') ? readDuration(cursor) : undefined;
  cursor.expect(')');
  return freezeNode({ kind: 'time', intervalNs, ...(offsetNs !== undefined && { offsetNs }) });
}

function readFill(cursor: TokenCursor): NonNullable<GroupBy['fill']> {
  cursor.next();
  cursor.expect('(');
  const isNegative = cursor.accept('-');
  const token = cursor.next();
  let fill: NonNullable<GroupBy['fill']>;
  if (token.kind === 'number' || token.kind === 'integer') {
    fill = Number(createNumeric(cursor, token, isNegative).value);
  } else if (token.text === 'none' || token.text === 'null' || token.text === 'previous' || token.text === 'linear') {
    fill = token.text;
  } else {
    throw cursor.failure('expected number argument in fill()', token);
  }
  cursor.expect(')');
  return fill;
}
