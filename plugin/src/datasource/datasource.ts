import {
  type AbstractQuery,
  CoreApp,
  type DataFrame,
  type DataQueryError,
  type DataQueryRequest,
  type DataQueryResponse,
  DataSourceApi,
  type DataSourceInstanceSettings,
  type LegacyMetricFindQueryOptions,
  LoadingState,
  type LogRowModel,
  type MetricFindValue,
  type QueryFixAction,
  type RawTimeRange,
  type ScopedVars,
  SupplementaryQueryType,
  type TestDataSourceResponse,
  type TimeRange,
} from '@grafana/data';
import { type BackendSrv, getBackendSrv, getTemplateSrv } from '@grafana/runtime';
import type { DataQuery } from '@grafana/schema';
import { catchError, combineLatest, defer, map, type Observable, of } from 'rxjs';
import { isLoadingFrame } from '../frames/frame-meta.js';
import { toNs } from '../frames/times.js';
import type { AnsweredQuestions } from '../query-types/memory/answered-questions.js';
import type { DescribedJobs } from '../query-types/memory/described-jobs.js';
import type { JobRangeMemory } from '../query-types/memory/job-range-memory.js';
import type { LogsQuery } from '../query-types/logs/logs.js';
import type { MetadataQuery } from '../query-types/metadata/metadata.js';
import type { FoundNames, JoblensQuery, QueryType } from '../query-types/parts/query-type.js';
import { createTableMemory, filterTableMemory } from '../query-types/memory/table-memory.js';
import { findQueryType, QUERY_TYPES, queryTypeNameOf, type QueryTypeName } from '../registry/registry.js';
import { checkHealth } from '../store/health.js';
import { createInfluxdbClient, type InfluxdbClient } from '../store/influxdb-client.js';
import { createKept } from '../store/kept.js';
import { createNewestRowsReader, type NewestRowsReader } from '../store/newest-rows.js';
import { createServerProbe, type ServerProbe } from '../store/server-probe.js';
import { filterClient, filterKept, filterNewestRows } from '../store/tag-filters.js';
import { interpolateValues, type TemplateSource } from '../template/template.js';
import { listFilterKeys, listFilterValues, readAdHocFilters, type TagValuesRequest } from './ad-hoc.js';
import { annotations } from './annotations.js';
import { readDashboardRange } from './dashboard-range.js';
import { chooseNamesRange, findNames } from './find-names.js';
import { importAbstractQuery, importQueries } from './import-queries.js';
import { createLeftRuns, type LeftRuns } from './left-runs.js';
import { queryLive } from './live.js';
import { type ContextOptions, getLogContext, hasLogContext } from './log-context.js';
import { modifyQuery } from './modify-query.js';
import type { NameSource, NamesRequest } from './name-source.js';
import { createVolumeQuery, createVolumeRequest, markVolume } from './supplementary.js';
import { DEFAULT_DATABASE, type JoblensOptions } from './types.js';
import { createRangeMemory } from './range-memory.js';
import { parseVariableQuery } from './variable-query.js';
import { JoblensVariableSupport } from './variables.js';

interface QueryOutcome {
  readonly frames: readonly DataFrame[];
  readonly error?: DataQueryError;
}

/** Some ten thousand jobs. */
const MAX_RANGE_CHARACTERS = 1024 * 1024;

type NewQuery<Q> = Partial<Q> & { readonly queryType: QueryTypeName };

/**
 * Joblens data in InfluxDB for Grafana: hands queries to their types and names to core, and turns errors into
 * answers.
 */
