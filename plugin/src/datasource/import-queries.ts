import type { AbstractLabelMatcher, AbstractQuery } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { quoteIdentifier, quoteString } from '@joblens/core/influxql/quote';
import type { InfluxqlQuery } from '../query-types/influxql/influxql.js';
import type { LogsQuery } from '../query-types/logs/logs.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { QueryTypeName } from '../registry/registry.js';
import type { TagFilter } from '../store/tag-filters.js';

type Imported<Q extends JoblensQuery> = Q & { queryType: QueryTypeName };

/** A query of Grafana's own InfluxDB data source, as far as it is used (plugins/datasource/influxdb/types.ts). */
interface InfluxQuery extends DataQuery {
  readonly query?: string;
  readonly rawQuery?: boolean;
  readonly policy?: string;
  readonly measurement?: string;
  readonly tags?: ReadonlyArray<{
    readonly key: string;
    readonly operator?: string;
    readonly condition?: string;
    readonly value: string;
  }>;
  readonly groupBy?: readonly QueryPart[];
  readonly select?: ReadonlyArray<readonly QueryPart[]>;
  readonly orderByTime?: string;
  readonly limit?: string | number;
  readonly slimit?: string | number;
  readonly tz?: string;
}

interface QueryPart {
  readonly type: string;
  readonly params?: ReadonlyArray<string | number>;
}

/** Queries of another data source as far as they have a meaning here; a query of an unknown kind is left out. */
export function importQueries(queries: readonly DataQuery[], originType: string): JoblensQuery[] {
  if (originType !== 'influxdb') return [];
  return queries.flatMap((query: InfluxQuery) => {
    const rawQuery = isWritten(query) ? query.query : printQuery(query);
    if (rawQuery === undefined || rawQuery === '') return [];
    const { refId, hide } = query;
    const imported: Imported<InfluxqlQuery> = { refId, queryType: 'influxql', rawQuery };
    return [{ ...imported, ...(hide === true && { hide }) }];
  });
}

/** A query by labels, of Loki or Prometheus: the log of the jobs that have them. */
export function importAbstractQuery({ refId, labelMatchers }: AbstractQuery): JoblensQuery {
  const filters = labelMatchers.filter(({ name }) => LABELS.has(name)).map(toFilter);
  const query: Imported<LogsQuery> = { refId, queryType: 'logs', stream: 'both' };
  return filters.length === 0 ? query : { ...query, filters };
}

const LABELS: ReadonlySet<string> = new Set(['job', 'user', 'task', 'stream']);
const OPERATORS: Readonly<Record<string, string>> = {
  Equal: '=',
  NotEqual: '!=',
  EqualRegEx: '=~',
  NotEqualRegEx: '!~',
};

function toFilter({ name, operator, value }: AbstractLabelMatcher): TagFilter {
  return { key: name, operator: OPERATORS[operator] ?? '=', value };
}

function isWritten(query: InfluxQuery): boolean {
  return query.rawQuery === true || query.measurement === undefined || query.measurement === '';
}

/** The InfluxQL that Grafana makes of its query builder (influx_query_model.ts, render). */
function printQuery(query: InfluxQuery): string | undefined {
  const { select = [], groupBy = [], tags = [] } = query;
  if (select.length === 0) return undefined;
  const dimensions = groupBy.filter(({ type }) => type !== 'fill').map((part) => printPart('', part));
  const fill = groupBy.find(({ type }) => type === 'fill')?.params?.[0];
  const clause = (word: string, value: string | number | undefined): string => (isSet(value) ? `${word} ${value}` : '');
  return [
    `SELECT ${select.map((parts) => parts.reduce(printPart, '')).join(', ')} FROM ${printSource(query)}`,
    `WHERE ${printTags(tags)}$timeFilter`,
    clause('GROUP BY', dimensions.join(', ')),
    fill === undefined ? '' : `fill(${fill})`,
    query.orderByTime === 'DESC' ? 'ORDER BY time DESC' : '',
    clause('LIMIT', query.limit),
    clause('SLIMIT', query.slimit),
    isSet(query.tz) ? `tz(${quoteString(query.tz)})` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function printSource({ policy = '', measurement = '' }: InfluxQuery): string {
  const prefix = policy === '' || policy === 'default' ? '' : `${quoteIdentifier(policy)}.`;
  return `${prefix}${isRegex(measurement) ? measurement : quoteIdentifier(measurement)}`;
}

function isSet<T extends string | number>(value: T | undefined): value is T {
  return value !== undefined && value !== '';
}

function isRegex(text: string): boolean {
  return text.length > 1 && text.startsWith('/') && text.endsWith('/');
}

/** The parts of one column, each around or behind the ones before. */
function printPart(inner: string, { type, params = [] }: QueryPart): string {
  const [first = ''] = params;
  switch (type) {
    case 'field':
    case 'tag':
      return first === '*' ? '*' : printReference(String(first));
    case 'alias':
      return `${inner} AS ${quoteIdentifier(String(first))}`;
    case 'math':
      return `${inner}${first}`;
    case 'time':
      return `time(${first === '$interval' || first === 'auto' ? '$__interval' : first})`;
    default:
      return `${type}(${[inner, ...params].filter((part) => part !== '').join(', ')})`;
  }
}

/** Newer versions write the kind of the column behind its name. */
function printReference(name: string): string {
  const [, plain = name, cast = ''] = /^(.*?)(::(?:field|tag))?$/s.exec(name) ?? [];
  return isRegex(plain) ? plain : `${quoteIdentifier(plain)}${cast}`;
}

function printTags(tags: NonNullable<InfluxQuery['tags']>): string {
  const conditions = tags.map(({ key, operator, condition = 'AND', value }, index) => {
    const sign = operator ?? (isRegex(value) ? '=~' : '=');
    const right = sign.endsWith('~') || sign === '<' || sign === '>' ? value : quoteString(value);
    return `${index === 0 ? '' : `${condition} `}${printReference(key)} ${sign} ${right}`;
  });
  return conditions.length === 0 ? '' : `(${conditions.join(' ')}) AND `;
}
