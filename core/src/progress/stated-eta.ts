import type { ProgressEstimate } from './pace.js';

/** The time left as the program itself tells it, without saying how much is done. Plain JSON. */
export interface StatedEta {
  readonly firstMs: number;
  readonly toldMs: number;
  readonly remainingS: number;
  readonly times: number;
}

/** The first ones are of a warm-up, as a rule. */
const MIN_TIMES = 3;
/** A program that has not told it for so long, compared with how often it did, does something else. */
const MAX_SILENCE = 5;
const MAX_SILENCE_MS = 60_000;

export function noteEta(eta: StatedEta | undefined, remainingS: number, timeMs: number): StatedEta {
  const { firstMs = timeMs, times = 0 } = eta ?? {};
  return { firstMs, toldMs: timeMs, remainingS, times: times + 1 };
}

/** Takes the time since it was first told as what is done. */
export function estimateByEta(eta: StatedEta | undefined, nowMs: number): ProgressEstimate | undefined {
  if (eta === undefined || eta.times < MIN_TIMES) return undefined;
  const tookMs = eta.toldMs - eta.firstMs;
  const silentMs = Math.max(0, nowMs - eta.toldMs);
  const wholeMs = tookMs + eta.remainingS * 1000;
  if (wholeMs <= 0 || silentMs > Math.max(MAX_SILENCE_MS, (MAX_SILENCE * tookMs) / eta.times)) return undefined;
  return { progress: tookMs / wholeMs, remainingS: Math.max(0, eta.remainingS - silentMs / 1000) };
}
