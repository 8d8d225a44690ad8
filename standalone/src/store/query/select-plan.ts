import { compareCodePoints } from '@joblens/core/point/utf8';
import type { AggregateName, ColumnRef, SelectColumn, SelectStatement } from '@joblens/core/influxql/nodes';
import type { Measurement } from '../kept/catalog.js';
import { type ComputedPlan, isComputed, planComputed } from './computed-plan.js';
import { type Names, SELECTORS, WILDCARD_TYPES, collectNames, createUniqueNames, readInterval } from './plan-parts.js';
import type { RegexMatcher } from './values/regex-matcher.js';
import { StatementError } from './values/statement-error.js';

export interface RefColumn {
  readonly kind: 'ref';
  readonly ref: ColumnRef;
  readonly name: string;
}

export interface CallColumn {
  readonly kind: 'call';
  readonly call: AggregateName;
  readonly field: string;
  /** Whether any of the measurements has such a field. */
  readonly isKnown: boolean;
  readonly name: string;
}

/** A SELECT with expanded wildcards and named columns, for all its measurements. */
export type SelectPlan = RawPlan | AggregatePlan | ComputedPlan;

interface PlanBase {
  /** Tags to group by, sorted. */
  readonly tagDimensions: readonly string[];
}

export interface RawPlan extends PlanBase {
  readonly kind: 'raw';
  readonly columns: readonly RefColumn[];
}

export interface AggregatePlan extends PlanBase {
  readonly kind: 'aggregate';
  readonly columns: readonly (CallColumn | RefColumn)[];
  /** The calls, each once, however often the columns use it. */
  readonly calls: readonly CallColumn[];
  readonly interval?: { readonly lengthNs: bigint; readonly offsetNs: bigint };
  /** A single min, max, first or last returns a whole point, with its time and its other columns. */
  readonly isPoint: boolean;
}

export function planSelect(
  statement: SelectStatement,
  measurements: readonly Measurement[],
  matches: RegexMatcher
): SelectPlan {
  const names = collectNames(measurements);
  const tagDimensions = expandDimensions(statement, names.tags, matches);
  if (isComputed(statement)) return planComputed(statement, names, tagDimensions, matches);
  checkColumns(statement);
  const hasWildcardDimension =
    statement.groupBy?.dimensions.some(({ kind }) => kind === 'wildcard' || kind === 'regex') ?? false;
  const columns = nameColumns(
    statement.columns.flatMap((column) =>
      expandColumn(column, names, hasWildcardDimension ? names.tags : tagDimensions, matches)
    )
  );
  const calls = uniqueCalls(columns);
  if (calls.length === 0 && !hasCall(statement)) {
    return { kind: 'raw', tagDimensions, columns: columns.filter((column) => column.kind === 'ref') };
  }
  const interval = readInterval(statement);
  return {
    kind: 'aggregate',
    tagDimensions,
    columns,
    calls,
    isPoint: calls.length === 1 && calls.every(({ call }) => SELECTORS.includes(call)),
    ...(interval && { interval }),
  };
}

function uniqueCalls(columns: readonly (CallColumn | RefColumn)[]): CallColumn[] {
  const calls = new Map<string, CallColumn>();
  for (const column of columns) {
    if (column.kind === 'call' && !calls.has(keyOfCall(column))) calls.set(keyOfCall(column), column);
  }
  return [...calls.values()];
}

/** Equal calls have equal keys. */
export function keyOfCall({ call, field }: CallColumn): string {
  return `${call} ${field}`;
}

/** All names that a pattern in a statement over these measurements must be tried on. */
export function listNames(measurements: readonly Measurement[]): string[] {
  const { fields, tags } = collectNames(measurements);
  return [...fields.keys(), ...tags];
}

function hasCall(statement: SelectStatement): boolean {
  return statement.columns.some(({ expression }) => expression.kind === 'call');
}

