import {
  type AnnotationEvent,
  type AnnotationQuery,
  type AnnotationSupport,
  CoreApp,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type DataSourceInstanceSettings,
  dateTime,
  FieldType,
  type LogRowModel,
  type MetricFindValue,
  type ScopedVars,
  type SupplementaryQueryType,
  type TimeRange,
} from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { from, lastValueFrom, map, type Observable } from 'rxjs';

/**
 * Calls a data source plugin as Grafana 9.5.0 does, so that a contract which only later versions keep is not relied on.
 * Each function names the source in grafana/grafana (v9.5.0) that it follows, in calls, arguments and what is missing.
 */

/** Data sources and their parts have types of 13 here; 9.5 gives them less. */
type AnyDataSource = DataSourceApi<DataQuery>;
type Query = DataQuery & Readonly<Record<string, unknown>>;
type QueryFunction = (
  request: DataQueryRequest<DataQuery>
) => Promise<DataQueryResponse> | Observable<DataQueryResponse>;

/** packages/grafana-data/src/vector/ArrayVector.ts: no array, no index, only these. */
export class Vector95<T> {
  readonly #values: readonly T[];

  constructor(values: readonly T[]) {
    this.#values = values;
  }

  get length(): number {
    return this.#values.length;
  }
  get(index: number): T | undefined {
    return this.#values[index];
  }
  toArray(): T[] {
    return [...this.#values];
  }
  toJSON(): T[] {
    return this.toArray();
  }
}

/** packages/grafana-data/src/dataframe/processDataFrame.ts: in 9.5, toDataFrame gives every field a Vector. */
export function toVectorFrame(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((field) => ({
    ...field,
    values: new Vector95(field.values) as unknown as unknown[],
  }));
  return { ...frame, fields };
}

/** Explore's state is Redux state: immer freezes it to the bottom. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

interface DataSourceClass<DS> {
  new (settings: DataSourceInstanceSettings<never>, ...injected: never[]): DS;
  readonly length: number;
}

/** features/plugins/datasource_srv.ts, loadDatasource: a class with several parameters goes to Angular's injector. */
export function instantiate<DS>(Class: DataSourceClass<DS>, settings: DataSourceInstanceSettings<never>): DS {
  if (Class.length !== 1)
    throw new Error(`Grafana 9.5 takes a constructor with ${Class.length} parameters for Angular`);
  return new Class(settings);
}

export function createRange(fromMs: number, toMs: number, raw?: TimeRange['raw']): TimeRange {
  const [begin, end] = [dateTime(fromMs), dateTime(toMs)];
  return { from: begin, to: end, raw: raw ?? { from: begin, to: end } };
}

/** features/query/state/runRequest.ts, callQueryMethod: the function is called without its object. */
function callQueryMethod(
  dataSource: AnyDataSource,
  request: DataQueryRequest<DataQuery>,
  queryFunction?: QueryFunction
): Observable<DataQueryResponse> {
  const targets = request.targets.map((target) =>
    isEmptyQuery(target) ? { ...dataSource.getDefaultQuery?.(CoreApp.PanelEditor), ...target } : target
  );
  const asked = deepFreezeTargets({ ...request, targets });
  return from(queryFunction === undefined ? dataSource.query(asked) : queryFunction(asked));
}

/** Times are moments, which change inside when they are formatted; the rest holds still. */
function deepFreezeTargets(request: DataQueryRequest<DataQuery>): DataQueryRequest<DataQuery> {
  deepFreeze(request.targets);
  deepFreeze(request.scopedVars);
  return Object.freeze(request);
}

/** core/utils/query.ts, queryIsEmpty */
function isEmptyQuery(query: DataQuery): boolean {
  return Object.keys(query).every((key) => ['refId', 'hide', 'key', 'queryType', 'datasource', 'label'].includes(key));
}

const INTERVAL: ScopedVars = {
  __interval: { text: '1m', value: '1m' },
  __interval_ms: { text: '60000', value: '60000' },
};

/** features/query/state/PanelQueryRunner.ts, run: no `filters` and no `app` of later versions. */
export function runPanelQueries(
  dataSource: AnyDataSource,
  queries: readonly Query[],
  range: TimeRange
): Observable<DataQueryResponse> {
  const request = {
    requestId: 'Q101',
    timezone: 'browser',
    panelId: 2,
    dashboardId: 1,
    range,
    interval: '1m',
    intervalMs: 60_000,
    targets: queries.map((query) => ({ ...query, datasource: dataSource.getRef() })),
    maxDataPoints: 800,
    scopedVars: INTERVAL,
    startTime: Date.now(),
    rangeRaw: range.raw,
  };
  return callQueryMethod(dataSource, request as unknown as DataQueryRequest<DataQuery>);
}

/** features/variables/query/VariableQueryRunner.ts and queryRunners.ts, CustomQueryRunner. */
export async function updateVariable(
  dataSource: AnyDataSource,
  savedQuery: unknown,
  range: TimeRange
): Promise<MetricFindValue[]> {
  const support = dataSource.variables as unknown as { getType(): string; query: QueryFunction };
  if (support.getType() !== 'custom') throw new Error('Grafana 9.5 would choose another runner');
  const request = {
    app: CoreApp.Dashboard,
    requestId: 'c0ffee',
    timezone: '',
    range,
    interval: '',
    intervalMs: 0,
    targets: [savedQuery],
    scopedVars: { variable: { text: 'x', value: 'x' } },
    startTime: Date.now(),
  };
  const { query } = support;
  const response = await lastValueFrom(callQueryMethod(dataSource, request as never, query));
  return toMetricFindValues(response.data as DataFrame[]);
}

/** features/variables/query/operators.ts, toMetricFindValues. */
function toMetricFindValues(frames: readonly DataFrame[]): MetricFindValue[] {
  return frames.map(toVectorFrame).flatMap((frame) => {
    const [text, value] = ['text', 'value'].map((name) => frame.fields.find((field) => field.name === name));
    if (text === undefined || value === undefined) throw new Error("Couldn't find any field of type string");
    const [texts, values] = [text, value].map((field) => (field.values as unknown as Vector95<string>).toArray());
    return (texts ?? []).map((name, index) => ({ text: name, value: values?.[index] ?? name }));
  });
}

/** features/annotations/executeAnnotationQuery.ts: own properties of the support are spread, then called alone. */
export async function executeAnnotationQuery(
  dataSource: AnyDataSource,
  saved: object,
  range: TimeRange
): Promise<AnnotationEvent[]> {
  const standard: AnnotationSupport = {
    prepareAnnotation: (json: AnnotationQuery) => json,
    prepareQuery: (annotation) => annotation.target,
    processEvents: (_annotation, frames) => from([getAnnotationsFromData(frames)]),
  };
  const processor = { ...standard, ...dataSource.annotations };
  const annotation = processor.prepareAnnotation?.({ ...processor.getDefaultQuery?.(), ...deepFreeze(saved) });
  if (annotation === undefined) return [];
  const query = processor.prepareQuery?.(annotation);
  if (query === undefined) return [];
  const request = {
    startTime: Date.now(),
    requestId: 'AQ100',
    range,
    maxDataPoints: 1280,
    scopedVars: { ...INTERVAL, __annotation: { text: annotation.name, value: annotation } },
    interval: '1m',
    intervalMs: 60_000,
    app: CoreApp.Dashboard,
    timezone: 'browser',
    targets: [{ ...query, refId: 'Anno' }],
  };
  const { data, error } = await lastValueFrom(callQueryMethod(dataSource, request as never));
  if (error !== undefined) throw new Error(error.message);
  const frames = (data as DataFrame[]).map(toVectorFrame);
  return (await lastValueFrom(processor.processEvents?.(annotation, frames) ?? from([undefined]))) ?? [];
}

/** features/annotations/standardAnnotationSupport.ts, getAnnotationsFromData, for one frame with the usual names. */
function getAnnotationsFromData([frame, ...others]: readonly DataFrame[]): AnnotationEvent[] {
  if (others.length > 0) throw new Error('Grafana 9.5 merges several frames into one, and may lose rows');
  if (frame === undefined || frame.length === 0) return [];
  const byName = new Map(frame.fields.map((field) => [field.name.toLowerCase(), field]));
  const keys = ['time', 'timeEnd', 'title', 'text', 'tags', 'id'];
  if (byName.get('time') === undefined || byName.get('text') === undefined) return [];
  return Array.from({ length: frame.length }, (_, row) => {
    const event: Record<string, unknown> = { type: 'default', color: 'red' };
    for (const key of keys) {
      const value = (byName.get(key.toLowerCase())?.values as unknown as Vector95<unknown> | undefined)?.get(row);
      if (value === null || value === undefined) continue;
      event[key] = key === 'tags' && typeof value === 'string' ? value.split(',') : value;
    }
    return event;
  });
}

/** core/utils/explore.ts, buildQueryTransaction, with the queries of Explore's frozen state. */
export function createExploreRequest(
  queries: readonly Query[],
  range: TimeRange,
  liveStreaming = false
): DataQueryRequest<DataQuery> {
  const request = {
    app: CoreApp.Explore,
    dashboardId: 0,
    timezone: 'browser',
    startTime: Date.now(),
    interval: '1m',
    intervalMs: 60_000,
    panelId: 'Q-1',
    targets: deepFreeze(queries.map((query) => ({ ...query }))),
    range,
    requestId: 'explore_left',
    rangeRaw: range.raw,
    scopedVars: INTERVAL,
    maxDataPoints: 1000,
    liveStreaming,
  };
  return request as unknown as DataQueryRequest<DataQuery>;
}

export function runExplore(
  dataSource: AnyDataSource,
  request: DataQueryRequest<DataQuery>
): Observable<DataQueryResponse> {
  return callQueryMethod(dataSource, request);
}

interface SupplementarySource {
  getDataProvider?: (
    type: SupplementaryQueryType,
    request: DataQueryRequest<DataQuery>
  ) => Observable<DataQueryResponse> | undefined;
  getSupplementaryQuery?: unknown;
  getSupportedSupplementaryQueryTypes?: () => SupplementaryQueryType[];
}

/** features/explore/state/supplementaryQueries.ts, and hasSupplementaryQuerySupport of packages/grafana-data. */
export function getSupplementaryQueryProvider(
  dataSource: AnyDataSource,
  type: SupplementaryQueryType,
  request: DataQueryRequest<DataQuery>
): Observable<DataQueryResponse> | undefined {
  const source = dataSource as unknown as SupplementarySource;
  if (source.getDataProvider === undefined || source.getSupplementaryQuery === undefined) return undefined;
  if (source.getSupportedSupplementaryQueryTypes?.().includes(type) !== true) return undefined;
  return source.getDataProvider(type, { ...request, requestId: `${request.requestId}_logs_volume` });
}

interface ContextSource {
  getLogRowContext?: (row: LogRowModel, options: object, query?: DataQuery) => Promise<DataQueryResponse>;
  showContextToggle?: (row?: LogRowModel) => boolean;
}

/** core/logsModel.ts, logSeriesToLogsModel, of a frame with Vectors: the parts of a row that a data source sees. */
export function createLogRow(frame: DataFrame, rowIndex: number): LogRowModel {
  const read = (name: string): unknown =>
    (frame.fields.find((field) => field.name === name)?.values as unknown as Vector95<unknown> | undefined)?.get(
      rowIndex
    );
  const firstOf = (type: FieldType): string => frame.fields.find((field) => field.type === type)?.name ?? '';
  const timeEpochMs = Number(read(firstOf(FieldType.time)));
  const entry = String(read(firstOf(FieldType.string)));
  return {
    ...{ rowIndex, dataFrame: frame, timeEpochMs, entry, raw: entry, labels: {}, uniqueLabels: {} },
    timeEpochNs: (read('tsNs') as string | undefined) ?? `${timeEpochMs}000000`,
    uid: (read('id') as string | undefined) ?? String(rowIndex),
  } as unknown as LogRowModel;
}

/** features/explore/LogsContainer.tsx and features/logs/components/LogRowContextProvider.tsx, getRowContexts. */
export async function getRowContexts(
  dataSource: AnyDataSource,
  row: LogRowModel,
  query: Query | undefined,
  limit: number
): Promise<{ readonly before: unknown[]; readonly after: unknown[] }> {
  const source = dataSource as unknown as ContextSource;
  if (source.getLogRowContext === undefined || source.showContextToggle === undefined) throw new Error('No context');
  if (!source.showContextToggle(row)) throw new Error('No context for this row');
  const [before, after] = await Promise.all([
    source.getLogRowContext(row, { limit }, deepFreeze(query)),
    source.getLogRowContext(row, { limit: limit + 1, direction: 'FORWARD' }, deepFreeze(query)),
  ]);
  const list = (response: DataQueryResponse): unknown[] =>
    (response.data as DataFrame[]).map(toVectorFrame).flatMap((frame) => {
      const read = (name: string): Vector95<unknown> => {
        const field = frame.fields.find((candidate) => candidate.name === name);
        if (field === undefined) throw new Error(`Grafana 9.5 reads the field "${name}" of context rows`);
        return field.values as unknown as Vector95<unknown>;
      };
      const [times, ids, lines] = [read('ts'), read('id'), read('line')];
      const rows = Array.from({ length: times.length }, (_, index) => index).filter(
        (index) => ids.get(index) !== row.uid
      );
      return rows.slice(0, limit).map((index) => lines.get(index));
    });
  return { before: list(before), after: list(after) };
}

/** features/explore/Explore.tsx, onModifyQueries: what a click on a label of a log line does. */
export function modifyQuery(
  dataSource: AnyDataSource,
  query: Query,
  type: string,
  key: string,
  value: string
): DataQuery {
  return dataSource.modifyQuery?.(deepFreeze({ ...query }), { type, options: { key, value } }) ?? query;
}

/** features/query/state/updateQueries.ts: the answer must be the caller's to change. */
export async function importQueries(
  dataSource: AnyDataSource,
  queries: readonly Query[],
  origin: { readonly type: string; readonly exportToAbstractQueries?: unknown }
): Promise<DataQuery[]> {
  const imported = await dataSource.importQueries?.(deepFreeze([...queries]), origin as unknown as AnyDataSource);
  return (imported ?? []).map((query) => {
    query.datasource = dataSource.getRef();
    return query;
  });
}

/** features/variables/adhoc/picker: keys are asked for with no options, values with the key alone. */
export async function listAdHocChoices(
  dataSource: AnyDataSource,
  key: string
): Promise<{ readonly keys: string[]; readonly values: string[] }> {
  const names = (found: unknown): string[] => (found as MetricFindValue[]).map(({ text }) => text);
  const keys = await (dataSource.getTagKeys as ((options?: object) => Promise<unknown>) | undefined)?.call(dataSource);
  const values = await dataSource.getTagValues?.({ key } as never);
  return { keys: names(keys ?? []), values: names(values ?? []) };
}

/** The frames of the last answer, as panels of 9.5 get them. */
export async function readFrames(answers: Observable<DataQueryResponse>): Promise<DataFrame[]> {
  return lastValueFrom(answers.pipe(map(({ data }) => (data as DataFrame[]).map(toVectorFrame))));
}
