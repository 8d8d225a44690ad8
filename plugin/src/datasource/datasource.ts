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
import { toNs } from './frames/frame-meta.js';
import { checkHealth } from './health.js';
import { createInfluxdbClient, type InfluxdbClient } from './influxdb-client.js';
import type { NameSource, NamesRequest } from './name-source.js';
import { isRunnable, runQuery } from './query-runner.js';
import { fillInQuery } from './query-change.js';
import { interpolateValues, type TemplateSource } from './template.js';
import { DEFAULT_DATABASE, type JoblensOptions, type JoblensQuery } from './types.js';
import { parseVariableQuery } from './variable-query.js';
import { JoblensVariableSupport } from './variables.js';

interface QueryOutcome {
  readonly frames: readonly DataFrame[];
  readonly error?: DataQueryError;
}

/** Joblens data in InfluxDB for Grafana: hands queries to runQuery and names to core, and turns errors into answers. */
export class JoblensDataSource extends DataSourceApi<JoblensQuery, JoblensOptions> implements NameSource {
  readonly database: string;
  override variables: JoblensVariableSupport = new JoblensVariableSupport(this);
  private readonly client: InfluxdbClient;

  constructor(
    settings: DataSourceInstanceSettings<JoblensOptions>,
    backendSrv: Pick<BackendSrv, 'fetch'> = getBackendSrv(),
    private readonly templates: TemplateSource = getTemplateSrv()
  ) {
    super(settings);
    const { database, auth } = settings.jsonData;
    this.database = database === undefined || database === '' ? DEFAULT_DATABASE : database;
    const isTokenRoute = auth === 'token';
    this.client = createInfluxdbClient(backendSrv, { url: settings.url ?? '', database: this.database, isTokenRoute });
  }

  override query(request: DataQueryRequest<JoblensQuery>): Observable<DataQueryResponse> {
    const outcomes = request.targets
      .filter((query) => this.filterQuery(query))
      .map((query) => this.runOne(query, request));
    return outcomes.length === 0 ? of({ data: [] }) : forkJoin(outcomes).pipe(map(createResponse));
  }

  private runOne(query: JoblensQuery, request: DataQueryRequest<JoblensQuery>): Observable<QueryOutcome> {
    const { range, scopedVars, requestId } = request;
    return defer(() =>
      runQuery(query, {
        client: this.client,
        templates: this.templates,
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
    return isRunnable(query);
  }

  override getDefaultQuery(app: CoreApp): Partial<JoblensQuery> {
    return app === CoreApp.Explore ? { queryType: 'logs', stream: 'both' } : { queryType: 'metadata' };
  }

  override getQueryDisplayText(query: JoblensQuery): string {
    if (query.queryType === 'influxql') return query.rawQuery ?? '';
    return [query.queryType ?? 'logs', query.job, query.user, query.series].filter(Boolean).join(' · ');
  }

  override testDatasource(): Promise<TestDataSourceResponse> {
    return checkHealth(this.client, this.database);
  }

  async findNames(request: NamesRequest, scopedVars: ScopedVars = {}): Promise<string[]> {
    const values = (text: string | undefined) => interpolateValues(text, scopedVars, this.templates);
    const { query: kind, job, user, series } = request;
    const statements = namesQuery({
      kind,
      job: values(job),
      user: values(user),
      ...(series === undefined ? {} : { series: values(series) }),
    });
    return readNames(kind, await lastValueFrom(this.client.query(statements)));
  }

  override async metricFindQuery(query: unknown, options?: LegacyMetricFindQueryOptions): Promise<MetricFindValue[]> {
    const names = await this.findNames(parseVariableQuery(query), options?.scopedVars);
    return names.map((name) => ({ text: name, value: name }));
  }

  override interpolateVariablesInQueries(queries: JoblensQuery[], scopedVars: ScopedVars): JoblensQuery[] {
    return queries.map((query) => fillInQuery(query, scopedVars, this.templates));
  }
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
