import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import type { WaitBin } from '@joblens/core/analytics/queue-waits';
import type { Usage } from '@joblens/core/analytics/usage';
import { isWastedState } from '@joblens/core/words/states';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { STATE_MAPPINGS } from '../../frames/state-kind.js';

interface FrameParts {
  readonly refId: string;
  readonly name: string;
  readonly notices: readonly string[];
  readonly executedQuery: string;
}

function createMeta({ notices, executedQuery }: FrameParts) {
  return {
    executedQueryString: executedQuery,
    custom: createCustomMeta({ kind: 'analytics' }),
    notices: notices.map(createNotice),
  };
}

interface Row {
  readonly timeMs: number;
  /** Undefined where there is none. */
  readonly bin: WaitBin | undefined;
}

const WAIT_STYLE = { lineInterpolation: 'stepAfter', showPoints: 'never' };

/** The median wait of each bin, what nine in ten do not exceed, and the longest. Times without waits are gaps. */
export function createWaitsFrame(parts: FrameParts, bins: readonly WaitBin[]): DataFrame {
  const rows = bins.flatMap((bin, index): readonly Row[] => {
    const isLast = bins[index + 1]?.fromMs !== bin.toMs;
    // A bin has a length: its value holds up to just before what follows it.
    const end: readonly Row[] = isLast
      ? [
          { timeMs: bin.toMs - 1, bin },
          { timeMs: bin.toMs, bin: undefined },
        ]
      : [];
    return [{ timeMs: bin.fromMs, bin }, ...end];
  });
  const field = (name: string, read: (bin: WaitBin) => number, config = {}) => ({
    name,
    type: FieldType.number,
    values: rows.map(({ bin }) => (bin === undefined ? null : read(bin))),
    config: { min: 0, custom: WAIT_STYLE, ...config },
  });
  return toDataFrame({
    ...{ refId: parts.refId, name: parts.name },
    meta: { ...createMeta(parts), preferredVisualisationType: 'graph' },
    fields: [
      { name: 'time', type: FieldType.time, values: rows.map(({ timeMs }) => timeMs), config: {} },
      field('median', ({ medianS }) => medianS, { unit: 's' }),
      field('90 %', ({ p90S }) => p90S, { unit: 's' }),
      field('longest', ({ maxS }) => maxS, { unit: 's' }),
    ],
  });
}

/** One row for each user, account and state, the most node hours first. */
export function createUsageFrame(parts: FrameParts, usage: readonly Usage[]): DataFrame {
  const text = (name: string, read: (row: Usage) => string | null, config = {}) => ({
    name,
    type: FieldType.string,
    values: usage.map(read),
    config,
  });
  const number = (name: string, read: (row: Usage) => number, config = {}) => ({
    name,
    type: FieldType.number,
    values: usage.map(read),
    config,
  });
  const hours = { decimals: 1 };
  return toDataFrame({
    ...{ refId: parts.refId, name: parts.name },
    meta: { ...createMeta(parts), preferredVisualisationType: 'table' },
    fields: [
      text('user', ({ user }) => user),
      text('account', ({ account }) => account ?? null),
      text('state', ({ state }) => state, { mappings: STATE_MAPPINGS }),
      number('runs', ({ runs }) => runs),
      number('node_hours', ({ nodeHours }) => nodeHours, hours),
      number('core_hours', ({ coreHours }) => coreHours, hours),
      number('gpu_hours', ({ gpuHours }) => gpuHours, hours),
      number('job_hours', ({ jobHours }) => jobHours, hours),
      number('wasted_node_hours', (row) => (isWastedState(row.state) ? row.nodeHours : 0), hours),
    ],
  });
}
