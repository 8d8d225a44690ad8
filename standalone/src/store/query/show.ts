import { compareCodePoints } from '@joblens/core/point/utf8';
import type { Condition, ShowCardinalityStatement, Statement, TagKeyFilter } from '@joblens/core/influxql/nodes';
import type { Database, Measurement, Series } from '../kept/catalog.js';
import type { RegexMatcher } from './values/regex-matcher.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import { filterSeries } from './series-filter.js';
import { StatementError } from './values/statement-error.js';

export type ShowStatement = Exclude<Statement, { kind: 'select' | 'createDatabase' | 'dropSeries' | 'showDatabases' }>;

export interface ShowRequest {
  /** The measurements that FROM names, or all, sorted by name. */
  readonly measurements: readonly Measurement[];
  /** WHERE without its time bounds, which InfluxDB ignores here. */
  readonly condition: Condition | undefined;
  readonly matches: RegexMatcher;
}

/** Answers a SHOW statement from the catalog alone. */
export function* show(statement: ShowStatement, request: ShowRequest): Generator<ResultBatch> {
  switch (statement.kind) {
    case 'showRetentionPolicies':
      yield RETENTION_POLICIES;
      break;
    case 'showMeasurements':
      yield* showMeasurements(statement, request);
      break;
    case 'showTagKeys':
      yield* showNamed(statement, request, ['tagKey'], (measurement) =>
        listTagKeys(measurement, selectSeries(request, measurement)).map((key) => [key])
      );
      break;
    case 'showFieldKeys':
      yield* showNamed(statement, request, ['fieldKey', 'fieldType'], (measurement) =>
        [...measurement.fields.values()]
          .sort((a, b) => compareCodePoints(a.name, b.name))
          .map(({ name, type }) => [name, type])
      );
      break;
    case 'showTagValues': {
      yield* showNamed(statement, request, ['key', 'value'], (measurement) =>
        listTagValues(keysOf(statement.key, request, measurement), request, measurement)
      );
      break;
    }
    case 'showSeries':
      yield* showSeries(statement, request);
      break;
    case 'showCardinality':
      yield* showCardinality(statement, request);
  }
}

export function showDatabases(databases: Iterable<Database>): ResultBatch {
  const rows = [...databases].map(({ name }) => [name]);
  return { name: 'databases', columns: ['name'], hasTime: false, rows, isContinued: false };
}

/** Points are kept forever, as in InfluxDB's default policy. */
const RETENTION_POLICIES: ResultBatch = {
  columns: ['name', 'duration', 'shardGroupDuration', 'replicaN', 'default'],
  hasTime: false,
  rows: [['autogen', '0s', '168h0m0s', 1, true]],
  isContinued: false,
};

/** Estimates are exact here. Of a whole database, InfluxDB estimates series and measurements as one number. */
function* showCardinality(statement: ShowCardinalityStatement, request: ShowRequest): Generator<ResultBatch> {
  const { of, isExact, from, where } = statement;
  const isWhole = isExact !== true && from === undefined && where === undefined;
  if (of === 'measurement' || (of === 'series' && isWhole)) {
    const counts = request.measurements.map((measurement) => selectSeries(request, measurement).length);
    const count = of === 'series' ? counts.reduce((sum, n) => sum + n, 0) : counts.filter((n) => n > 0).length;
    const columns = [isWhole ? 'cardinality estimation' : 'count'];
    yield { columns, hasTime: false, rows: [[BigInt(count)]], isContinued: false };
    return;
  }
  for (const measurement of request.measurements) {
    const rows = [[BigInt(countIn(statement, request, measurement))]];
    const batch = { name: measurement.name, columns: ['count'], hasTime: false, rows, isContinued: false };
    if (rows[0]?.[0] !== 0n) yield batch;
  }
}

function countIn({ of, key }: ShowCardinalityStatement, request: ShowRequest, measurement: Measurement): number {
  if (of === 'fieldKey') return measurement.fields.size;
  const series = selectSeries(request, measurement);
  if (of === 'tagKey') return listTagKeys(measurement, series).length;
  return of === 'tagValues' && key
    ? listTagValues(keysOf(key, request, measurement), request, measurement).length
    : series.length;
}

