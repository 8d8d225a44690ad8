import { addWaitBins, summarizeWaits } from '../analytics/queue-waits.js';
import { compareStates } from '../analytics/state-counts.js';
import { listStays } from '../analytics/stays.js';
import { addSteps, type Steps } from '../analytics/steps.js';
import type { LivingJob, TimeWindow, Transition } from '../analytics/transition.js';
import { addUsage } from '../analytics/usage.js';
import type { SelectStatement } from '../influxql/nodes.js';
import {
  type AnalyticsAnswer,
  type AnalyticsReport,
  type AnalyticsRequest,
  createAnswer,
  listReached,
  nameCurve,
  selectStates,
  selectUsage,
} from './analytics-answer.js';
import { findStays, type Known } from './bounded-stays.js';
import { type Counted, countTransitionsQuery, findCounted } from './counted-transitions.js';
import { findUntold } from './event-sources.js';
import { formatJobKey } from './find-jobs.js';
import { createJobFieldCondition } from './job-field.js';
import { needsLabels } from './job-labels.js';
import { findLostRuns } from './lost-runs.js';
import { livingJobsQueries, readLivingJobs } from './living-jobs.js';
import { findLabelledJobs } from './named-jobs.js';
import type { ReadStep } from './read-step.js';
import type { ReadableResult } from './result-rows.js';
import { readRunning, readStates, type Untold } from './running-totals.js';
import { MAX_NAMED_JOBS } from './selection.js';
import { countReachedQuery, readReached, type TotalsRequest } from './transition-totals.js';
import { readTransitions, readUntoldTransitions, transitionsQuery, untoldTransitionsQuery } from './transitions.js';
import { readUsageTotals } from './usage-totals.js';
import { readWaitTotals, readWaits, waitTotalsQueries, waitsQuery } from './wait-totals.js';

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
  if (!needsLabels(filter)) return readReport({ ...request, isChosen: createNameTest(filter.jobs) });
  return findLabelledJobs(filter, window, ({ keys, names: jobs, isCut }) => {
    if (jobs.length === 0) return createAnswer(request, [], isCut);
    const isChosen = (job: JobId): boolean => keys.has(formatJobKey(job));
    return markCut(
      readReport({ ...request, isChosen, filter: { ...filter, tags: {}, schedulerIds: [], jobs } }),
      isCut
    );
  });
}

interface JobId {
  readonly job: string;
  readonly user: string;
}

/** Names choose the jobs that are asked for, of which those count that are chosen: two users may have one of a name. */
interface ChosenRequest extends AnalyticsRequest {
  readonly isChosen: (job: JobId) => boolean;
}

function markCut(step: AnalyticsStep, isCut: boolean): AnalyticsStep {
  if (!isCut) return step;
  if (step.kind === 'ask') return { ...step, read: (results) => markCut(step.read(results), isCut) };
  return { ...step, isCut };
}

function readReport(request: ChosenRequest): AnalyticsStep {
  const { report, window, filter: { users, jobs = [] } = {}, maxUntold = MAX_ROWS } = request;
  const asksLiving = !WITHOUT_LIVING.has(report);
  const of = { window, users };
  return findUntold((isUntold) => ({
    kind: 'ask',
    statements: [
      countTransitionsQuery(of),
      untoldTransitionsQuery(of, jobs.length > MAX_NAMED_JOBS ? [] : jobs, isUntold, maxUntold + 1),
      ...(asksLiving ? [window.toMs, window.fromMs].flatMap((atMs) => livingJobsQueries(atMs, users, isUntold)) : []),
    ],
    read: ([counted, ofEvents, ...alive]) => {
      const [living, livingAtStart] = [alive.slice(0, 3), alive.slice(3)].map((results, i) =>
        selectLiving(readLivingJobs(results, i === 0 ? window.toMs : window.fromMs), request)
      );
      const untold = readUntoldTransitions(ofEvents);
      const known = {
        living: living ?? [],
        livingAtStart: livingAtStart ?? [],
        untold: selectAllocated(untold, request).filter(request.isChosen),
      };
      const road = findCounted(counted, { ...of, jobs, isAllocated: report === 'nodes' }, (found) =>
        chooseRoad(request, found, known)
      );
      return markCut(road, untold.length > maxUntold);
    },
  }));
}

function selectLiving(living: readonly LivingJob[], { report, isChosen }: ChosenRequest): LivingJob[] {
  // Only a scheduler says how many nodes a job has.
  return living.filter((job) => isChosen(job) && (report !== 'nodes' || job.nodes !== undefined));
}

function createNameTest(jobs: readonly string[] = []): ChosenRequest['isChosen'] {
  const names = new Set(jobs);
  return ({ job }) => names.size === 0 || names.has(job);
}

