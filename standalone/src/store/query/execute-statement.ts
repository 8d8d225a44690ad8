import type { DuckDBConnection } from '@duckdb/node-api';
import { compareCodePoints } from '@joblens/core/point/utf8';
import type {
  ColumnExpression,
  Condition,
  DropSeriesStatement,
  SelectStatement,
  Source,
  Statement,
} from '@joblens/core/influxql/nodes';
import type { Database, Measurement } from '../kept/catalog.js';
import { createRegexMatcher, type RegexMatcher, type RegexRequest } from './values/regex-matcher.js';
import type { ResultBatch } from './values/result-batch.js';
import { balanceCondition, castColumns, castCondition } from './resolve-names.js';
import { selectAggregate } from './select-aggregate.js';
import { selectComputed } from './select-computed.js';
import { groupSeries, type SelectContext } from './select-groups.js';
import type { LeafQuery } from './leaf-points.js';
import { type SelectPlan, listNames, planSelect } from './select-plan.js';
import { selectRaw } from './select-raw.js';
import { filterSeries, listTagRegexes } from './series-filter.js';
import { checkTagCondition, show, showDatabases, type ShowStatement } from './show.js';
import { StatementError } from './values/statement-error.js';
import type { Store } from '../kept/store.js';
import { SubqueryAnswers, inheritFrom } from './subquery.js';
import { type TimeRange, intersect, splitTimeRange } from '@joblens/core/influxql/time-range';
import { createZoneOffset } from './values/zone.js';

export interface ExecuteOptions {
  /** The `db` parameter of the request; '' when there is none. */
  readonly database: string;
  readonly nowNs: bigint;
  /** Ends the statement; its reason is the error. */
  readonly signal: AbortSignal;
}

/**
 * The answer of one statement, batch by batch. Throws a StatementError if InfluxDB would refuse it or the store cannot
 * do it.
 */
export async function* executeStatement(
  store: Store,
  statement: Statement,
  options: ExecuteOptions
): AsyncGenerator<ResultBatch> {
  switch (statement.kind) {
    case 'createDatabase':
      await store.createDatabase(statement.name);
      break;
    case 'dropSeries':
      await dropSeries(store, statement, options);
      break;
    case 'showDatabases':
      yield showDatabases(store.catalog.databases.values());
      break;
    case 'select':
      yield* store.readEach((connection) => runSelect(store, connection, statement, options), options.signal);
      break;
    default:
      yield* store.readEach((connection) => runShow(store, connection, statement, options), options.signal);
  }
}

async function dropSeries(
  store: Store,
  { from = [], where }: DropSeriesStatement,
  { database: name, nowNs }: ExecuteOptions
): Promise<void> {
  const { range, condition } = splitTimeRange(readWhere(where === undefined ? {} : { where }), nowNs);
  if (range.fromNs !== undefined || range.toNs !== undefined) {
    throw new StatementError("DROP SERIES doesn't support time in WHERE clause");
  }
  const noRegexes: RegexMatcher = () => {
    throw new StatementError('regular expressions in DROP SERIES are not supported by this store');
  };
  await store.dropSeries(() => {
    const database = store.catalog.databases.get(name);
    if (!database) throw new StatementError(`database not found: ${name}`);
    const everything = storedMeasurements(database);
    const measurements = from.length === 0 ? everything : chooseMeasurements(store, from, name, noRegexes);
    return measurements.flatMap((measurement) => {
      if (condition) checkTagCondition(condition, measurement);
      return filterSeries(condition, measurement, noRegexes).map((series) => ({ table: measurement.table, series }));
    });
  });
}

async function* runShow(
  store: Store,
  connection: DuckDBConnection,
  statement: ShowStatement,
  { database: defaultName, nowNs }: ExecuteOptions
): AsyncGenerator<ResultBatch> {
  const name = statement.database ?? defaultName;
  if (name === '') throw new StatementError('database name required');
  const database = store.catalog.databases.get(name);
  if (statement.kind === 'showRetentionPolicies') {
    if (!database) throw new StatementError(`database not found: ${name}`);
    yield* show(statement, { measurements: [], condition: undefined, matches: () => false });
    return;
  }
  if (!database) return;
  const from = statement.from ?? [];
  const { range, condition } = splitTimeRange('where' in statement ? readWhere(statement) : undefined, nowNs);
  const hasTime = range.fromNs !== undefined || range.toNs !== undefined;
  if (statement.kind === 'showMeasurements' && hasTime) {
    throw new StatementError("SHOW MEASUREMENTS doesn't support time in WHERE clause");
  }
  const everything = storedMeasurements(database);
  const matchesNames = await createRegexMatcher(connection, listSourceRegexes(from, everything));
  const measurements = from.length === 0 ? everything : chooseMeasurements(store, from, name, matchesNames);
  const matches = await createRegexMatcher(
    connection,
    measurements.flatMap((measurement) => [
      ...listTagRegexes(condition, measurement),
      ...listKeyRegexes(statement, measurement),
    ])
  );
  yield* show(statement, { measurements, condition, matches });
}

async function* runSelect(
  store: Store,
  connection: DuckDBConnection,
  statement: SelectStatement,
  options: ExecuteOptions,
  outerRange: TimeRange = {}
): AsyncGenerator<ResultBatch> {
  const { database, nowNs } = options;
  const { range: ownRange, condition: untyped } = splitTimeRange(readWhere(statement), nowNs);
  const range = intersect(ownRange, outerRange);
  const subqueries = new SubqueryAnswers(connection, () => store.catalog.createId());
  const stored: Source[] = [];
  for (const source of statement.from) {
    if (source.kind !== 'subquery') stored.push(source);
    else {
      const inner = inheritFrom(source.select, statement);
      await subqueries.add(runSelect(store, connection, inner, options, range));
    }
  }
  const everything = listDatabases(store, stored, database).flatMap(storedMeasurements);
  const matchesNames = await createRegexMatcher(connection, listSourceRegexes(stored, everything));
  const chosen = chooseMeasurements(store, stored, database, matchesNames);
  const measurements = [...chosen, ...subqueries.measurements].sort((a, b) => compareCodePoints(a.name, b.name));
  yield* answerSelect(connection, statement, measurements, { range, condition: untyped, nowNs });
}

