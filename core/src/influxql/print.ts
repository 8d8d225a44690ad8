import type {
  BinaryExpression,
  ColumnExpression,
  ColumnRef,
  Condition,
  Dimension,
  FunctionParameter,
  GroupBy,
  Literal,
  SelectColumn,
  SelectStatement,
  ShowCardinalityStatement,
  ShowClauses,
  ShowMeasurementsStatement,
  TagKeyFilter,
  Source,
  Statement,
  TimeLiteral,
} from './nodes.js';
import { precedenceOf } from './parse-expression.js';
import { formatDuration, formatFloat, formatTime, quoteIdentifier, quoteRegex, quoteString } from './quote.js';

/**
 * One statement as InfluxQL text, on one line, without `;`. Throws a RangeError for NaN and infinity: InfluxQL cannot
 * write them.
 */
export function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'select':
      return printSelect(statement);
    case 'showDatabases':
      return 'SHOW DATABASES';
    case 'showRetentionPolicies':
      return join('SHOW RETENTION POLICIES', printOn(statement.database));
    case 'showMeasurements':
      return printShowMeasurements(statement);
    case 'showTagKeys':
      return printShow('SHOW TAG KEYS', statement);
    case 'showFieldKeys':
      return printShow('SHOW FIELD KEYS', statement);
    case 'showSeries':
      return printShow('SHOW SERIES', statement);
    case 'showCardinality':
      return printShowCardinality(statement);
    case 'showTagValues':
      return printShow('SHOW TAG VALUES', statement, `WITH KEY ${printTagKey(statement.key)}`);
    case 'dropSeries':
      return printShow('DROP SERIES', statement);
    case 'createDatabase':
      return `CREATE DATABASE ${quoteIdentifier(statement.name)}`;
  }
}

/** Several statements for one request. */
export function printStatements(statements: readonly Statement[]): string {
  return statements.map(printStatement).join('; ');
}

function join(...parts: ReadonlyArray<string | undefined>): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

function printSelect(select: SelectStatement): string {
  return join(
    `SELECT ${select.columns.map(printColumn).join(', ')}`,
    printFrom(select.from),
    printWhere(select.where),
    select.groupBy && printGroupBy(select.groupBy),
    select.orderBy && `ORDER BY time ${select.orderBy}`,
    printCount('LIMIT', select.limit),
    printCount('OFFSET', select.offset),
    printCount('SLIMIT', select.seriesLimit),
    printCount('SOFFSET', select.seriesOffset),
    select.timeZone === undefined ? undefined : `tz(${quoteString(select.timeZone)})`
  );
}

function printShow(head: string, clauses: ShowClauses, afterFrom?: string): string {
  return join(
    head,
    printOn(clauses.database),
    printFrom(clauses.from),
    afterFrom,
    printWhere(clauses.where),
    printCount('LIMIT', clauses.limit),
    printCount('OFFSET', clauses.offset)
  );
}

function printShowMeasurements(statement: ShowMeasurementsStatement): string {
  const { from, ...clauses } = statement;
  const [source] = from ?? [];
  const operator = source?.kind === 'measurementRegex' ? '=~' : '=';
  return printShow('SHOW MEASUREMENTS', clauses, source && `WITH MEASUREMENT ${operator} ${printSource(source)}`);
}

const COUNTED: Readonly<Record<ShowCardinalityStatement['of'], string>> = {
  series: 'SERIES',
  measurement: 'MEASUREMENT',
  tagKey: 'TAG KEY',
  tagValues: 'TAG VALUES',
  fieldKey: 'FIELD KEY',
};

function printShowCardinality(statement: ShowCardinalityStatement): string {
  const { of, isExact, key } = statement;
  const head = `SHOW ${COUNTED[of]} ${isExact === true ? 'EXACT ' : ''}CARDINALITY`;
  return printShow(head, statement, key && `WITH KEY ${printTagKey(key)}`);
}

function printTagKey(key: TagKeyFilter): string {
  switch (key.operator) {
    case '=':
    case '!=':
      return `${key.operator} ${quoteIdentifier(key.name)}`;
    case 'in':
      return `IN (${key.names.map(quoteIdentifier).join(', ')})`;
    case '=~':
    case '!~':
      return `${key.operator} ${quoteRegex(key.source)}`;
  }
}

function printOn(database: string | undefined): string | undefined {
  return database === undefined ? undefined : `ON ${quoteIdentifier(database)}`;
}

function printFrom(from: readonly Source[] | undefined): string | undefined {
  return from === undefined || from.length === 0 ? undefined : `FROM ${from.map(printSource).join(', ')}`;
}

function printWhere(where: Condition | undefined): string | undefined {
  return where && `WHERE ${printCondition(where)}`;
}

