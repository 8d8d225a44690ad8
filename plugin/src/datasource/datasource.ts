import {
  CoreApp,
  type DataFrame,
  type DataQueryError,
  type DataQueryRequest,
  type DataQueryResponse,
  DataSourceApi,
  type DataSourceInstanceSettings,
  type LegacyMetricFindQueryOptions,
  type MetricFindValue,
  type ScopedVars,
  type TestDataSourceResponse,
} from '@grafana/data';
import { type BackendSrv, getBackendSrv, getTemplateSrv } from '@grafana/runtime';
import { namesQuery, readNames } from '@joblens/core';
import { catchError, defer, forkJoin, lastValueFrom, map, type Observable, of } from 'rxjs';
import { toNs } from '../frames/times.js';
import type { LogsQuery } from '../query-types/logs.js';
import type { MetadataQuery } from '../query-types/metadata.js';
import type { JoblensQuery, QueryType } from '../query-types/query-type.js';
import { findQueryType, QUERY_TYPES, queryTypeNameOf, type QueryTypeName } from '../registry/registry.js';
import { checkHealth } from '../store/health.js';
import { createInfluxdbClient, type InfluxdbClient } from '../store/influxdb-client.js';
import { interpolateValues, type TemplateSource } from '../template/template.js';
import type { NameSource, NamesRequest } from './name-source.js';
import { DEFAULT_DATABASE, type JoblensOptions } from './types.js';
import { parseVariableQuery } from './variable-query.js';
import { JoblensVariableSupport } from './variables.js';

interface QueryOutcome {
  readonly frames: readonly DataFrame[];
  readonly error?: DataQueryError;
}

type NewQuery<Q> = Partial<Q> & { readonly queryType: QueryTypeName };

/**
 * Joblens data in InfluxDB for Grafana: hands queries to their types and names to core, and turns errors into
 * answers.
 */
export class JoblensDataSource extends DataSourceApi<JoblensQuery, JoblensOptions> implements NameSource {
  readonly database: string;
  override variables: JoblensVariableSupport = new JoblensVariableSupport(this);
  readonly #client: InfluxdbClient;
  readonly #templates: TemplateSource;

  constructor(
    settings: DataSourceInstanceSettings<JoblensOptions>,
    backendSrv: Pick<BackendSrv, 'fetch'> = getBackendSrv(),
    templates: TemplateSource = getTemplateSrv()
  ) {
    super(settings);
    this.#templates = templates;
    const { database, auth } = settings.jsonData;
    this.database = database === undefined || database === '' ? DEFAULT_DATABASE : database;
    const isTokenRoute = auth === 'token';
    this.#client = createInfluxdbClient(backendSrv, { url: settings.url ?? '', database: this.database, isTokenRoute });
  }

  override query(request: DataQueryRequest<JoblensQuery>): Observable<DataQueryResponse> {
    const outcomes = request.targets
      .filter((query) => this.filterQuery(query))
      .map((query) => this.#runOne(query, request));
    return outcomes.length === 0 ? of({ data: [] }) : forkJoin(outcomes).pipe(map(createResponse));
  }

  #runOne(query: JoblensQuery, request: DataQueryRequest<JoblensQuery>): Observable<QueryOutcome> {
    const { range, scopedVars, requestId } = request;
    return defer(() =>
      requireQueryType(query).run(query, {
        client: this.#client,
        templates: this.#templates,
        scopedVars,
        fromNs: toNs(range.from.valueOf()),
        toNs: toNs(range.to.valueOf()),
        nowMs: Date.now(),
        requestId: `${requestId}/${query.refId}`,
      })
    ).pipe(
      map((frames) => ({ frames })),
      catchError((error: unknown) => of({ frames: [], error: { refId: query.refId, message: formatError(error) } }))
    );
  }

  override filterQuery(query: JoblensQuery): boolean {
    return query.hide !== true && findQueryType(query)?.isRunnable?.(query) !== false;
  }

  override getDefaultQuery(app: CoreApp): Partial<JoblensQuery> {
    const inExplore: NewQuery<LogsQuery> = { queryType: 'logs', stream: 'both' };
    const inPanel: NewQuery<MetadataQuery> = { queryType: 'metadata' };
    return app === CoreApp.Explore ? inExplore : inPanel;
  }

  override getQueryDisplayText(query: JoblensQuery): string {
    return findQueryType(query)?.describe(query) ?? queryTypeNameOf(query);
  }

  override testDatasource(): Promise<TestDataSourceResponse> {
    return checkHealth(this.#client, this.database);
  }

  async findNames(request: NamesRequest, scopedVars: ScopedVars = {}): Promise<string[]> {
    const values = (text: string | undefined) => interpolateValues(text, scopedVars, this.#templates);
    const { query: kind, job, user, series } = request;
    const statements = namesQuery({
      kind,
      job: values(job),
      user: values(user),
      ...(series === undefined ? {} : { series: values(series) }),
    });
    return readNames(kind, await lastValueFrom(this.#client.query(statements)));
  }

  override async metricFindQuery(query: unknown, options?: LegacyMetricFindQueryOptions): Promise<MetricFindValue[]> {
    const names = await this.findNames(parseVariableQuery(query), options?.scopedVars);
    return names.map((name) => ({ text: name, value: name }));
  }

  override interpolateVariablesInQueries(queries: JoblensQuery[], scopedVars: ScopedVars): JoblensQuery[] {
    // A query keeps the fields of the types that it had before.
    return queries.map((query) =>
      Object.values<QueryType>(QUERY_TYPES).reduce(
        (filled, type) => type.fillIn(filled, scopedVars, this.#templates),
        query
      )
    );
  }
}

function requireQueryType(query: JoblensQuery): QueryType {
  const type = findQueryType(query);
  if (type === undefined) {
    throw new RangeError(
      `This version of the plugin has no query type "${queryTypeNameOf(query)}": choose another type`
    );
  }
  return type;
}

function createResponse(outcomes: readonly QueryOutcome[]): DataQueryResponse {
  const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const data = outcomes.flatMap(({ frames }) => [...frames]);
  const [first] = errors;
  return first === undefined ? { data } : { data, errors, error: first };
}

function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
