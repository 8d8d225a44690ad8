import { HOUR_MS } from '../numbers/time-units.js';
import { compareCodePoints } from '../point/utf8.js';
import { roundSum } from './steps.js';
import type { Stay } from './stays.js';
import { type JobSize, RUNNING, type TimeWindow } from './transition.js';

/** What the runs of one user, on one account, that ended in one state used within the window. */
export interface Usage {
  readonly user: string;
  readonly account?: string;
  /** The state that the runs ended in, or RUNNING if they still run at the window's end. */
  readonly state: string;
  readonly runs: number;
  readonly jobHours: number;
  /** A run of unknown size counts as one node and one processor. */
  readonly nodeHours: number;
  readonly coreHours: number;
  readonly gpuHours: number;
}

/** What runs used within the window, most node hours first. */
export function sumUsage(stays: readonly Stay[], window: TimeWindow): Usage[] {
  const parts = stays.flatMap((stay) => {
    if (stay.state !== RUNNING) return [];
    const hours = (Math.min(stay.toMs ?? window.toMs, window.toMs) - Math.max(stay.fromMs, window.fromMs)) / HOUR_MS;
    return createUsage(stay, stay.nextState ?? RUNNING, hours);
  });
  return addUsage(parts);
}

/** What one run of so many hours used. */
export function createUsage(
  { user, account, nodes = 1, cpus = 1, gpus = 0 }: JobSize & Pick<Usage, 'user' | 'account'>,
  state: string,
  hours: number
): Usage {
  return {
    ...{ user, ...(account !== undefined && { account }), state, runs: 1 },
    ...{ jobHours: hours, nodeHours: hours * nodes, coreHours: hours * cpus, gpuHours: hours * gpus },
  };
}

/** Adds up what is of one user, account and state. */
export function addUsage(parts: readonly Usage[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const part of parts) {
    const key = JSON.stringify([part.user, part.account, part.state]);
    const known = sums.get(key);
    sums.set(key, known === undefined ? part : add(known, part));
  }
  return [...sums.values()].map(roundUsage).sort(compareUsage);
}

function add(a: Usage, b: Usage): Usage {
  return {
    ...a,
    runs: a.runs + b.runs,
    jobHours: a.jobHours + b.jobHours,
    nodeHours: a.nodeHours + b.nodeHours,
    coreHours: a.coreHours + b.coreHours,
    gpuHours: a.gpuHours + b.gpuHours,
  };
}

function roundUsage(usage: Usage): Usage {
  return {
    ...usage,
    jobHours: roundSum(usage.jobHours),
    nodeHours: roundSum(usage.nodeHours),
    coreHours: roundSum(usage.coreHours),
    gpuHours: roundSum(usage.gpuHours),
  };
}

function compareUsage(a: Usage, b: Usage): number {
  return (
    b.nodeHours - a.nodeHours ||
    compareCodePoints(a.user, b.user) ||
    compareCodePoints(a.account ?? '', b.account ?? '') ||
    compareCodePoints(a.state, b.state)
  );
}
