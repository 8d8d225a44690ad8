import { err, ok, type Result } from '../result/result.js';
import { freezeNode } from './build.js';
import { type BoundParameters, type InfluxqlError, InfluxqlParseFailure, TokenCursor } from './cursor.js';
import type { ShowCardinalityStatement, ShowClauses, Source, Statement, TagKeyFilter } from './nodes.js';
import { readCount, readList, readOrderBy, readSelect, readSource, readWhere } from './parse-select.js';

export type { BoundParameters, BoundValue, InfluxqlError } from './cursor.js';

const SHOW_WORDS = (
  'CONTINUOUS, DATABASES, DIAGNOSTICS, FIELD, GRANTS, MEASUREMENT, MEASUREMENTS, QUERIES, RETENTION, SERIES, SHARD, ' +
  'SHARDS, STATS, SUBSCRIPTIONS, TAG, USERS'
).split(', ');
const STATEMENT_WORDS = 'SELECT, DELETE, SHOW, CREATE, DROP, EXPLAIN, GRANT, REVOKE, ALTER, SET, KILL'.split(', ');

/**
 * The statements of an InfluxQL text, separated by `;`. Accepts everything that printStatement prints, in any spelling
 * that a person types. The rest of InfluxQL is refused as 'unsupported' with the construct's name, any other text as
 * 'syntax' with InfluxDB's wording. `$name` stands for a value of `parameters`.
 */
export function parseQuery(text: string, parameters?: BoundParameters): Result<Statement[], InfluxqlError> {
  try {
    return ok(readStatements(new TokenCursor(text, parameters)));
  } catch (error) {
    if (error instanceof InfluxqlParseFailure) return err(error.detail);
    throw error;
  }
}

function readStatements(cursor: TokenCursor): Statement[] {
  const statements: Statement[] = [];
  let isSeparated = true;
  while (cursor.peek().kind !== 'eof') {
    if (cursor.accept(';')) {
      isSeparated = true;
      continue;
    }
    if (!isSeparated) throw cursor.unexpected([';']);
    cursor.startStatement();
    statements.push(readStatement(cursor));
    isSeparated = false;
  }
  return statements;
}

function readStatement(cursor: TokenCursor): Statement {
  if (cursor.accept('SELECT')) return readSelect(cursor);
  if (cursor.accept('SHOW')) return readShow(cursor);
  if (cursor.accept('CREATE')) return readCreate(cursor);
  const token = cursor.peek();
  if (cursor.accept('DROP') && cursor.accept('SERIES')) return readDropSeries(cursor);
  if (token.kind === 'keyword' && STATEMENT_WORDS.includes(token.text)) {
    throw cursor.unsupported(
      `${token.text} is not supported; supported are SELECT, SHOW, CREATE DATABASE and DROP SERIES`,
      token,
      'statement'
    );
  }
  throw cursor.unexpected(STATEMENT_WORDS);
}

/** Without FROM and WHERE, InfluxDB refuses it. */
function readDropSeries(cursor: TokenCursor): Statement {
  if (!cursor.isAt('FROM') && !cursor.isAt('WHERE')) throw cursor.unexpected(['FROM', 'WHERE']);
  return freezeNode({ kind: 'dropSeries', ...readFrom(cursor), ...readCondition(cursor) });
}

function readCreate(cursor: TokenCursor): Statement {
  const token = cursor.peek();
  if (!cursor.accept('DATABASE')) {
    if (token.kind !== 'keyword')
      throw cursor.unexpected(['CONTINUOUS', 'DATABASE', 'USER', 'RETENTION', 'SUBSCRIPTION']);
    throw cursor.unsupported(`CREATE ${token.text} is not supported; CREATE DATABASE is`, token, 'statement');
  }
  const name = cursor.identifier();
  if (cursor.isAt('WITH'))
    throw cursor.unsupported('CREATE DATABASE … WITH is not supported', cursor.peek(), 'statement');
  return freezeNode({ kind: 'createDatabase', name });
}

function readShow(cursor: TokenCursor): Statement {
  if (cursor.accept('DATABASES')) return freezeNode({ kind: 'showDatabases' });
  if (cursor.accept('MEASUREMENTS')) return readShowMeasurements(cursor);
  if (cursor.accept('SERIES')) {
    return readCardinality(cursor, 'series') ?? freezeNode({ kind: 'showSeries', ...readClauses(cursor) });
  }
  if (cursor.accept('MEASUREMENT')) return expectCardinality(cursor, 'measurement');
  if (cursor.accept('RETENTION')) {
    cursor.expect('POLICIES');
    return freezeNode({ kind: 'showRetentionPolicies', ...readOn(cursor) });
  }
  if (cursor.accept('FIELD')) return readShowField(cursor);
  if (cursor.accept('TAG')) return readShowTag(cursor);
  const token = cursor.peek();
  if (token.kind !== 'keyword') {
    throw cursor.unexpected(SHOW_WORDS);
  }
  throw cursor.unsupported(`SHOW ${token.text} is not supported`, token);
}

function readShowField(cursor: TokenCursor): Statement {
  if (cursor.accept('KEY')) return expectCardinality(cursor, 'fieldKey');
  cursor.expect('KEYS');
  return readShowFieldKeys(cursor);
}

