import { type CounterTrack, createTrack, findBase, updateTrack } from './counter-track.js';
import { addSample, createPace, estimateRemainingS, type PaceState, type ProgressEstimate } from './pace.js';
import { PART_OF, type ProgressReading, readProgress } from './read-progress.js';
import { PROGRESS_COLUMN, readValues, type Totals } from './read-values.js';
import { estimateByEta, noteEta, type StatedEta } from './stated-eta.js';

/** Plain JSON, with which another estimator continues. */
export interface ProgressState {
  readonly tracks: readonly CounterTrack[];
  readonly pace?: PaceState;
  readonly chosen?: string;
  readonly eta?: StatedEta;
  /** When the first line came, in ms since the epoch. */
  readonly firstMs?: number;
  readonly totals: ReadonlyArray<readonly [string, number]>;
}

export interface ProgressEstimator {
  /** Takes a rendered line, complete or not, that was on the screen at a time in ms since the epoch. */
  noteLine(line: string, timeMs: number): void;
  /** Takes values of a metadata row, and of the job's config: `progress`, and `epoch` or `step` with their totals. */
  noteValues(values: ReadonlyMap<string, unknown>, timeMs: number): void;
  /** Undefined while nothing that is said tells how far the job is. */
  estimate(nowMs: number): ProgressEstimate | undefined;
  readonly state: ProgressState;
}

/** A job has few counters; a program that prints more has none that counts the whole of it. */
const MAX_TRACKS = 16;
/** Fewer different values may be a date, a version or a score. */
const MIN_STEPS = 3;
const MIN_TOTAL = 10;
const OUTER_UNIT = /\b(epoch|round|trial|fold|episode|iteration|step|task)s?\b/;
/** A counter that has ended and after which others go on was a part of the job, such as a download. */
const ENDED = 0.9999;
/**
 * Estimates how far a job is from what it prints. Of several counters the outermost counts: one that has never begun
 * again. What an inner one has done of the present unit is added.
 */
export function createProgressEstimator(state?: ProgressState): ProgressEstimator {
  let tracks: readonly CounterTrack[] = state?.tracks.map((track) => ({ ...track })) ?? [];
  const totals: Totals = new Map(state?.totals);
  let pace = state?.pace ?? createPace();
  let chosen = state?.chosen;
  let eta = state?.eta;
  let firstMs = state?.firstMs;

  function note(reading: ProgressReading, timeMs: number): void {
    const known = findTrack(tracks, reading);
    if (known !== undefined) updateTrack(known, reading, timeMs);
    else tracks = [...tracks, createTrack(reading, timeMs)].sort(byUse).slice(0, MAX_TRACKS);
  }

  /** Takes what is known at this time into the pace. */
  function sample(timeMs: number): void {
    const outer = findOutermost(tracks, firstMs);
    const key = outer && formatKey(outer);
    if (key !== chosen) {
      chosen = key;
      pace = createPace();
    }
    if (outer !== undefined) addSample(pace, { timeMs, fraction: measureWhole(outer, tracks) });
  }

  return {
    noteLine(line, timeMs) {
      firstMs ??= timeMs;
      const { readings, remainingS } = readProgress(line);
      if (remainingS !== undefined) eta = noteEta(eta, remainingS, timeMs);
      if (readings.length === 0) return;
      for (const reading of readings) note(reading, timeMs);
      sample(timeMs);
    },
    noteValues(values, timeMs) {
      for (const reading of readValues(values, totals)) note(reading, timeMs);
      sample(timeMs);
    },
    estimate(nowMs) {
      const last = pace.samples.at(-1);
      if (last === undefined) return estimateByEta(eta, nowMs);
      return { progress: last.fraction, remainingS: estimateRemainingS(pace, nowMs) };
    },
    get state() {
      return {
        tracks: [...tracks.values()],
        totals: [...totals],
        pace,
        ...(chosen !== undefined && { chosen }),
        ...(eta && { eta }),
        ...(firstMs !== undefined && { firstMs }),
      };
    },
  };
}

const formatKey = ({ label, total }: ProgressReading | CounterTrack): string => `${label}|${total}`;

/** Sorts by the steps taken, then by the time of the last report. */
const byUse = (a: CounterTrack, b: CounterTrack): number => b.steps - a.steps || b.toldMs - a.toldMs;

/** The same counter, or one of the same name that has ended: the next file of several, with a length of its own. */
function findTrack(tracks: readonly CounterTrack[], reading: ProgressReading): CounterTrack | undefined {
  const named = tracks.filter(({ label }) => label === reading.label);
  return named.find(({ total }) => total === reading.total) ?? named.find(({ fraction }) => fraction >= ENDED);
}

/** The counter of the whole: it has never begun again, and nothing went on after its end. Of several, the oldest. */
function findOutermost(tracks: readonly CounterTrack[], firstMs: number | undefined): CounterTrack | undefined {
  const explicit = tracks.find(({ label }) => label === PROGRESS_COLUMN);
  if (explicit !== undefined) return explicit;
  return tracks
    .filter(
      (track) =>
        track.restarts === 0 && !track.label.startsWith(PART_OF) && (isCredible(track) || hasInner(track, tracks))
    )
    .filter((track) => OUTER_UNIT.test(track.label) || !isLate(track, firstMs))
    .filter((track) => track.fraction < ENDED || tracks.every((other) => other.firstMs <= track.movedMs))
    .sort((a, b) => a.firstMs - b.firstMs || a.total - b.total)[0];
}

/**
 * Whether a job had run for longer before this counter began than the whole of it takes: then it is a part, such as the
 * first validation of a training that counts nothing.
 */
function isLate(track: CounterTrack, firstMs: number | undefined): boolean {
  const done = track.fraction - track.lowest;
  return firstMs !== undefined && done > 0 && track.firstMs - firstMs > (track.movedMs - track.firstMs) / done;
}

/** Whether a counter without others in it may count the whole of a job: not the four parts of a file that is loaded. */
function isCredible({ steps, total, label }: CounterTrack): boolean {
  return steps >= MIN_STEPS && (total >= MIN_TOTAL || OUTER_UNIT.test(label));
}

/** Whether a counter that has a name, and has not ended, has others within it. */
function hasInner(outer: CounterTrack, tracks: readonly CounterTrack[]): boolean {
  return outer.label !== '' && findInner(outer, tracks) !== undefined;
}

/** The counter within the present unit of another one: the first that has begun since that has moved. */
function findInner(outer: CounterTrack, tracks: readonly CounterTrack[]): CounterTrack | undefined {
  return tracks
    .filter((track) => track !== outer && track.firstMs >= outer.firstMs && track.runMs >= outer.movedMs)
    .sort((a, b) => a.runMs - b.runMs || a.total - b.total)[0];
}

/** How much of the whole is done, with the part of the present unit that inner counters have done. */
function measureWhole(outer: CounterTrack, tracks: readonly CounterTrack[]): number {
  const base = findBase(outer);
  const inner = findInner(outer, tracks);
  if (inner === undefined || base >= 1) return base;
  const rest = tracks.filter((track) => track !== outer);
  return Math.min(1, base + measureWhole(inner, rest) / outer.total);
}
