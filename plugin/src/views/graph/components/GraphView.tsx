import React, { useMemo, useRef } from 'react';
import { GraphSection, type GraphSectionProps } from './GraphSection.js';
import type { GraphModel } from '../model/lines/graphs.js';
import { isScrolled, planSections, type PickMemory } from '../model/panes/section-plan.js';

interface GraphViewProps extends Omit<GraphSectionProps, 'plan' | 'hasControls'> {
  readonly graphs: readonly GraphModel[];
  readonly width: number;
  readonly height: number;
}

/** The graphs of each X, below each other. */
export function GraphView({ graphs, width, height, ...shared }: GraphViewProps): React.ReactElement {
  const memory = useRef<PickMemory>(new Map()).current;
  const { settings, hidden } = shared;
  const plans = useMemo(
    () => planSections({ graphs, settings, hidden, width, height }, memory),
    [graphs, settings, hidden, width, height, memory]
  );
  return (
    <div style={{ width, height, overflowX: 'hidden', overflowY: isScrolled(plans, height) ? 'auto' : 'hidden' }}>
      {plans.map((plan, index) => (
        <GraphSection key={plan.graph.id} plan={plan} hasControls={index === 0} {...shared} />
      ))}
    </div>
  );
}
