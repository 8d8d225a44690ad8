import { LoadingState, type PanelData } from '@grafana/data';
import type { QueryTypeName } from '../registry/registry.js';
import type { Emptiness, LinkWay } from '../views/parts/components/EmptyState.js';
import type { View } from '../views/view.js';
import { DATA_SOURCE_TYPE } from './ask.js';

/** InfluxQL may be meant for any view. */
const ANY_VIEW: QueryTypeName = 'influxql';

/** For questions that filters narrow. */
const NOTHING_FOUND: Emptiness = {
  title: 'Nothing in this time range',
  hint: 'A wider time range, or fewer filters, may show more.',
};

function readQueryTypes(data: PanelData): readonly string[] {
  const targets = (data.request?.targets ?? []) as readonly { readonly queryType?: unknown; readonly hide?: boolean }[];
  return targets
    .filter((target) => target.hide !== true)
    .map((target) => target.queryType)
    .filter((queryType) => typeof queryType === 'string');
}

/** Whether each query of the panel asks another data source than ours. */
function isAllForeign(data: PanelData): boolean {
  const targets = (data.request?.targets ?? []) as readonly {
    readonly datasource?: { readonly type?: string } | null;
  }[];
  const types = targets.map(({ datasource }) => datasource?.type);
  return types.length > 0 && types.every((type) => type !== undefined && type !== DATA_SOURCE_TYPE);
}

/** Nobody can ask such a data source what it has. */
function explainForeign({ title, drawn }: View): Emptiness {
  return { title: `Nothing for the view ${title} in this answer`, hint: `It draws ${drawn}; the answer has none.` };
}

function isLoading(data: PanelData): boolean {
  return data.state === LoadingState.Loading || data.state === LoadingState.NotStarted;
}

/** Faults that the settings of the data source can end: the message of the store's error names them. */
const ENDED_BY_SETTINGS = /data source settings|has no database/;

/** The store's own words are in the message. */
function explainError(message: string | undefined, settings: LinkWay | undefined): Emptiness {
  if (message === undefined) return { title: 'The query failed', hint: 'The panel header says why.' };
  const isMissing = /has no database/.test(message);
  const ways = settings !== undefined && ENDED_BY_SETTINGS.test(message) ? [settings] : [];
  return { title: isMissing ? 'The database is missing' : 'The query failed', hint: message, ways };
}

/**
 * Why a view has nothing to show, as far as the panel's answer tells; `undefined` where only the store knows more.
 * `settings` leads to those of the data source, for a viewer who may see them.
 */
export function explainAnswer(view: View, data: PanelData, settings?: LinkWay): Emptiness | undefined {
  const { needs } = view;
  const queryTypes = readQueryTypes(data);
  if (isLoading(data)) return { title: 'Loading …', hint: '', isAwaited: true };
  if (data.state === LoadingState.Error) return explainError(data.error?.message, settings);
  if (isAllForeign(data)) return explainForeign(view);
  if (queryTypes.length > 0 && !queryTypes.includes(needs.queryType) && !queryTypes.includes(ANY_VIEW)) {
    if (queryTypes.some((queryType) => needs.others?.includes(queryType))) return NOTHING_FOUND;
    return {
      title: `No query for ${needs.label.toLowerCase()}`,
      hint: `This view draws queries of the type ${needs.label}. Add one in the panel's editor, or take the view out of its options.`,
    };
  }
  return undefined;
}
