import { escapeRegex } from '../../words/escape-regex.js';
import { createMeasurement, createOr, createRef, freezeNode } from '../../influxql/build.js';
import type { Condition, Source } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  type TimeSelection,
} from '../reading/selection.js';

/** Which spans count: all parts that are given must hold; of a list, any. */
export interface SpanFilter {
  readonly job?: NameSelection;
  readonly user?: NameSelection;
  readonly category?: NameSelection;
  readonly worker?: NameSelection;
  /** In the name, in any case. */
  readonly text?: string | undefined;
}

export const SPANS: readonly Source[] = [createMeasurement(MEASUREMENT.span)];

/** The conditions on tags, which spans and their levels share. */
export function createLaneConditions(filter: SpanFilter): ReadonlyArray<Condition | undefined> {
  return (['job', 'user', 'category', 'worker'] as const).map((tag) => createTagCondition(tag, filter[tag]));
}

/** The spans of a filter that start in a range. */
export function createSpanConditions(filter: SpanFilter, range: TimeSelection): ReadonlyArray<Condition | undefined> {
  return [...createLaneConditions(filter), createNameSearch(filter.text), ...createTimeConditions(range)];
}

function createNameSearch(text = ''): Condition | undefined {
  if (text === '') return undefined;
  const source = `(?i)${escapeRegex(text)}`;
  return createOr([freezeNode({ kind: 'match', left: createRef('name'), operator: '=~', source })]);
}
