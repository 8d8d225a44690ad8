import { LoadingState, type PanelData } from '@grafana/data';
import type { QueryTypeName } from '../registry/registry.js';
import type { Emptiness } from '../views/parts/EmptyState.js';
import type { View } from '../views/view.js';

/** InfluxQL may be meant for any view. */
const ANY_VIEW: QueryTypeName = 'influxql';

function readQueryTypes(data: PanelData): readonly string[] {
  const targets = (data.request?.targets ?? []) as readonly { readonly queryType?: unknown; readonly hide?: boolean }[];
  return targets
    .filter((target) => target.hide !== true)
    .map((target) => target.queryType)
    .filter((queryType) => typeof queryType === 'string');
}

function isLoading(data: PanelData): boolean {
  return data.state === LoadingState.Loading || data.state === LoadingState.NotStarted;
}

/** Why a view has nothing to show, as far as the panel can tell, and what to do about it. */
export function explainEmptiness({ needs, emptiness }: View, data: PanelData): Emptiness {
  const queryTypes = readQueryTypes(data);
  if (isLoading(data)) return { title: 'Loading …', hint: '' };
  if (data.state === LoadingState.Error) {
    return { title: 'The query failed', hint: data.error?.message ?? 'The panel header says why.' };
  }
  if (queryTypes.length > 0 && !queryTypes.includes(needs.queryType) && !queryTypes.includes(ANY_VIEW)) {
    return {
      title: `No query for ${needs.label.toLowerCase()}`,
      hint: `This view draws queries of the type ${needs.label}. Add one in the panel's editor, or take the view out of its options.`,
    };
  }
  return emptiness;
}