export class JoblensDataSource extends DataSourceApi<JoblensQuery, JoblensOptions> implements NameSource {
  readonly database: string;
  override variables: JoblensVariableSupport = new JoblensVariableSupport(this);
  override annotations = annotations;
  readonly #connect: () => InfluxdbClient;
  readonly #client: InfluxdbClient;
  readonly #probe: ServerProbe;
  readonly #serverUrl: string | undefined;
  readonly #newestRows: NewestRowsReader;
  readonly #tables = createTableMemory(createKept());
  readonly #jobRanges: JobRangeMemory = createKept(MAX_RANGE_CHARACTERS);
  readonly #describedJobs: DescribedJobs = createKept(MAX_RANGE_CHARACTERS);
  readonly #answered: AnsweredQuestions = createKept(MAX_RANGE_CHARACTERS);
  readonly #ranges = createRangeMemory();
  readonly #leftRuns: LeftRuns<readonly DataFrame[]> = createLeftRuns(() => performance.now());
  readonly #templates: TemplateSource;
  readonly #hasOtherWriters: boolean;

  constructor(
    settings: DataSourceInstanceSettings<JoblensOptions>,
    backendSrv: Pick<BackendSrv, 'fetch'> = getBackendSrv(),
    templates: TemplateSource = getTemplateSrv()
  ) {
    super(settings);
    this.#templates = templates;
    const { database, auth, otherWriters } = settings.jsonData;
    this.#hasOtherWriters = otherWriters === true;
    this.database = database === undefined || database === '' ? DEFAULT_DATABASE : database;
    this.#serverUrl = settings.jsonData.url;
    const isTokenRoute = auth === 'token';
    const connection = { url: settings.url ?? '', database: this.database, isTokenRoute };
    this.#connect = () => createInfluxdbClient(backendSrv, connection);
    this.#probe = createServerProbe(backendSrv, connection, auth === 'basic' || auth === 'token');
    this.#client = this.#connect();
    this.#newestRows = createNewestRowsReader(this.#client);
  }

