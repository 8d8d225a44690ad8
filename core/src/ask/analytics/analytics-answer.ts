import { listWaits, type QueueWait, summarizeWaits, type WaitBin } from '../../analytics/queue-waits.js';
import { countStates } from '../../analytics/state-counts.js';
import type { Stay } from '../../analytics/stays.js';
import type { Steps } from '../../analytics/steps.js';
import { FINAL_STATE, countReached } from '../../analytics/throughput.js';
import type { TimeWindow } from '../../analytics/transition.js';
import { sumUsage, type Usage } from '../../analytics/usage.js';
import { countRunning, type Weight } from '../../analytics/utilization.js';
import type { EventFilter } from '../events/event-filter.js';

export const ANALYTICS_REPORTS = ['throughput', 'utilization', 'nodes', 'waits', 'states', 'usage'] as const;
export type AnalyticsReport = (typeof ANALYTICS_REPORTS)[number];

/** One report about the jobs of a range (docs/analytics.md). */
export interface AnalyticsRequest {
  readonly report: AnalyticsReport;
  /** Both ends are inclusive; the end is now at the latest. */
  readonly window: TimeWindow;
  /** The resolution of bins, and of curves where the window has too many transitions to read each. */
  readonly stepMs: number;
  /** `toStates` are those that throughput counts, from `fromStates` alone, and that states and usage tell of. */
  readonly filter?: Pick<EventFilter, 'jobs' | 'users' | 'tags' | 'schedulerIds' | 'fromStates' | 'toStates'>;
  /** What a running job counts in utilization; nodes by default. */
  readonly weight?: Weight;
  /** The most transitions that are read one by one. */
  readonly maxRows?: number;
  /** The most transitions that are read of programs that write events alone. */
  readonly maxUntold?: number;
  /** The most waits of which each one is read, as a number alone. */
  readonly maxWaits?: number;
}

/** Runs of which a part is not known. */
export interface OpenRuns {
  /** The number of runs with neither an end nor heartbeats: curves count them to the end, hours leave them out. */
  readonly unended?: number;
  /** The number of those with neither a beginning nor heartbeats: curves count them from the start. */
  readonly unbegun?: number;
}

interface AnswerBase extends OpenRuns {
  /** False if curves are exact at multiples of `stepMs` only, and quantiles about right. */
  readonly isExact: boolean;
  /** Set if there are more transitions than can be read, so that the oldest are missing. */
  readonly isCut: boolean;
}

export interface StepsAnswer extends AnswerBase {
  readonly kind: 'steps';
  /** One for each state, by its name; else one, named as its report. Empty without jobs. */
  readonly curves: ReadonlyMap<string, Steps>;
}

export interface WaitsAnswer extends AnswerBase {
  readonly kind: 'waits';
  readonly bins: readonly WaitBin[];
  /** Each wait with its job, where transitions were read one by one. */
  readonly waits?: readonly QueueWait[];
}

export interface UsageAnswer extends AnswerBase {
  readonly kind: 'usage';
  readonly usage: readonly Usage[];
}

export type AnalyticsAnswer = StepsAnswer | WaitsAnswer | UsageAnswer;

/** Clauses that say of which runs a part is not known. */
export function describeOpenRuns({ unended = 0, unbegun = 0 }: OpenRuns): string[] {
  const describe = (count: number, what: string, how: string): string[] => {
    const [runs, them] = count === 1 ? ['one run', 'it'] : [`${count} runs`, 'them'];
    const told = `of ${runs} nobody wrote ${what} or a heartbeat: curves count ${them} ${how}, hours leave ${them} out`;
    return count === 0 ? [] : [told];
  };
  return [...describe(unended, 'an end', 'to the end'), ...describe(unbegun, 'a beginning', 'from the start')];
}

/** The answer from what each job did. */
export function createAnswer(
  { report, window, stepMs, filter: { fromStates = [], toStates = [] } = {}, weight = 'nodes' }: AnalyticsRequest,
  stays: readonly Stay[],
  isCut: boolean
): AnalyticsAnswer {
  const base = { isExact: true, isCut };
  switch (report) {
    case 'throughput':
      return { kind: 'steps', ...base, curves: createReached(stays, window, listReached(toStates), fromStates) };
    case 'utilization':
      return { kind: 'steps', ...base, curves: nameCurve(report, countRunning(stays, window, weight)) };
    case 'nodes':
      return { kind: 'steps', ...base, curves: nameCurve(report, countRunning(stays, window)) };
    case 'states':
      return { kind: 'steps', ...base, curves: selectStates(countStates(stays, window), toStates) };
    case 'waits': {
      const waits = listWaits(stays);
      return { kind: 'waits', ...base, waits, bins: summarizeWaits(waits, window, stepMs) };
    }
    case 'usage':
      return { kind: 'usage', ...base, usage: selectUsage(sumUsage(stays, window), toStates) };
  }
}

export function listReached(toStates: readonly string[]): readonly string[] {
  return toStates.length === 0 ? [FINAL_STATE] : toStates;
}

function createReached(
  stays: readonly Stay[],
  window: TimeWindow,
  toStates: readonly string[],
  fromStates: readonly string[]
): ReadonlyMap<string, Steps> {
  return new Map(toStates.flatMap((state) => [...nameCurve(state, countReached(stays, window, [state], fromStates))]));
}

export function nameCurve(name: string, steps: Steps): ReadonlyMap<string, Steps> {
  return new Map(steps.timesMs.length === 0 ? [] : [[name, steps]]);
}

export function selectStates(
  curves: ReadonlyMap<string, Steps>,
  states: readonly string[]
): ReadonlyMap<string, Steps> {
  return new Map([...curves].filter(([state]) => states.length === 0 || states.includes(state)));
}

export function selectUsage(usage: readonly Usage[], states: readonly string[]): readonly Usage[] {
  return usage.filter(({ state }) => states.length === 0 || states.includes(state));
}