/** Throws, in InfluxDB's words, if InfluxDB refuses the statement before it reads data (query/compile.go). */
function checkColumns({ columns, groupBy }: SelectStatement): void {
  const calls = columns.flatMap(({ expression }) => (expression.kind === 'call' ? [expression] : []));
  const others = columns.filter(({ expression }) => expression.kind !== 'call' && !isTime(expression));
  const times = groupBy?.dimensions.filter(({ kind }) => kind === 'time') ?? [];
  if (times.length > 1) throw new StatementError('multiple time dimensions not allowed');
  if (columns.every(({ expression }) => isTime(expression))) {
    throw new StatementError('at least 1 non-time field must be queried');
  }
  if (calls.some(({ name, argument }) => name === 'distinct' && argument.kind !== 'ref')) {
    throw new StatementError('expected field argument in distinct()');
  }
  if (calls.some(({ name }) => name === 'distinct') && columns.length > 1) {
    throw new StatementError('aggregate function distinct() cannot be combined with other functions or fields');
  }
  if (calls.length === 0 && times.length > 0) {
    throw new StatementError('GROUP BY requires at least one aggregate function');
  }
  if (calls.length === 0 || others.length === 0) return;
  if (calls.some(({ name, argument }) => !SELECTORS.includes(name) || argument.kind !== 'ref')) {
    throw new StatementError('mixing aggregate and non-aggregate queries is not supported');
  }
  if (calls.length > 1) {
    throw new StatementError('mixing multiple selector functions with tags or fields is not supported');
  }
}

function isTime(expression: SelectColumn['expression']): boolean {
  return expression.kind === 'ref' && expression.name === 'time';
}

type Unnamed = { readonly alias?: string; readonly defaultName: string } & (
  Omit<RefColumn, 'name'> | Omit<CallColumn, 'name'>
);

function expandColumn(
  { expression, alias }: SelectColumn,
  names: Names,
  dimensions: readonly string[],
  matches: RegexMatcher
): Unnamed[] {
  const named = alias === undefined ? {} : { alias };
  switch (expression.kind) {
    case 'ref':
      if (isTime(expression)) return [];
      return [{ kind: 'ref', ref: expression, defaultName: expression.name, ...named }];
    case 'wildcard':
      return expandWildcard(expression.only, names, dimensions);
    case 'regex':
      return expandWildcard(undefined, names, dimensions).filter(({ defaultName }) =>
        matches(expression.source, defaultName)
      );
    case 'call': {
      const { name: call, argument } = expression;
      if (argument.kind === 'ref') {
        const isKnown = names.fields.has(argument.name) && argument.cast !== 'tag';
        return [{ kind: 'call', call, field: argument.name, isKnown, defaultName: call, ...named }];
      }
      return [...names.fields]
        .filter(([name]) => argument.kind === 'wildcard' || matches(argument.source, name))
        .filter(([, types]) => WILDCARD_TYPES[call].some((type) => types.has(type)))
        .map(([name]) => name)
        .sort(compareCodePoints)
        .map((field) => ({ kind: 'call', call, field, isKnown: true, defaultName: `${alias ?? call}_${field}` }));
    }
    default:
      throw new Error(`a column of kind ${expression.kind} is planned as a computed one`);
  }
}

function expandWildcard(only: 'field' | 'tag' | undefined, names: Names, dimensions: readonly string[]): Unnamed[] {
  const fields = only === 'tag' ? [] : [...names.fields.keys()].map((name) => ({ name, cast: 'field' as const }));
  const tags = names.tags.filter((name) => !dimensions.includes(name));
  const tagRefs = only === 'field' ? [] : tags.map((name) => ({ name, cast: 'tag' as const }));
  return [...fields, ...tagRefs]
    .sort((a, b) => compareCodePoints(a.name, b.name))
    .map(({ name, cast }) => ({ kind: 'ref', ref: { kind: 'ref', name, cast }, defaultName: name }));
}

/** Aliases stay as given; `createUniqueNames` names the others. */
function nameColumns(columns: readonly Unnamed[]): (RefColumn | CallColumn)[] {
  const uniqueName = createUniqueNames(columns.flatMap(({ alias }) => alias ?? []));
  return columns.map(({ alias, defaultName, ...column }) => ({ ...column, name: alias ?? uniqueName(defaultName) }));
}

function expandDimensions(statement: SelectStatement, tags: readonly string[], matches: RegexMatcher): string[] {
  const names = new Set<string>();
  for (const dimension of statement.groupBy?.dimensions ?? []) {
    if (dimension.kind === 'tag') names.add(dimension.name);
    if (dimension.kind === 'wildcard') for (const tag of tags) names.add(tag);
    if (dimension.kind === 'regex') for (const tag of tags) if (matches(dimension.source, tag)) names.add(tag);
  }
  return [...names].sort(compareCodePoints);
}
