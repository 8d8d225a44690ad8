import type { Stay } from './stays.js';
import type { LivingJob } from './transition.js';

type JobId = Pick<Stay, 'job' | 'user'>;

const ACTIVE_STATES: ReadonlySet<string> = new Set(['RUNNING', 'SUSPENDED', 'PENDING', 'REQUEUED']);

function formatKey({ job, user }: JobId): string {
  return JSON.stringify([job, user]);
}

/** The stays that nothing ends, though their jobs do not live at the end of the window: nobody wrote how they ended. */
export function listUnended(stays: readonly Stay[], living: readonly LivingJob[]): readonly Stay[] {
  const alive = new Set(living.map(formatKey));
  return stays.filter(
    (stay) => stay.toMs === undefined && ACTIVE_STATES.has(stay.state) && !alive.has(formatKey(stay))
  );
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
