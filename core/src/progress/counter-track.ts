import type { ProgressReading } from './read-progress.js';

/** A counter that output has told more than once: a bar, or `epoch 3/10` on line after line. As JSON, for a restart. */
export interface CounterTrack {
  readonly label: string;
  total: number;
  /** How much is done, 0 to 1. Several ranks may tell it out of order, so it never falls within a run. */
  fraction: number;
  /** Whether the newest reading was a heading: the unit has begun, and is not done. */
  isHeading: boolean;
  /** The fraction of the lowest reading of this run: 0 for counters that begin at 0. */
  lowest: number;
  remainingS?: number | undefined;
  /** How many times it has begun again. An inner counter does so for each unit of an outer one. */
  restarts: number;
  /** Different fractions in this run. */
  steps: number;
  /** When it was first told, when this run began, when it last moved, when it was last told: ms since the epoch. */
  readonly firstMs: number;
  runMs: number;
  movedMs: number;
  toldMs: number;
}

/** A counter that falls by less has been told out of order; one that falls by more has begun again. */
const MAX_DISORDER = 0.2;

/** A counter begins. */
export function createTrack(reading: ProgressReading, timeMs: number): CounterTrack {
  const { label, total, fraction, isHeading, remainingS } = reading;
  return {
    ...{ label, total, fraction, isHeading, remainingS, lowest: fraction },
    ...{ restarts: 0, steps: 1, firstMs: timeMs, runMs: timeMs, movedMs: timeMs, toldMs: timeMs },
  };
}

/** Takes a later reading of the same counter. */
export function updateTrack(track: CounterTrack, reading: ProgressReading, timeMs: number): void {
  const { total, fraction, isHeading, remainingS } = reading;
  track.toldMs = timeMs;
  if (hasBegunAgain(track, reading)) {
    Object.assign(track, { total, fraction, isHeading, remainingS, lowest: fraction, steps: 1 });
    Object.assign(track, { restarts: track.restarts + 1, runMs: timeMs, movedMs: timeMs });
    return;
  }
  if (fraction < track.fraction) return;
  if (fraction > track.fraction) {
    track.steps += 1;
    track.movedMs = timeMs;
  }
  Object.assign(track, { total, fraction, isHeading, remainingS });
}

function hasBegunAgain(track: CounterTrack, { total, fraction }: ProgressReading): boolean {
  // The last file of many may be shorter, but the count of a whole does not change while it runs.
  if (total !== track.total) return true;
  return fraction < track.fraction - Math.max(MAX_DISORDER * track.fraction, 1.5 / total);
}

/** How much of the whole is done before the unit that a heading names: the unit itself has only begun. */
export function findBase({ fraction, total, isHeading, lowest }: CounterTrack): number {
  const countsFromZero = lowest === 0;
  return isHeading && !countsFromZero ? Math.max(0, fraction - 1 / total) : fraction;
}
