import type { QueueWait, WaitBin } from '../analytics/queue-waits.js';
import { addWaitBins, listWaits, summarizeWaits } from '../analytics/queue-waits.js';
import { compareStates, countStates } from '../analytics/state-counts.js';
import type { Stay } from '../analytics/stays.js';
import { listStays } from '../analytics/stays.js';
import type { Steps } from '../analytics/steps.js';
import { addSteps } from '../analytics/steps.js';
import { FINAL_STATE, countReached } from '../analytics/throughput.js';
import type { LivingJob, TimeWindow, Transition } from '../analytics/transition.js';
import type { Usage } from '../analytics/usage.js';
import { addUsage, sumUsage } from '../analytics/usage.js';
import type { Weight } from '../analytics/utilization.js';
import { countRunning } from '../analytics/utilization.js';
import type { SelectStatement } from '../influxql/nodes.js';
import type { EventFilter } from './event-filter.js';
import { formatJobKey } from './find-jobs.js';
import { needsLabels } from './job-labels.js';
import { livingJobsQueries, readLivingJobs } from './living-jobs.js';
import { createJobFieldCondition, findLabelledJobs } from './named-jobs.js';
import type { ReadStep } from './read-step.js';
import type { ReadableResult } from './result-rows.js';
import { readRunning, readStates } from './running-totals.js';
import { countReachedQuery, readReached } from './transition-totals.js';
import { MAX_NAMED_JOBS } from './selection.js';
import type { TotalsRequest } from './transition-totals.js';
import {
  countTransitionsQuery,
  readCountedTransitions,
  readTransitions,
  readUntoldTransitions,
  transitionsQuery,
  untoldTransitionsQuery,
} from './transitions.js';
import { readUsageTotals } from './usage-totals.js';
import { readWaitTotals, readWaits, waitTotalsQueries, waitsQuery } from './wait-totals.js';

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

interface AnswerBase {
  /** False if curves are exact at multiples of `stepMs` only, and quantiles about right. */
  readonly isExact: boolean;
  /** Set if there are more transitions than can be read, so that the oldest are missing. */
  readonly isCut: boolean;
}

