import type {
  AggregateCall,
  ArithmeticOperator,
  ColumnExpression,
  ColumnRef,
  FunctionCall,
  SelectColumn,
  SelectStatement,
} from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import { compareCodePoints } from '@joblens/core/point/utf8';
import { checkArithmetic } from './arithmetic-types.js';
import { FOLDS } from './values/point-folds.js';
import type { RegexMatcher } from './values/regex-matcher.js';
import { type Names, SELECTORS, createUniqueNames, fieldsForCall, readInterval } from './plan-parts.js';
import { StatementError } from './values/statement-error.js';
import { TRANSFORMATIONS, checkTransformation } from './values/transformations.js';

/** A column of one field or tag, or a call of one field; what the rows of an answer are computed from. */
export type Leaf = ColumnRef | AggregateCall | FunctionCall;

/** An expression over leaves, by their place in a row. */
export type Computation =
  | { readonly kind: 'leaf'; readonly index: number }
  | { readonly kind: 'constant'; readonly value: number | bigint }
  | {
      readonly kind: 'binary';
      readonly operator: ArithmeticOperator;
      readonly left: Computation;
      readonly right: Computation;
    };

/** A SELECT with functions or arithmetic. */
export interface ComputedPlan {
  readonly kind: 'computed';
  readonly tagDimensions: readonly string[];
  readonly columns: readonly { readonly name: string; readonly computation: Computation }[];
  /** The calls, each once. */
  readonly calls: readonly (AggregateCall | FunctionCall)[];
  /** The other ones; their places in a row follow those of the calls. */
  readonly refs: readonly ColumnRef[];
  /** A single selector returns whole points, with their times and their other columns. */
  readonly isPoint: boolean;
  readonly interval?: { readonly lengthNs: bigint; readonly offsetNs: bigint };
}

/** Whether a SELECT needs more than the columns and aggregates that one SQL query answers. */
export function isComputed({ columns, timeZone, groupBy }: SelectStatement): boolean {
  const hasZonedBuckets = timeZone !== undefined && groupBy?.dimensions.some(({ kind }) => kind === 'time') === true;
  return (
    hasZonedBuckets ||
    columns.some(({ expression }) => ['function', 'binary', 'number', 'integer'].includes(expression.kind))
  );
}

export function planComputed(
  statement: SelectStatement,
  names: Names,
  tagDimensions: readonly string[],
  matches: RegexMatcher
): ComputedPlan {
  const columns = statement.columns.flatMap((column) => expand(column, { names, tagDimensions, matches }));
  const leaves = columns.flatMap(({ expression }) => [...leavesOf(expression)]);
  const calls = unique(leaves.filter((leaf) => leaf.kind !== 'ref'));
  const refs = unique(leaves.filter((leaf) => leaf.kind === 'ref'));
  const interval = readInterval(statement);
  checkCalls(statement, calls, refs, interval !== undefined);
  const places = new Map([...calls, ...refs].map((leaf, index) => [printLeaf(leaf), index]));
  const uniqueName = createUniqueNames(columns.flatMap(({ alias }) => alias ?? []));
  return {
    kind: 'computed',
    tagDimensions,
    columns: columns.map(({ expression, alias, defaultName }) => ({
      name: alias ?? uniqueName(defaultName),
      computation: computationOf(expression, places),
    })),
    calls,
    refs,
    isPoint: calls.length === 1 && calls.every(isSelector),
    ...(interval && { interval }),
  };
}

function isSelector({ name }: AggregateCall | FunctionCall): boolean {
  return SELECTORS.some((known) => known === name) || ['percentile', 'top', 'bottom'].includes(name);
}

function unique<T extends Leaf>(leaves: readonly T[]): T[] {
  return [...new Map(leaves.map((leaf) => [printLeaf(leaf), leaf])).values()];
}

function printLeaf(leaf: Leaf): string {
  return printStatement({ kind: 'select', columns: [{ expression: leaf }], from: [] });
}

function computationOf(expression: ColumnExpression, places: ReadonlyMap<string, number>): Computation {
  switch (expression.kind) {
    case 'number':
    case 'integer':
      return { kind: 'constant', value: expression.value };
    case 'binary': {
      const { operator, left, right } = expression;
      return { kind: 'binary', operator, left: computationOf(left, places), right: computationOf(right, places) };
    }
    case 'wildcard':
    case 'regex':
      throw new StatementError('unsupported expression with wildcard');
    default:
      return { kind: 'leaf', index: places.get(printLeaf(expression)) ?? -1 };
  }
}