/** The keys of the measurement that `WITH KEY` means. */
function keysOf(key: TagKeyFilter, { matches }: ShowRequest, { tagIndex }: Measurement): readonly string[] {
  const all = [...tagIndex.keys()];
  switch (key.operator) {
    case '=':
      return [key.name];
    case 'in':
      return key.names;
    case '!=':
      return all.filter((name) => name !== key.name);
    case '=~':
      return all.filter((name) => matches(key.source, name));
    case '!~':
      return all.filter((name) => !matches(key.source, name));
  }
}

interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

function* showMeasurements(page: Page, request: ShowRequest): Generator<ResultBatch> {
  const rows = request.measurements
    .filter((measurement) => selectSeries(request, measurement).length > 0)
    .map(({ name }) => [name]);
  yield* nonEmpty({
    name: 'measurements',
    columns: ['name'],
    hasTime: false,
    rows: pageOf(rows, page),
    isContinued: false,
    isWhole: true,
  });
}

function* showSeries(page: Page, request: ShowRequest): Generator<ResultBatch> {
  const keys = request.measurements.flatMap((measurement) =>
    selectSeries(request, measurement)
      .map((series) => formatSeriesKey(measurement, series))
      .sort(compareCodePoints)
  );
  const rows = pageOf(
    keys.map((key) => [key]),
    page
  );
  yield* nonEmpty({ columns: ['key'], hasTime: false, rows, isContinued: false });
}

/** One series of the answer for each measurement. LIMIT and OFFSET apply to each separately. */
function* showNamed(
  page: Page,
  request: ShowRequest,
  columns: readonly string[],
  listRows: (measurement: Measurement) => Cell[][]
): Generator<ResultBatch> {
  const isWhole = columns[0] !== 'fieldKey';
  for (const measurement of request.measurements) {
    const rows = pageOf(listRows(measurement), page);
    yield* nonEmpty({ name: measurement.name, columns, hasTime: false, rows, isContinued: false, isWhole });
  }
}

function* nonEmpty(batch: ResultBatch): Generator<ResultBatch> {
  if (batch.rows.length > 0) yield batch;
}

function pageOf<T>(rows: readonly T[], { limit = 0, offset = 0 }: Page): readonly T[] {
  return rows.slice(offset, limit > 0 ? offset + limit : undefined);
}

function selectSeries({ condition, matches }: ShowRequest, measurement: Measurement): readonly Series[] {
  if (condition) checkTagCondition(condition, measurement);
  return filterSeries(condition, measurement, matches);
}

/** Only tags can choose series. A comparison with a field is refused, as in InfluxDB. */
export function checkTagCondition(condition: Condition, measurement: Measurement): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      checkTagCondition(condition.left, measurement);
      checkTagCondition(condition.right, measurement);
      break;
    case 'compare':
    case 'match':
      if (measurement.fields.has(condition.left.name)) throw new StatementError('invalid tag comparison operator');
      break;
    case 'time':
  }
}

function listTagKeys(measurement: Measurement, series: readonly Series[]): string[] {
  const isWhole = series.length === measurement.series.size;
  const keys: Iterable<string> = isWhole ? measurement.tagIndex.keys() : series.flatMap(({ tags }) => [...tags.keys()]);
  return [...new Set(keys)].sort(compareCodePoints);
}

function listTagValues(keys: readonly string[], request: ShowRequest, measurement: Measurement): Cell[][] {
  const series = request.condition ? selectSeries(request, measurement) : undefined;
  return [...new Set(keys)].sort(compareCodePoints).flatMap((key) => {
    const values: Iterable<string> = series
      ? new Set(series.flatMap(({ tags }) => tags.get(key) ?? []))
      : (measurement.tagIndex.get(key)?.keys() ?? []);
    return [...values].sort(compareCodePoints).map((value) => [key, value]);
  });
}

/** A series key as InfluxDB prints it: line protocol's escapes. */
function formatSeriesKey({ name }: Measurement, { tags }: Series): string {
  const pairs = [...tags].map(([key, value]) => `,${escapeTag(key)}=${escapeTag(value)}`);
  return `${name.replace(/[, ]/g, '\\$&')}${pairs.join('')}`;
}

export function escapeTag(text: string): string {
  return text.replace(/[,= ]/g, '\\$&');
}
