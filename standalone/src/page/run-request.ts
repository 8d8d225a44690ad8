/* eslint-disable @typescript-eslint/no-deprecated -- older panels read `error`, newer ones `errors` */
import {
  CoreApp,
  DataTopic,
  LoadingState,
  toDataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type PanelData,
} from '@grafana/data';
import { toDataQueryError } from '@grafana/runtime';
import { catchError, defer, from, map, merge, Observable, of, share, takeUntil, timer } from 'rxjs';

/** Only a query that takes longer shows the panel's loading bar, so that quick ones do not flicker. */
const LOADING_DELAY_MS = 300;

type QueryFunction = (request: DataQueryRequest) => Observable<DataQueryResponse> | Promise<DataQueryResponse>;

/** Runs a request on a data source, and folds its answer, in one packet or many, into panel data. */
export function runRequest(
  datasource: DataSourceApi,
  request: DataQueryRequest,
  queryFunction?: QueryFunction
): Observable<PanelData> {
  const started: PanelData = { state: LoadingState.Loading, series: [], request, timeRange: request.range };
  const targets = request.targets.filter((target) => target.hide !== true && isWanted(datasource, target));
  if (targets.length === 0) return of({ ...started, state: LoadingState.Done });
  const wanted = { ...request, targets: targets.map((target) => withDefaults(datasource, target)) };

  const packets = new Map<string, DataQueryResponse>();
  const query: QueryFunction = queryFunction ?? ((asked) => datasource.query(asked));
  const answers = defer(() => toObservable(query(wanted))).pipe(
    map((packet) => {
      packets.set(packet.key ?? 'A', packet);
      return fold(started, [...packets.values()], packet.state ?? LoadingState.Done);
    }),
    catchError((error: unknown) => of(failed(started, error))),
    share()
  );
  const loading = timer(LOADING_DELAY_MS).pipe(
    map(() => started),
    takeUntil(answers)
  );
  return merge(loading, answers);
}

/** A data source with another copy of rxjs answers with that copy's observables. `from` accepts them all. */
function toObservable(
  answer: Observable<DataQueryResponse> | Promise<DataQueryResponse>
): Observable<DataQueryResponse> {
  return answer instanceof Observable ? answer : from(answer);
}

function isWanted(datasource: DataSourceApi, target: DataQueryRequest['targets'][number]): boolean {
  return datasource.filterQuery?.(target) ?? true;
}

function withDefaults<T extends DataQueryRequest['targets'][number]>(datasource: DataSourceApi, target: T): T {
  return { ...datasource.getDefaultQuery?.(CoreApp.Dashboard), ...target };
}

function fold(started: PanelData, packets: DataQueryResponse[], state: LoadingState): PanelData {
  const frames = packets.flatMap((packet) => packet.data as unknown[]).map((data) => toDataFrame(data));
  const errors = packets.flatMap((packet) => packet.errors ?? []);
  return {
    ...started,
    state: errors.length > 0 ? LoadingState.Error : state,
    series: frames.filter((frame) => frame.meta?.dataTopic !== DataTopic.Annotations),
    annotations: frames.filter((frame) => frame.meta?.dataTopic === DataTopic.Annotations),
    ...(errors.length > 0 ? { errors, error: errors[0] } : {}),
  };
}

function failed(started: PanelData, thrown: unknown): PanelData {
  const error = toDataQueryError(thrown);
  return { ...started, state: LoadingState.Error, errors: [error], error };
}