interface AskedPoints {
  readonly range: TimeRange;
  readonly condition: Condition | undefined;
  readonly nowNs: bigint;
}

async function* answerSelect(
  connection: DuckDBConnection,
  statement: SelectStatement,
  measurements: readonly Measurement[],
  { range, condition: untyped, nowNs }: AskedPoints
): AsyncGenerator<ResultBatch> {
  const condition = untyped && castCondition(untyped, measurements);
  const matches = await createRegexMatcher(connection, [
    ...listColumnRegexes(statement, measurements),
    ...measurements.flatMap((measurement) => [...listTagRegexes(condition, measurement)]),
  ]);
  const typed = { ...statement, columns: castColumns(statement.columns, measurements) };
  const plan = planSelect(typed, measurements, matches);
  const zone = statement.timeZone === undefined ? undefined : createZoneOffset(statement.timeZone);
  const isDescending = statement.orderBy === 'DESC';
  const { limit, offset, seriesLimit, seriesOffset } = statement;
  const context: SelectContext = { range, condition, matches, isDescending, nowNs, limit, offset };
  const fill = statement.groupBy?.fill ?? 'null';
  for (const measurement of isDescending ? [...measurements].reverse() : measurements) {
    const series = filterSeries(condition, measurement, matches);
    const grouped = groupSeries(measurement, series, { dimensions: plan.tagDimensions, seriesLimit, seriesOffset });
    for await (const batch of selectPlanned({ connection, plan, grouped, context, fill, zone })) {
      yield zone === undefined ? batch : { ...batch, zone };
    }
  }
}

function selectPlanned(query: Omit<LeafQuery, 'plan'> & { readonly plan: SelectPlan }): AsyncGenerator<ResultBatch> {
  const { connection, plan, grouped, context, fill } = query;
  if (plan.kind === 'raw') return selectRaw(connection, plan, grouped, context);
  if (plan.kind === 'aggregate') return selectAggregate(connection, plan, grouped, context, fill);
  return selectComputed({ ...query, plan });
}

function readWhere({ where }: { readonly where?: Condition }): Condition | undefined {
  return where && balanceCondition(where);
}

function storedMeasurements(database: Database): Measurement[] {
  return [...database.measurements.values()]
    .filter(({ isStored }) => isStored)
    .sort((a, b) => compareCodePoints(a.name, b.name));
}

function listDatabases(store: Store, from: readonly Source[], defaultName: string): Database[] {
  return [...new Set(from.map((source) => findDatabase(store, source, defaultName)))];
}

function findDatabase(store: Store, source: Source, defaultName: string): Database {
  if (source.kind === 'subquery') throw new StatementError('a subquery is allowed in SELECT alone');
  const name = (source.kind === 'measurement' ? source.database : undefined) ?? defaultName;
  if (name === '') throw new StatementError('database name required');
  const database = store.catalog.databases.get(name);
  if (!database) throw new StatementError(`database not found: ${name}`);
  const policy = source.kind === 'measurement' ? source.retentionPolicy : undefined;
  if (policy !== undefined && policy !== 'autogen') {
    throw new StatementError(`retention policy not found: ${policy}`);
  }
  return database;
}

/** The measurements that FROM names, each once, sorted by name. */
function chooseMeasurements(
  store: Store,
  from: readonly Source[],
  defaultName: string,
  matches: RegexMatcher
): Measurement[] {
  const chosen = new Set<Measurement>();
  for (const source of from) {
    for (const measurement of storedMeasurements(findDatabase(store, source, defaultName))) {
      const isNamed =
        source.kind === 'measurementRegex'
          ? matches(source.source, measurement.name)
          : source.kind === 'measurement' && source.name === measurement.name;
      if (isNamed) chosen.add(measurement);
    }
  }
  return [...chosen].sort((a, b) => compareCodePoints(a.name, b.name));
}

function listSourceRegexes(from: readonly Source[], measurements: readonly Measurement[]): RegexRequest[] {
  const texts = measurements.map(({ name }) => name);
  return from.flatMap((source) => (source.kind === 'measurementRegex' ? [{ source: source.source, texts }] : []));
}

/** The patterns for names of fields and tags in SELECT and GROUP BY. */
function listColumnRegexes(statement: SelectStatement, measurements: readonly Measurement[]): RegexRequest[] {
  const sources = [
    ...statement.columns.flatMap(({ expression }) => [...listRegexes(expression)]),
    ...(statement.groupBy?.dimensions ?? []).flatMap((dimension) =>
      dimension.kind === 'regex' ? [dimension.source] : []
    ),
  ];
  const texts = sources.length > 0 ? listNames(measurements) : [];
  return sources.map((source) => ({ source, texts }));
}

/** The pattern of `WITH KEY =~`. */
function listKeyRegexes(statement: ShowStatement, { tagIndex }: Measurement): RegexRequest[] {
  const key = 'key' in statement ? statement.key : undefined;
  return key !== undefined && 'source' in key ? [{ source: key.source, texts: [...tagIndex.keys()] }] : [];
}

function* listRegexes(expression: ColumnExpression): Generator<string> {
  if (expression.kind === 'regex') yield expression.source;
  if (expression.kind === 'call' || expression.kind === 'function') yield* listRegexes(expression.argument);
}