function printCount(keyword: string, count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${keyword} ${count}`;
}

function printSource(source: Source): string {
  switch (source.kind) {
    case 'measurementRegex':
      return quoteRegex(source.source);
    case 'subquery':
      return `(${printSelect(source.select)})`;
    case 'measurement': {
      const name = quoteIdentifier(source.name);
      const policy = source.retentionPolicy === undefined ? undefined : quoteIdentifier(source.retentionPolicy);
      if (source.database !== undefined) return `${quoteIdentifier(source.database)}.${policy ?? ''}.${name}`;
      return policy === undefined ? name : `${policy}.${name}`;
    }
  }
}

function printColumn(column: SelectColumn): string {
  const expression = printExpression(column.expression);
  return column.alias === undefined ? expression : `${expression} AS ${quoteIdentifier(column.alias)}`;
}

function printExpression(expression: ColumnExpression): string {
  switch (expression.kind) {
    case 'wildcard':
      return expression.only === undefined ? '*' : `*::${expression.only}`;
    case 'regex':
      return quoteRegex(expression.source);
    case 'ref':
      return printRef(expression);
    case 'number':
    case 'integer':
      return printLiteral(expression);
    case 'call':
      return `${expression.name}(${printExpression(expression.argument)})`;
    case 'function':
      return `${expression.name}(${[printExpression(expression.argument), ...expression.parameters.map(printParameter)].join(', ')})`;
    case 'binary':
      return printBinary(expression);
  }
}

/** Brackets stand where the order of the operators would read it otherwise: all of them associate to the left. */
function printBinary({ operator, left, right }: BinaryExpression): string {
  const precedence = precedenceOf(operator);
  const leftText = printExpression(left);
  const rightText = printExpression(right);
  const isLooser = left.kind === 'binary' && precedenceOf(left.operator) < precedence;
  const isAsLoose = right.kind === 'binary' && precedenceOf(right.operator) <= precedence;
  return `${isLooser ? `(${leftText})` : leftText} ${operator} ${isAsLoose ? `(${rightText})` : rightText}`;
}

function printParameter(parameter: FunctionParameter): string {
  return parameter.kind === 'duration' ? formatDuration(parameter.durationNs) : printExpression(parameter);
}

function printRef(ref: ColumnRef): string {
  return ref.cast === undefined ? quoteIdentifier(ref.name) : `${quoteIdentifier(ref.name)}::${ref.cast}`;
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return printChain(condition.kind, condition);
    case 'compare':
      return `${printRef(condition.left)} ${condition.operator} ${printLiteral(condition.right)}`;
    case 'match':
      return `${printRef(condition.left)} ${condition.operator} ${quoteRegex(condition.source)}`;
    case 'time':
      return `time ${condition.operator} ${printTime(condition.right)}`;
  }
}

/** A left-associative chain of one operator, in a loop: a list of a thousand jobs must not exhaust the stack. */
function printChain(kind: 'and' | 'or', condition: Condition): string {
  const operands: string[] = [];
  let rest = condition;
  while (rest.kind === kind) {
    operands.push(printOperand(kind, rest.right, rest.right.kind === kind));
    rest = rest.left;
  }
  operands.push(printOperand(kind, rest, false));
  return operands.reverse().join(kind === 'and' ? ' AND ' : ' OR ');
}

function printOperand(parent: 'and' | 'or', operand: Condition, isNested: boolean): string {
  const text = printCondition(operand);
  return isNested || (parent === 'and' && operand.kind === 'or') ? `(${text})` : text;
}

function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'string':
      return quoteString(literal.value);
    case 'number':
      return formatFloat(literal.value);
    case 'integer':
    case 'boolean':
      return String(literal.value);
  }
}

function printTime(time: TimeLiteral): string {
  if (time.kind === 'time') return formatTime(time.timeNs);
  if (time.offsetNs === 0n) return 'now()';
  return time.offsetNs < 0n ? `now() - ${formatDuration(-time.offsetNs)}` : `now() + ${formatDuration(time.offsetNs)}`;
}

function printGroupBy(groupBy: GroupBy): string {
  const fill = groupBy.fill === undefined ? undefined : `fill(${printFill(groupBy.fill)})`;
  return join(`GROUP BY ${groupBy.dimensions.map(printDimension).join(', ')}`, fill);
}

function printFill(fill: NonNullable<GroupBy['fill']>): string {
  return typeof fill === 'number' ? formatFloat(fill) : fill;
}

function printDimension(dimension: Dimension): string {
  switch (dimension.kind) {
    case 'tag':
      return quoteIdentifier(dimension.name);
    case 'wildcard':
      return '*';
    case 'regex':
      return quoteRegex(dimension.source);
    case 'time': {
      const offset = dimension.offsetNs === undefined ? '' : `, ${formatDuration(dimension.offsetNs)}`;
      return `time(${formatDuration(dimension.intervalNs)}${offset})`;
    }
  }
}
