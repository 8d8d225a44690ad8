import { LoadingState, type PanelData } from '@grafana/data';
import type { ViewName } from '../options.js';

export interface Emptiness {
  readonly title: string;
  readonly hint: string;
}

const QUERY_TYPE: Readonly<Record<ViewName, 'metadata' | 'logs'>> = {
  graph: 'metadata',
  table: 'metadata',
  log: 'logs',
};

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
export function explainEmptiness(view: ViewName, data: PanelData): Emptiness {
  const wanted = QUERY_TYPE[view];
  const queryTypes = readQueryTypes(data);
  if (isLoading(data)) return { title: 'Loading …', hint: '' };
  if (data.state === LoadingState.Error) {
    return { title: 'The query failed', hint: data.error?.message ?? 'The panel header says why.' };
  }
  if (queryTypes.length > 0 && !queryTypes.includes(wanted) && !queryTypes.includes('influxql')) {
    const title = wanted === 'logs' ? 'No query for logs' : 'No query for metadata';
    const name = wanted === 'logs' ? 'Logs' : 'Metadata';
    return {
      title,
      hint: `This view draws queries of the type ${name}. Add one in the panel's editor, or take the view out of its options.`,
    };
  }
  if (wanted === 'logs') {
    return {
      title: 'No log lines in this time range',
      hint: 'The job printed nothing in it, or its owner did not opt in to logging. A wider time range may show more.',
    };
  }
  return {
    title: 'No metadata in this time range',
    hint: 'Metadata is a line of standard output that is one JSON object and nothing else. The job printed none in this range; a wider one may show more.',
  };
}

export const NO_NUMBERS: Emptiness = {
  title: 'No numbers to draw',
  hint: 'The rows in this time range hold text alone. The table view shows them.',
};
