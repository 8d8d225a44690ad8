import type { DataFrame } from '@grafana/data';
import { formatCount } from '@joblens/core/words/counts';
import React, { useCallback, useMemo } from 'react';
import { isSpansFrame } from '../frames/frame-meta.js';
import { readAnnotations } from './graph/model/lines/annotations.js';
import { Facts, measureFacts } from './graph/components/Facts.js';
import { listFacts } from './graph/model/lines/facts.js';
import { createGraphs } from './graph/model/lines/graphs.js';
import { groupRuns } from './graph/model/lines/run-groups.js';
import { GraphView } from './graph/components/GraphView.js';
import { addGraphFieldOptions, addGraphOptions } from './graph/components/option-fields.js';
import type { Extent } from './graph/model/scales/scale.js';
import {
  createSettings,
  readGraphOptions,
  type GraphOptions,
  type GraphSettings,
} from './graph/model/panes/settings.js';
import { formatXWish, readXWish } from './graph/model/lines/x-choice.js';
import { useZoomedTables } from './graph/model/lines/zoomed-tables.js';
import { type Emptiness, EmptyState } from './parts/components/EmptyState.js';
import { useKeptState } from './parts/hooks/kept-state.js';
import { useSame } from './parts/hooks/use-same.js';
import { createTables, NO_ROWS, type PanelTable, QUESTION_TYPES, STORED_ROWS } from './parts/components/tables.js';
import { createView, type ViewProps } from './view.js';

interface GraphProps extends ViewProps {
  readonly model: readonly PanelTable[];
  readonly options: GraphOptions;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** Says no more than was looked at: the rows of an answer may be a part of those in the time range. */
function explainNoGraph(tables: readonly PanelTable[]): Emptiness {
  const drawable = tables.filter(({ kind }) => kind !== 'jobs');
  if (drawable.length === 0) return { title: 'No graph', hint: 'A list of jobs is a table, which other views show.' };
  const rows = drawable.reduce((sum, { rowCount, folded }) => sum + (folded?.rows ?? rowCount), 0);
  const looked = rows === 1 ? 'The row that was read has' : `The ${formatCount(rows)} rows that were read have`;
  return { title: 'No numbers to draw', hint: `${looked} no finite number. The table view shows what is there.` };
}

function Graph(props: GraphProps): React.ReactElement {
  const { model, options, onTimeRange, replaceVariables, ask, annotations: annotationFrames, ...place } = props;
  const xOption = replaceVariables(options.x);
  const wishOfOptions = useMemo(() => readXWish(xOption), [xOption]);
  const [wish, onWish] = useKeptState('graph.x', xOption, wishOfOptions);
  const [hidden, onHidden] = useKeptState('graph.hidden', '', NOTHING_HIDDEN);
  const settingsKey = JSON.stringify(createSettings(options, replaceVariables));
  const settingsOfOptions = useMemo(() => JSON.parse(settingsKey) as GraphSettings, [settingsKey]);
  const [settings, setSettings] = useKeptState('graph.settings', settingsKey, settingsOfOptions);
  const { tables, onZoom } = useZoomedTables(model, ask, `${place.jobKey} ${formatXWish(wish)}`);
  const graphs = useMemo(() => createGraphs(tables, wish), [tables, wish]);
  const drawn = useMemo(() => groupRuns(graphs, settings.runs), [graphs, settings.runs]);
  // They come anew with each refresh, and on their own.
  const annotations = useSame(useMemo(() => readAnnotations(annotationFrames), [annotationFrames]));
  const onRange = useCallback(({ min, max }: Extent) => onTimeRange({ from: min, to: max }), [onTimeRange]);
  const facts = useMemo(() => listFacts(tables, graphs), [tables, graphs]);
  const factsPx = measureFacts(facts, place.width);
  if (graphs.length === 0) {
    return facts.length > 0 ? (
      <Facts rows={facts} heightPx={place.height} />
    ) : (
      <EmptyState {...explainNoGraph(tables)} />
    );
  }
  return (
    <>
      {facts.length > 0 && <Facts rows={facts} heightPx={factsPx} />}
      <GraphView
        {...place}
        {...{ wish, onWish, hidden, onHidden, settings, annotations }}
        graphs={drawn}
        onZoom={(graph, range) => onZoom(graphs.find(({ id }) => id === graph.id) ?? graph, range)}
        height={place.height - factsPx}
        onSettings={(changes) => setSettings({ ...settings, ...changes })}
        onTimeRange={onRange}
      />
    </>
  );
}

/** Spans have a view of their own: their durations are no lines. */
function createGraphTables(frames: readonly DataFrame[]): readonly PanelTable[] {
  return createTables(frames.filter((frame) => !isSpansFrame(frame)));
}

/** Every numeric column against the X axis that fits. */
export const graph = createView<readonly PanelTable[], GraphOptions>({
  title: 'Graph',
  // It holds a legend.
  heightShare: 4,
  needs: { queryType: 'metadata', label: 'Metadata', others: QUESTION_TYPES },
  drawn: 'frames with a time or a number',
  emptiness: NO_ROWS,
  stored: STORED_ROWS,
  readOptions: readGraphOptions,
  addOptions: addGraphOptions,
  addFieldOptions: addGraphFieldOptions,
  createModel: createGraphTables,
  isEmpty: (tables) => tables.every(({ rowCount }) => rowCount === 0),
  Component: Graph,
});