function chooseRoad(request: ChosenRequest, { count, counted }: Counted, known: Known): AnalyticsStep {
  const { window, filter: { users, jobs = [] } = {}, maxRows = MAX_ROWS } = request;
  const readAll = (transitions: readonly Transition[], isCut: boolean): AnalyticsStep =>
    answerFrom(request, { ...known, transitions: transitions.filter(request.isChosen) }, isCut);
  const of = { window, users, counted, stepMs: request.stepMs };
  if (count > maxRows && jobs.length > 0) {
    return ask(transitionsQuery(of, maxRows + 1, [createJobFieldCondition(jobs)]), (result) => {
      const transitions = readTransitions(result);
      return readAll(transitions, transitions.length > maxRows);
    });
  }
  if (count === 0) return readAll([], false);
  if (count > maxRows) {
    const [ofOthers, ofUntold] = splitKnown(known);
    const totals = readCorrected(request, of, ofOthers);
    if (known.untold.length === 0) return totals;
    const alone = answerFrom(request, { ...ofUntold, transitions: [] }, false);
    return andThen(alone, (more) => addAnswer(totals, more, window));
  }
  return ask(transitionsQuery(of, maxRows), (result) => readAll(readTransitions(result), false));
}

/** A living job that has changes which the store does not add up is counted with these. */
function splitKnown({ living, livingAtStart, untold }: Known): readonly [others: Known, untold: Known] {
  const keys = new Set(untold.map(formatJobKey));
  const select = (isUntold: boolean): Omit<Known, 'untold'> => {
    const [atEnd = [], atStart = []] = [living, livingAtStart].map((jobs) =>
      jobs.filter((job) => keys.has(formatJobKey(job)) === isUntold)
    );
    return { living: atEnd, livingAtStart: atStart };
  };
  return [
    { ...select(false), untold: [] },
    { ...select(true), untold },
  ];
}

function selectAllocated(transitions: readonly Transition[], { report }: AnalyticsRequest): readonly Transition[] {
  return report === 'nodes' ? transitions.filter(({ nodes }) => nodes !== undefined) : transitions;
}

function ask(statement: SelectStatement, read: (result: ReadableResult) => AnalyticsStep): AnalyticsStep {
  return { kind: 'ask', statements: [statement], read: ([result]) => read(result) };
}

function andThen(step: AnalyticsStep, next: (answer: AnalyticsAnswer) => AnalyticsStep): AnalyticsStep {
  if (step.kind !== 'ask') return next(step);
  return { ...step, read: (results) => andThen(step.read(results), next) };
}

/** The answer from each transition. */
function answerFrom(
  request: AnalyticsRequest,
  known: Known & { readonly transitions: readonly Transition[] },
  isCut: boolean
): AnalyticsStep {
  const { report, window } = request;
  if (WITHOUT_LIVING.has(report)) {
    return createAnswer(request, listStays([...known.transitions, ...known.untold], window), isCut);
  }
  const countsUnended = report === 'utilization' || report === 'states';
  return findStays({ ...known, window, ofAllStates: report === 'states', countsUnended }, ({ stays, unended }) => ({
    ...createAnswer(request, stays, isCut),
    // Nodes are counted of those alone that somebody is known to hold.
    ...(unended > 0 && report !== 'nodes' && { unended }),
  }));
}

/** Adds the answer from transitions that the store did not add up. */
function addAnswer(step: AnalyticsStep, more: AnalyticsAnswer, window: TimeWindow): AnalyticsStep {
  if (step.kind === 'ask') return { ...step, read: (results) => addAnswer(step.read(results), more, window) };
  const unended = (step.unended ?? 0) + (more.unended ?? 0);
  return { ...addCounts(step, more, window), ...(unended > 0 && { unended }) };
}

function addCounts(step: AnalyticsAnswer, more: AnalyticsAnswer, window: TimeWindow): AnalyticsAnswer {
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

/** The answer from the sums of the store, and from the runs that these leave open. */
function readCorrected(request: AnalyticsRequest, of: TotalsRequest, known: Known): AnalyticsStep {
  const { living } = known;
  if (WITHOUT_LIVING.has(request.report)) return readTotals(request, of, { living, lost: [] });
  return findLostRuns(of, known, request.report === 'states', ({ lost, unended }) =>
    andThen(readTotals(request, of, { living, lost }), (answer) => ({ ...answer, ...(unended > 0 && { unended }) }))
  );
}

function readTotals(request: AnalyticsRequest, of: TotalsRequest, left: Untold): AnalyticsStep {
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
      return readRunning(of, by, left, (steps) => ({ kind: 'steps', ...base, curves: nameCurve(report, steps) }));
    }
    case 'states':
      return readStates(of, left, (all) => ({ kind: 'steps', ...base, curves: selectStates(all, toStates) }));
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
      return readUsageTotals(of, left, (usage) => ({ kind: 'usage', ...base, usage: selectUsage(usage, toStates) }));
  }
}
