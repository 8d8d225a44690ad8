import type { GroupBy } from '@joblens/core/influxql/nodes';
import type { Field } from '../kept/field.js';
import type { GroupedSeries, SelectContext } from './select-groups.js';
import type { AggregatePlan, CallColumn, RefColumn } from './select-plan.js';

export interface Call {
  readonly column: CallColumn;
  /** Undefined when no selected series has it. */
  readonly field: Field | undefined;
}

export interface AggregateQuery {
  readonly plan: AggregatePlan;
  readonly grouped: GroupedSeries;
  readonly context: SelectContext;
  readonly calls: readonly Call[];
  readonly refs: readonly RefColumn[];
  readonly fill: NonNullable<GroupBy['fill']>;
}
