import type { Stay } from './stays.js';
import { accumulateSpans, type Steps } from './steps.js';
import { type JobSize, RUNNING, type TimeWindow } from './transition.js';

/** What a running job counts: one, or its size. */
export type Weight = 'jobs' | 'nodes' | 'cpus' | 'gpus';

/** What a job of unknown size counts: it has one node and one processor at least. */
export const UNKNOWN_WEIGHT: Readonly<Record<Weight, number>> = { jobs: 1, nodes: 1, cpus: 1, gpus: 0 };

export function weigh(size: JobSize, weight: Weight): number {
  return (weight === 'jobs' ? 1 : size[weight]) ?? UNKNOWN_WEIGHT[weight];
}

/** The running jobs at each instant, weighted; Balsam's utilization_report, without its errors (docs/analytics.md). */
export function countRunning(stays: readonly Stay[], window: TimeWindow, weight: Weight = 'nodes'): Steps {
  const running = stays.filter(({ state }) => state === RUNNING);
  return accumulateSpans(
    running.map(({ fromMs, toMs, ...size }) => ({ fromMs, toMs, amount: weigh(size, weight) })),
    window
  );
}

/** Nodes that were there for a while; without an end, they still are. */
export interface Allocation {
  readonly fromMs: number;
  readonly toMs?: number;
  readonly nodes: number;
}

/** The allocated nodes at each instant; Balsam's available_nodes, with those whose end is not known yet. */
export function countNodes(allocations: readonly Allocation[], window: TimeWindow): Steps {
  return accumulateSpans(
    allocations.map(({ fromMs, toMs, nodes }) => ({ fromMs, toMs, amount: nodes })),
    window
  );
}
