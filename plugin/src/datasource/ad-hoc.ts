import type { DataQueryRequest, MetricFindValue, TimeRange } from '@grafana/data';
import { createAnd, createTimeComparison, freezeNode } from '@joblens/core/influxql/build';
import type { Statement } from '@joblens/core/influxql/nodes';
import { type NameKind, namesQuery, readNames, readRecentNames, recentNamesQuery } from '@joblens/core/ask/jobs/names';
import { lastValueFrom } from 'rxjs';
import { toNs } from '../frames/times.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { FILTER_KEYS, filterClient, type TagFilter } from '../store/tag-filters.js';
import type { TemplateSource } from '../template/template.js';
import { chooseNamesRange } from './find-names.js';

/** TemplateSrv of Grafana up to 13, which its type does not show. */
interface FilterSource {
  readonly getAdhocFilters?: (dataSourceName: string) => TagFilter[];
}

/** The dashboard's filters: in the request since Grafana 10.2, before that in the template service alone. */
export function readAdHocFilters(
  request: Pick<DataQueryRequest<JoblensQuery>, 'filters'>,
  templates: TemplateSource,
  dataSourceName: string
): readonly TagFilter[] {
  // Called on its object: it needs it.
  return request.filters ?? (templates as FilterSource).getAdhocFilters?.(dataSourceName) ?? [];
}

export function listFilterKeys(): MetricFindValue[] {
  return FILTER_KEYS.map((text) => ({ text }));
}

/** What getTagValues is asked with; Grafana before 10.3 gives the key alone. */
export interface TagValuesRequest {
  readonly key: string;
  readonly timeRange?: TimeRange;
  readonly filters?: readonly TagFilter[];
}

const KINDS: ReadonlyMap<string, NameKind> = new Map([
  ['job', 'jobs'],
  ['user', 'users'],
  ['task', 'tasks'],
  ['series', 'series'],
]);
const STREAMS = ['stdout', 'stderr'];
const MOST_VALUES = 1000;

/** A job that lives leaves a point at least this often. */
const HEARTBEAT_NS = 600_000_000_000n;

function limitRange(statement: Statement, range: TimeRange | undefined): Statement {
  if (statement.kind !== 'showTagValues' || range === undefined) return statement;
  const [fromNs, endNs] = [toNs(range.from.valueOf()), toNs(range.to.valueOf())];
  const where = createAnd([
    statement.where,
    createTimeComparison('>=', fromNs - HEARTBEAT_NS),
    createTimeComparison('<=', endNs),
  ]);
  return freezeNode({ ...statement, ...(where !== undefined && { where }) });
}

/** The jobs that lived in the range (a week at least), or all users, from the heartbeats: that costs what they cost. */
async function listRecentNames(
  client: InfluxdbClient,
  kind: NameKind,
  { timeRange, filters = [] }: TagValuesRequest
): Promise<readonly string[]> {
  if (filters.some(({ key }) => !['jobs', 'users'].includes(KINDS.get(key) ?? ''))) return [];
  const request = { kind, ...chooseNamesRange(timeRange, Date.now()) };
  const statement = recentNamesQuery(request);
  return statement === undefined ? [] : readRecentNames(request, await lastValueFrom(client.query([statement])));
}

/** The values of a tag in the range, of what the other filters leave. Rejects with StoreError. */
export async function listFilterValues(client: InfluxdbClient, request: TagValuesRequest): Promise<MetricFindValue[]> {
  const kind = KINDS.get(request.key);
  if (kind === undefined) return request.key === 'stream' ? STREAMS.map((text) => ({ text })) : [];
  const others = (request.filters ?? []).filter(({ key }) => key !== request.key);
  const filtered = filterClient(client, others);
  const recent = await listRecentNames(filtered, kind, { ...request, filters: others });
  if (recent.length > 0) return recent.slice(0, MOST_VALUES).map((text) => ({ text }));
  const statements = namesQuery({ kind }).map((statement) => limitRange(statement, request.timeRange));
  const names = readNames(kind, await lastValueFrom(filtered.query(statements)));
  return names.slice(0, MOST_VALUES).map((text) => ({ text }));
}