  override query(request: DataQueryRequest<JoblensQuery>): Observable<DataQueryResponse> {
    return request.liveStreaming === true ? queryLive(request, (now) => this.#run(now)) : this.#run(request);
  }

  #run(request: DataQueryRequest<JoblensQuery>): Observable<DataQueryResponse> {
    const range = this.#ranges.recall(request.range);
    const outcomes = request.targets
      .filter((query) => this.filterQuery(query))
      .map((query) => this.#runOne(query, { ...request, range }));
    return outcomes.length === 0 ? of({ data: [] }) : combineLatest(outcomes).pipe(map(createResponse));
  }

  #runOne(query: JoblensQuery, request: DataQueryRequest<JoblensQuery>): Observable<QueryOutcome> {
    const { range, scopedVars } = request;
    return defer(() => {
      const filters = [...(query.filters ?? []), ...readAdHocFilters(request, this.#templates, this.name)];
      const type = requireQueryType(query);
      const start = (): ReturnType<QueryType['run']> =>
        type.run(query, {
          client: filterClient(this.#client, filters),
          newestRows: filterNewestRows(this.#newestRows, filters),
          tables: filterTableMemory(this.#tables, filters),
          jobRanges: this.#jobRanges,
          describedJobs: filterKept(this.#describedJobs, filters),
          answered: filterKept(this.#answered, filters),
          templates: this.#templates,
          scopedVars,
          fromNs: toNs(range.from.valueOf()),
          toNs: toNs(range.to.valueOf()),
          isOpen: range.raw.to === 'now',
          nowMs: Date.now(),
          monotonicMs: performance.now(),
          // Grafana sets it to the panel's width unless the panel's query options do.
          widthPx: request.maxDataPoints,
          hasOtherWriters: this.#hasOtherWriters,
        });
      const filled = this.#templates.replace(JSON.stringify(query), scopedVars);
      return this.#leftRuns(formatQuestion(filled, filters, request), start);
    }).pipe(
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
    // A client of its own, which asks anew what was asked a moment ago.
    return checkHealth(this.#connect(), { database: this.database, serverUrl: this.#serverUrl }, this.#probe);
  }

  async findNames(request: NamesRequest, scopedVars: ScopedVars = {}): Promise<FoundNames> {
    const values = (text: string | undefined) => interpolateValues(text, scopedVars, this.#templates);
    const { query: kind, job, user, series, search, range } = request;
    const asked = {
      ...{ kind, job: values(job), user: values(user), search: search ?? '' },
      ...(series === undefined ? {} : { series: values(series) }),
      ...chooseNamesRange(range, Date.now()),
    };
    const [client, hasOtherWriters] = [this.#client, this.#hasOtherWriters];
    return findNames(asked, { client, monotonicMs: performance.now(), hasOtherWriters });
  }

  override async metricFindQuery(query: unknown, options?: LegacyMetricFindQueryOptions): Promise<MetricFindValue[]> {
    const { range, searchFilter } = options ?? {};
    const request = { ...parseVariableQuery(query), range, search: searchFilter };
    const { names } = await this.findNames(request, options?.scopedVars);
    return names.map((name) => ({ text: name, value: name }));
  }

  override getTagKeys(): Promise<MetricFindValue[]> {
    return Promise.resolve(listFilterKeys());
  }

  override getTagValues(request: TagValuesRequest): Promise<MetricFindValue[]> {
    const timeRange = request.timeRange ?? readDashboardRange(this.#templates, Date.now());
    return listFilterValues(this.#client, { ...request, timeRange });
  }

  override modifyQuery<Q extends JoblensQuery>(query: Q, action: QueryFixAction): Q {
    return modifyQuery(query, action);
  }

  override importQueries(queries: DataQuery[], origin: { readonly type: string }): Promise<JoblensQuery[]> {
    return Promise.resolve(importQueries(queries, origin.type));
  }

  importFromAbstractQueries(queries: AbstractQuery[]): Promise<JoblensQuery[]> {
    return Promise.resolve(queries.map(importAbstractQuery));
  }

  getLogRowContext(row: LogRowModel, options: ContextOptions = {}): Promise<DataQueryResponse> {
    return getLogContext(this.#client, row, options);
  }

  showContextToggle(row?: LogRowModel): boolean {
    return hasLogContext(row);
  }

  getSupportedSupplementaryQueryTypes(): SupplementaryQueryType[] {
    return [SupplementaryQueryType.LogsVolume];
  }

  getSupplementaryQuery(
    type: SupplementaryQueryType | { readonly type: SupplementaryQueryType },
    query: JoblensQuery
  ): JoblensQuery | undefined {
    return createVolumeQuery(type, query);
  }

  getSupplementaryRequest(
    type: SupplementaryQueryType,
    request: DataQueryRequest<JoblensQuery>
  ): DataQueryRequest<JoblensQuery> | undefined {
    return createVolumeRequest(type, request);
  }

  /** Grafana before 10.4 asks for the answer itself. */
  getDataProvider(
    type: SupplementaryQueryType,
    request: DataQueryRequest<JoblensQuery>
  ): Observable<DataQueryResponse> | undefined {
    const asked = createVolumeRequest(type, request);
    return asked && markVolume(this.query(asked), request, this.name);
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

/** What is asked, but for the clock: `now-1h` to `now` is the same question a moment later. */
function formatQuestion(
  filled: string,
  filters: readonly unknown[],
  { range, maxDataPoints }: DataQueryRequest<JoblensQuery>
): string {
  const { from, to } = readTypedRange(range);
  return JSON.stringify([filled, filters, from.valueOf(), to.valueOf(), maxDataPoints]);
}

/** A range as it was typed; plugins that ask by themselves often give its times alone. */
function readTypedRange({ from, to, raw = { from, to } }: Omit<TimeRange, 'raw'> & Partial<TimeRange>): RawTimeRange {
  return raw;
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
  // Grafana draws no part of an answer that is still `Loading`.
  const state = data.some(isLoadingFrame) ? { state: LoadingState.Streaming } : {};
  return first === undefined ? { data, ...state } : { data, ...state, errors, error: first };
}

function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
