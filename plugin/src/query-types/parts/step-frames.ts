import { type DataFrame, type FieldConfig, FieldType, toDataFrame } from '@grafana/data';
import type { Steps } from '@joblens/core/analytics/steps';
import { createCustomMeta } from '../../frames/frame-meta.js';

/** A curve of a frame. */
export interface StepColumn {
  readonly name: string;
  readonly steps: Steps;
  readonly config?: FieldConfig;
}

interface StepAnswer {
  readonly refId: string;
  readonly name: string;
  readonly columns: readonly StepColumn[];
  readonly notices?: readonly string[];
  readonly executedQuery: string;
}

const STEP_STYLE = { lineInterpolation: 'stepAfter', showPoints: 'never' };

/** Curves on the times of all of them: each value holds until the next row. */
export function createStepFrame({ refId, name, columns, notices = [], executedQuery }: StepAnswer): DataFrame {
  const timesMs = [...new Set(columns.flatMap(({ steps }) => steps.timesMs))].sort((a, b) => a - b);
  return toDataFrame({
    refId,
    name,
    meta: {
      preferredVisualisationType: 'graph',
      executedQueryString: executedQuery,
      custom: createCustomMeta({ kind: 'analytics' }),
      notices: notices.map((text) => ({ severity: 'info' as const, text })),
    },
    fields: [
      { name: 'time', type: FieldType.time, values: timesMs, config: {} },
      ...columns.map(({ name: title, steps, config = {} }) => ({
        name: title,
        type: FieldType.number,
        values: spread(steps, timesMs),
        config: { ...config, custom: { ...STEP_STYLE, ...(config.custom as object | undefined) } },
      })),
    ],
  });
}

/** The value of the curve at each of these rising times; 0 before its first step. */
function spread({ timesMs: own, values }: Steps, timesMs: readonly number[]): number[] {
  let [at, value] = [0, 0];
  return timesMs.map((timeMs) => {
    for (; (own[at] ?? Infinity) <= timeMs; at += 1) value = values[at] ?? value;
    return value;
  });
}