function* leavesOf(expression: ColumnExpression): Generator<Leaf> {
  if (expression.kind === 'binary') {
    yield* leavesOf(expression.left);
    yield* leavesOf(expression.right);
  } else if (expression.kind === 'ref' || expression.kind === 'call' || expression.kind === 'function') {
    yield expression;
  }
}

interface ExpandedColumn {
  readonly expression: ColumnExpression;
  readonly alias?: string;
  readonly defaultName: string;
}

interface ExpandContext {
  readonly names: Names;
  readonly tagDimensions: readonly string[];
  readonly matches: RegexMatcher;
}

/** The columns that one of the statement stands for: a wildcard stands for several (influxql.RewriteFields). */
function expand({ expression, alias }: SelectColumn, context: ExpandContext): ExpandedColumn[] {
  const named = alias === undefined ? {} : { alias };
  switch (expression.kind) {
    case 'wildcard':
    case 'regex':
      return expandRefs(expression, context);
    case 'ref':
      if (expression.name === 'time') return [];
      return [{ expression, defaultName: expression.name, ...named }];
    case 'number':
    case 'integer':
      throw new StatementError('field must contain at least one variable');
    case 'binary':
      return [
        { expression: checkBinary(expression, context.names), defaultName: nameOf(expression).join('_'), ...named },
      ];
    default:
      return expandCall(expression, alias, context);
  }
}

function expandRefs(
  expression: Extract<ColumnExpression, { kind: 'wildcard' | 'regex' }>,
  { names, tagDimensions, matches }: ExpandContext
): ExpandedColumn[] {
  const only = expression.kind === 'wildcard' ? expression.only : undefined;
  const isChosen = (name: string): boolean => expression.kind === 'wildcard' || matches(expression.source, name);
  const fields = only === 'tag' ? [] : [...names.fields.keys()].map((name) => ({ name, cast: 'field' as const }));
  const tags = only === 'field' ? [] : names.tags.filter((name) => !tagDimensions.includes(name));
  return [...fields, ...tags.map((name) => ({ name, cast: 'tag' as const }))]
    .filter(({ name }) => isChosen(name))
    .sort((a, b) => compareCodePoints(a.name, b.name))
    .map(({ name, cast }) => ({ expression: { kind: 'ref', name, cast }, defaultName: name }));
}

function expandCall(
  call: AggregateCall | FunctionCall,
  alias: string | undefined,
  { names, matches }: ExpandContext
): ExpandedColumn[] {
  const innermost = innermostArgument(call);
  if (innermost.kind === 'ref') {
    const tags =
      call.kind === 'function' && isRanking(call) ? call.parameters.filter(({ kind }) => kind === 'ref') : [];
    return [
      { expression: call, defaultName: call.name, ...(alias !== undefined && { alias }) },
      ...tags.map((tag) => ({ expression: tag as ColumnRef, defaultName: (tag as ColumnRef).name })),
    ];
  }
  const types = fieldsForCall(innermostCall(call).name);
  return [...names.fields]
    .filter(([name]) => innermost.kind === 'wildcard' || matches(innermost.source, name))
    .filter(([, known]) => types.some((type) => known.has(type)))
    .map(([name]) => name)
    .sort(compareCodePoints)
    .map((name) => ({
      expression: withArgument(call, { kind: 'ref', name, cast: 'field' }),
      defaultName: `${alias ?? call.name}_${name}`,
    }));
}

function isRanking({ name }: FunctionCall): boolean {
  return name === 'top' || name === 'bottom';
}

function innermostCall(call: AggregateCall | FunctionCall): AggregateCall | FunctionCall {
  const { argument } = call;
  return argument.kind === 'call' || argument.kind === 'function' ? innermostCall(argument) : call;
}

function innermostArgument(call: AggregateCall | FunctionCall): AggregateCall['argument'] {
  const { argument } = call;
  return argument.kind === 'call' || argument.kind === 'function' ? innermostArgument(argument) : argument;
}

function withArgument<T extends AggregateCall | FunctionCall>(call: T, ref: ColumnRef): T {
  const { argument } = call;
  return {
    ...call,
    argument: argument.kind === 'call' || argument.kind === 'function' ? withArgument(argument, ref) : ref,
  };
}

