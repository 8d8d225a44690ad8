import {
  applyFieldOverrides,
  type DataFrame,
  type DataFrameDTO,
  type DataQueryRequest,
  type DataQueryResponse,
  dateTime,
  type FieldConfigOptionsRegistry,
  type GrafanaTheme2,
  type PanelProps,
  toDataFrame,
  type TimeRange,
} from '@grafana/data';
import { getDataSourceSrv } from '@grafana/runtime';
import { combineLatest, defer, from, map, type Observable, switchMap } from 'rxjs';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { queryTypeNameOf } from '../registry/registry.js';
import type { Ask, AskChanges } from '../views/view.js';

export const DATA_SOURCE_TYPE = 'joblens-datasource';

type Request = DataQueryRequest<JoblensQuery>;

/** What the panel knows about itself. Some hosts do not say what they asked. */
export interface AskingPanel extends Pick<PanelProps, 'fieldConfig' | 'replaceVariables' | 'timeZone'> {
  readonly request: DataQueryRequest | undefined;
  readonly theme: GrafanaTheme2;
  /** Grafana drops an override of an option that is not in here. */
  readonly fieldConfigRegistry: FieldConfigOptionsRegistry | undefined;
}

/** Makes each question's id another one: a question does not abort the panel's own request, nor another question. */
let questions = 0;

/** The data source that queries of this type ask, the first of several; '' where the host does not say it. */
export function readSource(
  { request, replaceVariables }: Pick<AskingPanel, 'request' | 'replaceVariables'>,
  queryType: string
): string {
  const targets = (request as Request | undefined)?.targets ?? [];
  const uid = targets.find((target) => isOfType(target, queryType))?.datasource?.uid;
  return uid === undefined ? '' : replaceVariables(uid);
}

/** The way for a view of this query type to ask the panel's queries again; undefined when none of them is of it. */
export function createAsk(panel: AskingPanel, queryType: string): Ask | undefined {
  const request = panel.request as Request | undefined;
  const targets = request?.targets.filter((target) => isOfType(target, queryType)) ?? [];
  if (request === undefined || targets.length === 0) return undefined;
  return (changes) => {
    const asked = targets.filter(({ refId }) => changes.refId === undefined || refId === changes.refId);
    const requests = groupBySource(asked).map((group) => changeRequest(request, group, changes));
    return combineLatest(requests.map(queryOnce)).pipe(
      map((answers) => applyFieldOptions(answers.flatMap(readFrames), panel))
    );
  };
}

function isOfType(target: JoblensQuery, queryType: string): boolean {
  const isOurs =
    target.datasource?.type === undefined
      ? target.queryType !== undefined
      : target.datasource.type === DATA_SOURCE_TYPE;
  return isOurs && target.hide !== true && queryTypeNameOf(target) === queryType;
}

/** The queries of a mixed panel, each list for one data source. */
function groupBySource(targets: readonly JoblensQuery[]): JoblensQuery[][] {
  const groups = new Map<string | undefined, JoblensQuery[]>();
  for (const target of targets) {
    const group = groups.get(target.datasource?.uid);
    if (group === undefined) groups.set(target.datasource?.uid, [target]);
    else group.push(target);
  }
  return [...groups.values()];
}

function changeRequest(request: Request, targets: readonly JoblensQuery[], changes: AskChanges): Request {
  questions += 1;
  return {
    ...request,
    requestId: `${request.requestId}/ask-${questions}`,
    ...(changes.range !== undefined && { range: createRange(changes.range, request.range) }),
    targets: targets.map((target) => ({ ...target, ...changes.query })),
  };
}

/** An end that is that of the panel keeps its words, `now` for one: then a refresh asks the same question. */
function createRange({ from, to }: NonNullable<AskChanges['range']>, panel: TimeRange): TimeRange {
  const ends = { from: dateTime(from), to: dateTime(to) };
  const wordOf = (end: 'from' | 'to'): TimeRange['raw'][typeof end] =>
    ends[end].valueOf() === panel[end].valueOf() ? panel.raw[end] : ends[end];
  return { ...ends, raw: { from: wordOf('from'), to: wordOf('to') } };
}

/** One request to one data source. It may answer with a promise, or with an observable of another copy of rxjs. */
function queryOnce(request: Request): Observable<DataQueryResponse> {
  return defer(() => getDataSourceSrv().get(request.targets[0]?.datasource, request.scopedVars)).pipe(
    switchMap((dataSource) => from(dataSource.query(request)))
  );
}

function readFrames(answer: DataQueryResponse): DataFrame[] {
  // Older Grafana knows only the one.
  const error = answer.errors?.[0] ?? answer.error;
  if (error !== undefined) throw new Error(error.message ?? error.data?.message ?? 'The data source gave no reason.');
  return answer.data.map((frame) => toDataFrame(frame as DataFrameDTO));
}

/** Units, colours and names, as Grafana gave them to the panel's own frames. */
function applyFieldOptions(frames: DataFrame[], panel: AskingPanel): readonly DataFrame[] {
  const { fieldConfig, replaceVariables, timeZone, theme, fieldConfigRegistry } = panel;
  return applyFieldOverrides({
    ...{ data: frames, fieldConfig, replaceVariables, timeZone, theme },
    ...(fieldConfigRegistry !== undefined && { fieldConfigRegistry }),
  });
}
