import { groupBy } from '../lists/group-by.js';
import { type JobSize, type LivingJob, RUNNING, type TimeWindow, type Transition } from './transition.js';

/** The time that a job spends in one state, within a window. Stays of a job never overlap. */
export interface Stay extends JobSize {
  readonly job: string;
  readonly user: string;
  readonly account?: string;
  readonly state: string;
  readonly fromMs: number;
  /** Left out if the job is still in this state at the end of the window. */
  readonly toMs?: number;
  /** False if it began before the window, or if nothing says when. */
  readonly isEntered: boolean;
  /** Set if nothing says when it began, so that it counts from the start of the window. */
  readonly isStartUnknown?: true;
  readonly waitS?: number;
  /** The state before, where something tells it. */
  readonly previousState?: string;
  /** The state that followed. */
  readonly nextState?: string;
}

/**
 * What each job did in the window, from its transitions in it (in any order) and the jobs that live at its end. An exit
 * belongs to its own job's start. The first transition of a job tells what the job was in before, which counts from the
 * window's start. A transition into the state that a job is in already is none.
 */
export function listStays(
  transitions: readonly Transition[],
  window: TimeWindow,
  living: readonly LivingJob[] = []
): Stay[] {
  const within = transitions.filter(({ timeMs }) => timeMs >= window.fromMs && timeMs <= window.toMs);
  const histories = groupBy(within, formatKey);
  const stays = [...histories.values()].flatMap((history) => listStaysOfJob(history, window));
  const silent = new Map(living.filter((job) => !histories.has(formatKey(job))).map((job) => [formatKey(job), job]));
  return [...stays, ...[...silent.values()].flatMap((job) => listStaysOfLiving(job, window))];
}

function formatKey({ job, user }: { readonly job: string; readonly user: string }): string {
  return JSON.stringify([job, user]);
}

/** A living job without a transition in the window was in its state before it. */
function listStaysOfLiving(living: LivingJob, { fromMs, toMs }: TimeWindow): Stay[] {
  const beginMs = living.state === RUNNING ? Math.max(fromMs, living.startedMs ?? fromMs) : fromMs;
  if (beginMs > toMs) return [];
  const { job, user, account, state } = living;
  return [
    {
      job,
      user,
      ...(account !== undefined && { account }),
      state,
      ...sizeOf(living),
      fromMs: beginMs,
      isEntered: false,
      ...((state !== RUNNING || living.startedMs === undefined) && { isStartUnknown: true }),
    },
  ];
}

type Draft = { -readonly [P in keyof Stay]: Stay[P] };

function listStaysOfJob(history: readonly Transition[], window: TimeWindow): Stay[] {
  const stays: Draft[] = [];
  for (const transition of sortByChain(history)) {
    const current = stays.at(-1);
    if (current !== undefined && isRepeated(transition, current)) continue;
    const missing = findMissingStay(transition, current, window);
    if (missing !== undefined) {
      if (current !== undefined) Object.assign(current, { toMs: missing.fromMs, nextState: missing.state });
      stays.push(missing);
    }
    const left = stays.at(-1);
    if (left !== undefined) {
      Object.assign(left, { toMs: transition.timeMs, nextState: transition.toState });
      if (left.state === RUNNING) Object.assign(left, { ...sizeOf(transition), ...sizeOf(left) });
    }
    const previousState = transition.fromState ?? left?.state;
    const entered = createStay(transition, transition.toState, transition.timeMs, true);
    stays.push({ ...entered, ...(previousState !== undefined && { previousState }) });
  }
  return stays;
}

/** Two writers may tell of one change; a run of its own shows that the job has been somewhere else in between. */
function isRepeated({ toState, startedMs }: Transition, current: Stay): boolean {
  return current.state === toState && (startedMs === undefined || startedMs <= current.fromMs);
}

/** The stay that a transition leaves, if no transition of the window began it. */
function findMissingStay(transition: Transition, current: Stay | undefined, window: TimeWindow): Draft | undefined {
  const { fromState, toState, startedMs, timeMs } = transition;
  if (current !== undefined) {
    const isLost = fromState === RUNNING && current.state !== RUNNING && startedMs !== undefined;
    return isLost && startedMs >= current.fromMs && startedMs < timeMs
      ? createStay(transition, RUNNING, startedMs, false)
      : undefined;
  }
  const state = fromState ?? (startedMs === undefined ? undefined : RUNNING);
  return state === undefined || state === toState ? undefined : createFirstStay(transition, state, window);
}

/** What a job was in before its first transition in the window. */
function createFirstStay(transition: Transition, state: string, { fromMs }: TimeWindow): Draft {
  const { startedMs, waitS, timeMs } = transition;
  const knownMs = state === RUNNING ? startedMs : waitS === undefined ? undefined : timeMs - waitS * 1000;
  const stay = createStay(transition, state, Math.min(timeMs, Math.max(fromMs, knownMs ?? fromMs)), false);
  return knownMs === undefined ? { ...stay, isStartUnknown: true } : stay;
}

function createStay(transition: Transition, state: string, fromMs: number, isEntered: boolean): Draft {
  const { job, user, account, waitS } = transition;
  return {
    ...{ job, user, state, fromMs, isEntered },
    ...(account !== undefined && { account }),
    ...(isEntered && state === RUNNING && waitS !== undefined && { waitS }),
    ...sizeOf(transition),
  };
}

function sizeOf({ nodes, cpus, gpus }: JobSize): JobSize {
  return {
    ...(nodes !== undefined && { nodes }),
    ...(cpus !== undefined && { cpus }),
    ...(gpus !== undefined && { gpus }),
  };
}

/** By time; at one instant, each transition after the one that led to its state. */
function sortByChain(history: readonly Transition[]): Transition[] {
  const rest = history.toSorted((a, b) => a.timeMs - b.timeMs);
  const sorted: Transition[] = [];
  while (rest.length > 0) {
    const later = rest.findIndex(({ timeMs }) => timeMs !== rest[0]?.timeMs);
    const ties = later === -1 ? rest.length : later;
    sorted.push(...rest.splice(ties === 1 ? 0 : findNext(rest.slice(0, ties), sorted.at(-1)?.toState), 1));
  }
  return sorted;
}

function findNext(ties: readonly Transition[], state: string | undefined): number {
  const following = ties.findIndex(({ fromState }) => fromState !== undefined && fromState === state);
  if (following !== -1) return following;
  return Math.max(
    0,
    ties.findIndex((one) => !ties.some(({ toState }) => toState === one.fromState))
  );
}
