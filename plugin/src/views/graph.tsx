import React, { useMemo } from 'react';
import { createGraphs } from './graph/graphs.js';
import { GraphView } from './graph/GraphView.js';
import { readXWish } from './graph/x-choice.js';
import { EmptyState } from './parts/EmptyState.js';
import { useKeptState } from './parts/kept-state.js';
import { createTables, NO_ROWS, type PanelTable } from './parts/tables.js';
import { createView, type ViewProps } from './view.js';

interface GraphOptions {
  /** `auto`, `time`, or the name of a column. */
  readonly x: string;
}

interface GraphProps extends ViewProps {
  readonly model: readonly PanelTable[];
  readonly options: GraphOptions;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

function Graph({ model: tables, options, onTimeRange, ...place }: GraphProps): React.ReactElement {
  const wishOfOptions = useMemo(() => readXWish(options.x), [options.x]);
  const [wish, onWish] = useKeptState('graph.x', options.x, wishOfOptions);
  const [hidden, onHidden] = useKeptState('graph.hidden', '', NOTHING_HIDDEN);
  const graphs = useMemo(() => createGraphs(tables, wish), [tables, wish]);
  if (graphs.length === 0) {
    return (
      <EmptyState
        title="No numbers to draw"
        hint="The rows in this time range hold text alone. The table view shows them."
      />
    );
  }
  return (
    <GraphView
      {...place}
      {...{ graphs, wish, onWish, hidden, onHidden }}
      onTimeRange={({ min, max }) => onTimeRange({ from: min, to: max })}
    />
  );
}

/** Every numeric column against the X axis that fits. */
export const graph = createView<readonly PanelTable[], GraphOptions>({
  title: 'Graph',
  // It holds a legend.
  heightShare: 4,
  needs: { queryType: 'metadata', label: 'Metadata' },
  emptiness: NO_ROWS,
  readOptions: ({ x = '' }) => ({ x: x === '' ? 'auto' : x }),
  addOptions: (builder, defaults) =>
    builder.addTextInput({
      path: 'x',
      name: 'X axis',
      description: 'auto, time, or the name of a column. Viewers can choose another for themselves.',
      defaultValue: defaults.x,
    }),
  createModel: createTables,
  isEmpty: (tables) => tables.every(({ rowCount }) => rowCount === 0),
  Component: Graph,
});
