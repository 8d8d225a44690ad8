import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { RunContext } from './query-type.js';

/** Lengths of bins that people can read. */
const STEPS_S = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800];

/** The shortest of these lengths that cuts the range into no more than `bins`. */
export function chooseStepMs({ fromNs, toNs }: Pick<RunContext, 'fromNs' | 'toNs'>, bins: number): number {
  const rangeMs = Number((toNs - fromNs) / NS_PER_MS);
  return 1000 * (STEPS_S.find((stepS) => stepS * 1000 * bins >= rangeMs) ?? 604_800);
}
