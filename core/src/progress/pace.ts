/** How far a job is. */
export interface ProgressEstimate {
  /** 0 to 1. */
  readonly progress: number;
  /** The time left, in seconds; undefined while nothing sound can be said. */
  readonly remainingS: number | undefined;
}

/** The pace of a counter: how much was done when, thinned out, over the whole time. Plain JSON. */
export interface PaceState {
  readonly samples: PaceSample[];
}

export interface PaceSample {
  /** In ms since the epoch. */
  readonly timeMs: number;
  /** 0 to 1, never falling. */
  readonly fraction: number;
}

const MAX_SAMPLES = 64;
/** Before that, a first slow step would be taken for the pace of all. */
const MIN_FRACTION = 0.02;
const MIN_MS = 3000;
const MIN_SAMPLES = 4;
/** Where the newer half was so many times faster or slower than the whole, the rest may be anything. */
const MAX_UNSTEADY = 3;
/** A counter that has not moved for so many of its usual steps, and longer than this, stands still. */
const STALLED_STEPS = 5;
const STALLED_MS = 60_000;

export function createPace(): PaceState {
  return { samples: [] };
}

/** Adds a sample; a fraction that has fallen counts as unchanged. */
export function addSample({ samples }: PaceState, { timeMs, fraction }: PaceSample): void {
  const last = samples.at(-1);
  if (last !== undefined && fraction <= last.fraction) return;
  samples.push({ timeMs, fraction });
  if (samples.length <= MAX_SAMPLES) return;
  const kept = samples.filter((_, i) => i % 2 === 0 || i === samples.length - 1);
  samples.splice(0, samples.length, ...kept);
}

/**
 * The time left in seconds, by the pace of the newer half of what is done; undefined while that is too little, too
 * unsteady, or while the counter stands still.
 */
export function estimateRemainingS({ samples }: PaceState, nowMs: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  // What a job does after its last counter, nobody says.
  if (last.fraction >= 1) return undefined;
  const done = last.fraction - first.fraction;
  const tookMs = last.timeMs - first.timeMs;
  if (samples.length < MIN_SAMPLES || done < MIN_FRACTION || tookMs < MIN_MS) return undefined;
  const middle = samples.findLast(({ fraction }) => fraction <= first.fraction + done / 2) ?? first;
  const recent = (last.timeMs - middle.timeMs) / (last.fraction - middle.fraction);
  const whole = tookMs / done;
  if (Math.max(recent / whole, whole / recent) > MAX_UNSTEADY) return undefined;
  const silentMs = Math.max(0, nowMs - last.timeMs);
  if (silentMs > Math.max(STALLED_MS, (STALLED_STEPS * tookMs) / (samples.length - 1))) return undefined;
  return Math.max(0, recent * (1 - last.fraction) - silentMs) / 1000;
}