export interface StepsAnswer extends AnswerBase {
  readonly kind: 'steps';
  /** Of states by their name; else one, named as its report. None without jobs. */
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
export type AnalyticsStep = ReadStep<AnalyticsAnswer>;

const MAX_ROWS = 20_000;
const MAX_WAITS = 200_000;
/** Throughput and waits are of what happens in the window alone. */
const WITHOUT_LIVING: ReadonlySet<AnalyticsReport> = new Set(['throughput', 'waits']);

/**
 * Reads one report. A window with few transitions is read row by row; one with many is added up by the store, but for
 * jobs that are named, or chosen by their tags. Transitions of programs that write events alone are always read.
 */
export function readAnalytics(request: AnalyticsRequest): AnalyticsStep {
  const { filter = {}, window } = request;
  if (!needsLabels(filter)) return readReport(request);
  return findLabelledJobs(filter, window, ({ jobs, isCut }) => {
    if (jobs.length === 0) return createAnswer(request, [], [], isCut);
    return markCut(readReport({ ...request, filter: { ...filter, tags: {}, schedulerIds: [], jobs } }), isCut);
  });
}

function markCut(step: AnalyticsStep, isCut: boolean): AnalyticsStep {
  if (!isCut) return step;
  if (step.kind === 'ask') return { ...step, read: (results) => markCut(step.read(results), isCut) };
  return { ...step, isCut };
}

function readReport(request: AnalyticsRequest): AnalyticsStep {
  const { report, window, filter: { users, jobs = [] } = {}, maxUntold = MAX_ROWS } = request;
  const asksLiving = !WITHOUT_LIVING.has(report);
  const of = { window, users };
  return {
    kind: 'ask',
    statements: [
      countTransitionsQuery(of),
      untoldTransitionsQuery(of, jobs.length > MAX_NAMED_JOBS ? [] : jobs, maxUntold + 1),
      ...(asksLiving ? livingJobsQueries(window.toMs, users) : []),
    ],
    read: ([counted, ofEvents, ...alive]) => {
      const living = asksLiving ? selectLiving(readLivingJobs(alive, window.toMs), request) : [];
      const untold = readUntoldTransitions(ofEvents);
      const known = { living, untold: selectAllocated(untold, request).filter(createNameTest(jobs)) };
      const road = chooseRoad(request, readCountedTransitions(counted, report === 'nodes'), known);
      return markCut(road, untold.length > maxUntold);
    },
  };
}

/** What is known without the transitions themselves. */
interface Known {
  /** At the end of the window. */
  readonly living: readonly LivingJob[];
  /** Those that the store cannot add up. */
  readonly untold: readonly Transition[];
}

function selectLiving(living: readonly LivingJob[], { report, filter = {} }: AnalyticsRequest): LivingJob[] {
  const isNamed = createNameTest(filter.jobs);
  // Only a scheduler says how many nodes a job has.
  return living.filter((job) => isNamed(job) && (report !== 'nodes' || job.nodes !== undefined));
}

function createNameTest(jobs: readonly string[] = []): (job: { readonly job: string }) => boolean {
  const names = new Set(jobs);
  return ({ job }) => names.size === 0 || names.has(job);
}

function chooseRoad(
  request: AnalyticsRequest,
  { count, sources }: ReturnType<typeof readCountedTransitions>,
  { living, untold }: Known
): AnalyticsStep {
  const { window, filter: { users, jobs = [] } = {}, maxRows = MAX_ROWS } = request;
  const readAll = (transitions: readonly Transition[], isCut: boolean): AnalyticsAnswer =>
    createAnswer(request, [...transitions.filter(createNameTest(jobs)), ...untold], living, isCut);
  const of = { window, users, sources, stepMs: request.stepMs };
  if (count > maxRows && jobs.length > 0) {
    return ask(transitionsQuery(of, maxRows + 1, [createJobFieldCondition(jobs)]), (result) => {
      const transitions = readTransitions(result);
      return readAll(transitions, transitions.length > maxRows);
    });
  }
  if (count === 0) return readAll([], false);
  if (count > maxRows) {
    // What lives at the end and has changes that the store does not add up is counted with these.
    const untoldJobs = new Set(untold.map(formatJobKey));
    const isUntold = (job: LivingJob): boolean => untoldJobs.has(formatJobKey(job));
    const totals = readTotals(
      request,
      of,
      living.filter((job) => !isUntold(job))
    );
    if (untold.length === 0) return totals;
    return addAnswer(totals, createAnswer(request, untold, living.filter(isUntold), false), window);
  }
  return ask(transitionsQuery(of, maxRows), (result) => readAll(readTransitions(result), false));
}

function selectAllocated(transitions: readonly Transition[], { report }: AnalyticsRequest): readonly Transition[] {
  return report === 'nodes' ? transitions.filter(({ nodes }) => nodes !== undefined) : transitions;
}

function ask(statement: SelectStatement, read: (result: ReadableResult) => AnalyticsStep): AnalyticsStep {
  return { kind: 'ask', statements: [statement], read: ([result]) => read(result) };
}

/** The answer from each transition. */
function createAnswer(
  { report, window, stepMs, filter: { fromStates = [], toStates = [] } = {}, weight = 'nodes' }: AnalyticsRequest,
  transitions: readonly Transition[],
  living: readonly LivingJob[],
  isCut: boolean
): AnalyticsAnswer {
  const stays = listStays(transitions, window, living);
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

/** Adds the answer from transitions that the store did not add up. */
function addAnswer(step: AnalyticsStep, more: AnalyticsAnswer, window: TimeWindow): AnalyticsStep {
  if (step.kind === 'ask') return { ...step, read: (results) => addAnswer(step.read(results), more, window) };
  if (step.kind === 'steps' && more.kind === 'steps') {
    const names = [...new Set([...step.curves.keys(), ...more.curves.keys()])].sort(compareStates);
    const add = (name: string): Steps => addSteps(step.curves.get(name), more.curves.get(name), window);
    return { ...step, curves: new Map(names.map((name) => [name, add(name)])) };
  }
  if (step.kind === 'usage' && more.kind === 'usage') {
    return { ...step, usage: addUsage([...step.usage, ...more.usage]) };
  }
  if (step.kind === 'waits' && more.kind === 'waits') {
    const isExact = step.isExact && more.bins.length === 0;
    return { ...step, isExact, bins: addWaitBins(step.bins, more.bins) };
  }
  return step;
}

/** The answer from the sums of the store. */
function readTotals(request: AnalyticsRequest, of: TotalsRequest, living: readonly LivingJob[]): AnalyticsStep {
  const { report, window, stepMs, filter = {}, weight = 'nodes', maxWaits = MAX_WAITS } = request;
  const { fromStates = [], toStates = [] } = filter;
  const base = { isExact: false, isCut: false };
  switch (report) {
    case 'throughput': {
      const reached = listReached(toStates);
      const counted = countReachedQuery(of, reached, fromStates);
      return ask(counted, (result) => ({ kind: 'steps', ...base, curves: readReached(result, of) }));
    }
    case 'utilization':
    case 'nodes': {
      const by = report === 'nodes' ? 'nodes' : weight;
      return readRunning(of, by, living, (steps) => ({ kind: 'steps', ...base, curves: nameCurve(report, steps) }));
    }
    case 'states':
      return readStates(of, living, (all) => ({ kind: 'steps', ...base, curves: selectStates(all, toStates) }));
    case 'waits':
      return ask(waitsQuery(of, maxWaits), (result) => {
        const waits = readWaits(result);
        if (waits.length < maxWaits) {
          return { kind: 'waits', isExact: true, isCut: false, bins: summarizeWaits(waits, window, stepMs) };
        }
        return {
          ...{ kind: 'ask', statements: waitTotalsQueries(of) },
          read: (results) => ({ kind: 'waits', ...base, bins: readWaitTotals(results, of) }),
        };
      });
    case 'usage':
      return readUsageTotals(of, living, (usage) => ({ kind: 'usage', ...base, usage: selectUsage(usage, toStates) }));
  }
}

function listReached(toStates: readonly string[]): readonly string[] {
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

function nameCurve(name: string, steps: Steps): ReadonlyMap<string, Steps> {
  return new Map(steps.timesMs.length === 0 ? [] : [[name, steps]]);
}

function selectStates(curves: ReadonlyMap<string, Steps>, states: readonly string[]): ReadonlyMap<string, Steps> {
  return new Map([...curves].filter(([state]) => states.length === 0 || states.includes(state)));
}

function selectUsage(usage: readonly Usage[], states: readonly string[]): readonly Usage[] {
  return usage.filter(({ state }) => states.length === 0 || states.includes(state));
}