function readShowTag(cursor: TokenCursor): Statement {
  if (cursor.accept('KEYS')) return freezeNode({ kind: 'showTagKeys', ...readClauses(cursor) });
  if (cursor.accept('KEY')) return expectCardinality(cursor, 'tagKey');
  if (cursor.accept('VALUES')) return readCardinality(cursor, 'tagValues') ?? readShowTagValues(cursor);
  throw cursor.unexpected(['KEY', 'KEYS', 'VALUES']);
}

function expectCardinality(cursor: TokenCursor, of: ShowCardinalityStatement['of']): Statement {
  const statement = readCardinality(cursor, of);
  if (statement === undefined) throw cursor.unexpected(['EXACT', 'CARDINALITY']);
  return statement;
}

/** What follows `SHOW SERIES` and the like when it asks how many there are. */
function readCardinality(cursor: TokenCursor, of: ShowCardinalityStatement['of']): Statement | undefined {
  const isExact = cursor.accept('EXACT');
  if (isExact) cursor.expect('CARDINALITY');
  else if (!cursor.accept('CARDINALITY')) return undefined;
  const head = { ...readOn(cursor), ...readFrom(cursor) };
  const key = of === 'tagValues' ? { key: readWithKey(cursor) } : {};
  const rest = { ...readCondition(cursor), ...readPage(cursor) };
  return freezeNode({ kind: 'showCardinality', of, ...(isExact && { isExact }), ...head, ...key, ...rest });
}

function readOn(cursor: TokenCursor): { readonly database?: string } {
  return cursor.accept('ON') ? { database: cursor.identifier() } : {};
}

function readFrom(cursor: TokenCursor): { readonly from?: readonly Source[] } {
  return cursor.accept('FROM') ? { from: readList(cursor, readSource) } : {};
}

function readCondition(cursor: TokenCursor): Pick<ShowClauses, 'where'> {
  const where = readWhere(cursor);
  return where === undefined ? {} : { where };
}

/** ORDER BY, LIMIT and OFFSET of a SHOW. InfluxDB allows only the ascending order there, so it is not kept. */
function readPage(cursor: TokenCursor): Pick<ShowClauses, 'limit' | 'offset'> {
  const token = cursor.peek();
  if (readOrderBy(cursor) === 'DESC') throw cursor.unsupported('ORDER BY … DESC in SHOW is not supported', token);
  return { ...readCount(cursor, 'LIMIT', 'limit'), ...readCount(cursor, 'OFFSET', 'offset') };
}

function readClauses(cursor: TokenCursor): ShowClauses {
  return { ...readOn(cursor), ...readFrom(cursor), ...readCondition(cursor), ...readPage(cursor) };
}

function readShowFieldKeys(cursor: TokenCursor): Statement {
  return freezeNode({ kind: 'showFieldKeys', ...readOn(cursor), ...readFrom(cursor), ...readPage(cursor) });
}

function readShowMeasurements(cursor: TokenCursor): Statement {
  const on = readOn(cursor);
  const from = cursor.accept('WITH') ? { from: Object.freeze([readMeasurementFilter(cursor)]) } : {};
  return freezeNode({ kind: 'showMeasurements', ...on, ...from, ...readCondition(cursor), ...readPage(cursor) });
}

function readMeasurementFilter(cursor: TokenCursor): Source {
  cursor.expect('MEASUREMENT');
  const operator = cursor.peek();
  if (!cursor.accept('=') && !cursor.accept('=~')) throw cursor.unexpected(['=', '=~']);
  const source = readSource(cursor);
  const isFitting = source.kind === (operator.text === '=' ? 'measurement' : 'measurementRegex');
  if (!isFitting) throw cursor.failure(`WITH MEASUREMENT ${operator.text} does not fit what follows`, operator);
  return source;
}

function readShowTagValues(cursor: TokenCursor): Statement {
  const head = { ...readOn(cursor), ...readFrom(cursor) };
  const key = readWithKey(cursor);
  return freezeNode({ kind: 'showTagValues', ...head, key, ...readCondition(cursor), ...readPage(cursor) });
}

function readWithKey(cursor: TokenCursor): TagKeyFilter {
  cursor.expect('WITH');
  cursor.expect('KEY');
  return readTagKey(cursor);
}

function readTagKey(cursor: TokenCursor): TagKeyFilter {
  if (cursor.accept('=')) return freezeNode({ operator: '=', name: cursor.identifier() });
  if (cursor.accept('!=')) return freezeNode({ operator: '!=', name: cursor.identifier() });
  if (cursor.accept('IN')) {
    cursor.expect('(');
    const names = readList(cursor, (inner) => inner.identifier());
    cursor.expect(')');
    return freezeNode({ operator: 'in', names });
  }
  if (cursor.isAt('=~') || cursor.isAt('!~')) {
    const operator = cursor.next().text === '=~' ? '=~' : '!~';
    const regex = cursor.acceptRegex();
    if (regex === undefined) throw cursor.unexpected(['regex']);
    return freezeNode({ operator, source: regex.text });
  }
  throw cursor.unexpected(['IN', '=', '=~']);
}
