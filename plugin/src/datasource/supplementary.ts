import {
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  LoadingState,
  LogsVolumeType,
  SupplementaryQueryType,
} from '@grafana/data';
import { map, type Observable, startWith } from 'rxjs';
import type { LogsQuery } from '../query-types/logs/logs.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { type QueryTypeName, queryTypeNameOf } from '../registry/registry.js';

type VolumeQuery = LogsQuery & { queryType: QueryTypeName };
type Request = DataQueryRequest<JoblensQuery>;

/** The query for the volume of a log; `undefined` for other queries. Newer Grafana names the type in an object. */
export function createVolumeQuery(
  type: SupplementaryQueryType | { readonly type: SupplementaryQueryType },
  query: JoblensQuery
): VolumeQuery | undefined {
  const asked = typeof type === 'object' ? type.type : type;
  if (asked !== SupplementaryQueryType.LogsVolume || queryTypeNameOf(query) !== 'logs' || query.hide === true)
    return undefined;
  return { ...query, queryType: 'volume', refId: `log-volume-${query.refId}` };
}

/** The request for the volume of the logs in a request; `undefined` when it asks for none. */
export function createVolumeRequest(type: SupplementaryQueryType, request: Request): Request | undefined {
  const targets = request.targets.flatMap((query) => createVolumeQuery(type, query) ?? []);
  return targets.length === 0 ? undefined : { ...request, targets };
}

/** The answer, with the marks by which Explore knows that it covers the whole range (LogsVolumePanel.tsx of 9.5). */
export function markVolume(
  answers: Observable<DataQueryResponse>,
  { targets, range }: Request,
  dataSourceName: string
): Observable<DataQueryResponse> {
  const [sourceQuery] = targets;
  const custom = {
    targets,
    sourceQuery,
    datasourceName: dataSourceName,
    logsVolumeType: LogsVolumeType.FullRange,
    absoluteRange: { from: range.from.valueOf(), to: range.to.valueOf() },
  };
  const mark = (frame: DataFrame): DataFrame => ({ ...frame, meta: { ...frame.meta, custom } });
  return answers.pipe(
    map((answer) => ({ ...answer, data: (answer.data as DataFrame[]).map(mark), state: LoadingState.Done })),
    startWith<DataQueryResponse>({ data: [], state: LoadingState.Loading })
  );
}