function checkBinary(expression: ColumnExpression, names: Names): ColumnExpression {
  const leaves = [...leavesOf(expression)];
  if (leaves.length === 0) throw new StatementError('field must contain at least one variable');
  for (const leaf of leaves) {
    if (leaf.kind !== 'ref' && innermostArgument(leaf).kind !== 'ref') {
      throw new StatementError(`unsupported expression with wildcard: ${leaf.name}()`);
    }
  }
  checkArithmetic(expression, names);
  return expression;
}

/** The names that InfluxDB joins for a column of arithmetic (influxql.BinaryExprName). */
function nameOf(expression: ColumnExpression): string[] {
  if (expression.kind === 'binary') return [...nameOf(expression.left), ...nameOf(expression.right)];
  return expression.kind === 'ref' || expression.kind === 'call' || expression.kind === 'function'
    ? [expression.name]
    : [];
}

/** Throws, in InfluxDB's words, if InfluxDB refuses the calls before it reads data (query/compile.go). */
function checkCalls(
  { groupBy }: SelectStatement,
  calls: readonly (AggregateCall | FunctionCall)[],
  refs: readonly ColumnRef[],
  hasInterval: boolean
): void {
  const times = groupBy?.dimensions.filter(({ kind }) => kind === 'time') ?? [];
  if (times.length > 1) throw new StatementError('multiple time dimensions not allowed');
  for (const call of calls) checkCall(call, hasInterval);
  const ranking = calls.find((call) => call.kind === 'function' && isRanking(call));
  if (ranking && calls.length > 1) {
    throw new StatementError(`selector function ${ranking.name}() cannot be combined with other functions`);
  }
  if (calls.some(({ name }) => name === 'distinct')) {
    throw new StatementError('aggregate function distinct() cannot be combined with other functions or fields');
  }
  if (calls.length === 0 && times.length > 0) {
    throw new StatementError('GROUP BY requires at least one aggregate function');
  }
  if (refs.length === 0) return;
  if (!calls.every(isSelector)) {
    throw new StatementError('mixing aggregate and non-aggregate queries is not supported');
  }
  if (calls.length > 1) {
    throw new StatementError('mixing multiple selector functions with tags or fields is not supported');
  }
}

function checkCall(call: AggregateCall | FunctionCall, hasInterval: boolean): void {
  if (call.kind === 'call') return;
  const { argument, name, parameters } = call;
  const isOfCall = argument.kind === 'call' || argument.kind === 'function';
  if (TRANSFORMATIONS.has(name)) {
    checkTransformation(call);
    if (isOfCall && !hasInterval) throw new StatementError(`${name} aggregate requires a GROUP BY interval`);
    if (!isOfCall && hasInterval) throw new StatementError(`aggregate function required inside the call to ${name}`);
    if (isOfCall) checkCall(argument, hasInterval);
    return;
  }
  if (name === 'count') {
    if (argument.kind !== 'call' || argument.name !== 'distinct' || parameters.length > 0) {
      throw new StatementError('expected field argument in count()');
    }
    return;
  }
  if (isOfCall) throw new StatementError(`expected field argument in ${name}()`);
  checkParameters(call);
}

function checkParameters({ name, parameters }: FunctionCall): void {
  const last = parameters.at(-1);
  if (name in FOLDS) {
    if (last === undefined) return;
    throw new StatementError(`invalid number of arguments for ${name}, expected 1, got ${parameters.length + 1}`);
  }
  if (name === 'percentile') {
    if (parameters.length !== 1) {
      throw new StatementError(`invalid number of arguments for percentile, expected 2, got ${parameters.length + 1}`);
    }
    if (last?.kind !== 'number' && last?.kind !== 'integer') {
      throw new StatementError('expected float argument in percentile()');
    }
    return;
  }
  if (last === undefined) {
    throw new StatementError(`invalid number of arguments for ${name}, expected at least 2, got 1`);
  }
  if (last.kind !== 'integer' || parameters.slice(0, -1).some(({ kind }) => kind !== 'ref')) {
    const found = last.kind === 'ref' ? `, found ${last.name}` : '';
    throw new StatementError(`expected integer as last argument in ${name}()${found}`);
  }
  if (last.value <= 0n) {
    throw new StatementError(`limit (${last.value}) in ${name} function must be at least 1`);
  }
}
