import React from 'react';
import { GraphPane, type GraphPaneProps } from './GraphPane.js';
import type { GraphModel } from './graphs.js';

interface GraphViewProps extends Omit<GraphPaneProps, 'graph'> {
  readonly graphs: readonly GraphModel[];
}

/** Below this height a graph shows no shape any more: the view scrolls instead. */
const MIN_GRAPH_HEIGHT_PX = 200;
const SCROLLBAR_PX = 14;

/** One graph for each X key, below each other. */
export function GraphView({ graphs, width, height, ...shared }: GraphViewProps): React.ReactElement {
  const share = Math.floor(height / graphs.length);
  const needsScroll = graphs.length > 1 && share < MIN_GRAPH_HEIGHT_PX;
  const graphHeight = needsScroll ? Math.min(height, MIN_GRAPH_HEIGHT_PX) : share;
  return (
    <div style={{ width, height, overflowX: 'hidden', overflowY: needsScroll ? 'auto' : 'hidden' }}>
      {graphs.map((graph) => (
        <GraphPane
          key={graph.xKey === undefined ? 'time' : `key:${graph.xKey}`}
          graph={graph}
          width={needsScroll ? width - SCROLLBAR_PX : width}
          height={graphHeight}
          {...shared}
        />
      ))}
    </div>
  );
}
