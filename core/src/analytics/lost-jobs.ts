import { isActiveState } from '../words/states.js';
import type { Stay } from './stays.js';
import type { LivingJob } from './transition.js';

type JobId = Pick<Stay, 'job' | 'user'>;

function formatKey({ job, user }: JobId): string {
  return JSON.stringify([job, user]);
}

/** The stays that nothing ends, though their jobs do not live at the end of the window: nobody wrote how they ended. */
export function listUnended(stays: readonly Stay[], living: readonly LivingJob[]): readonly Stay[] {
  const alive = new Set(living.map(formatKey));
  return stays.filter((stay) => stay.toMs === undefined && isActiveState(stay.state) && !alive.has(formatKey(stay)));
}

/** Ends these stays at the last sign of life of their jobs; `findEndMs` gives undefined where a stay goes on. */
export function endStays(
  stays: readonly Stay[],
  unended: readonly Stay[],
  windowEndMs: number,
  findEndMs: (stay: Stay) => number | undefined
): readonly Stay[] {
  const open = new Set(unended);
  return stays.map((stay) => {
    const endMs = open.has(stay) ? findEndMs(stay) : undefined;
    return endMs === undefined || endMs >= windowEndMs ? stay : { ...stay, toMs: Math.max(stay.fromMs, endMs) };
  });
}

/** The stays of which nothing says when they began, though their jobs are not known to live at the window's start. */
export function listUnbegun(stays: readonly Stay[], livingAtStart: readonly LivingJob[]): readonly Stay[] {
  const alive = new Set(livingAtStart.map(formatKey));
  return stays.filter((stay) => stay.isStartUnknown === true && !alive.has(formatKey(stay)));
}

/** Begins these stays at the first sign of life of their jobs; where there is none, they keep their start. */
export function beginStays(
  stays: readonly Stay[],
  unbegun: readonly Stay[],
  findBeginMs: (stay: Stay) => number | undefined
): readonly Stay[] {
  const open = new Set(unbegun);
  return stays.map((stay) => {
    const beginMs = open.has(stay) ? findBeginMs(stay) : undefined;
    if (beginMs === undefined || beginMs <= stay.fromMs) return stay;
    return { ...stay, fromMs: Math.min(beginMs, stay.toMs ?? beginMs) };
  });
}
