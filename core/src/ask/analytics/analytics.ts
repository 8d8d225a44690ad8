import { addWaitBins, summarizeWaits } from '../../analytics/queue-waits.js';
import { compareStates } from '../../analytics/state-counts.js';
import { listStays } from '../../analytics/stays.js';
import { addSteps, type Steps } from '../../analytics/steps.js';
import type { LivingJob, TimeWindow, Transition } from '../../analytics/transition.js';
import { addUsage } from '../../analytics/usage.js';
import {
  type AnalyticsAnswer,
  type AnalyticsReport,
  type AnalyticsRequest,
  type OpenRuns,
  createAnswer,
  listReached,
  nameCurve,
  selectStates,
  selectUsage,
} from './analytics-answer.js';
import { findStays, type Known } from './bounded-stays.js';
import { type Counted, countTransitionsQuery, findCounted } from './counted-transitions.js';
import { findUntold } from '../events/event-sources.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import { needsLabels } from '../events/job-labels.js';
import { findLostRuns } from './lost-runs.js';
import { livingJobsQueries, readLivingJobs } from './living-jobs.js';
import { findLabelledJobs } from '../events/named-jobs.js';
import type { Reading } from '../reading/reading.js';
import { readRunning, readStates, type Untold } from './running-totals.js';
import { MAX_NAMED_JOBS } from '../reading/selection.js';
import { countReachedQuery, readReached, type TotalsRequest } from './transition-totals.js';
import { readTransitions, readUntoldTransitions, transitionsQuery, untoldTransitionsQuery } from './transitions.js';
import { readUsageTotals } from './usage-totals.js';
import { readWaits, readWaitTotals, waitsQuery, waitTotalsQueries } from './wait-totals.js';

const MAX_ROWS = 20_000;
const MAX_WAITS = 200_000;
/** Throughput and waits are of what happens in the window alone. */
const WITHOUT_LIVING: ReadonlySet<AnalyticsReport> = new Set(['throughput', 'waits']);

/**
 * Reads one report. A window with few transitions is read row by row; one with many is added up by the store, but for
 * jobs that are named, or chosen by their tags. Transitions of programs that write events alone are always read.
 */
export function* readAnalytics(request: AnalyticsRequest): Reading<AnalyticsAnswer> {
  const { filter = {}, window } = request;
  if (!needsLabels(filter)) return yield* readReport({ ...request, isChosen: createNameTest(filter.jobs) });
  const { keys, names: jobs, isCut } = yield* findLabelledJobs(filter, window);
  if (jobs.length === 0) return createAnswer(request, [], isCut);
  const isChosen = (job: JobId): boolean => keys.has(formatJobKey(job));
  const ofJobs = { ...request, isChosen, filter: { ...filter, tags: {}, schedulerIds: [], jobs } };
  const answer = yield* readReport(ofJobs);
  return { ...answer, isCut: answer.isCut || isCut };
}

interface JobId {
  readonly job: string;
  readonly user: string;
}

/** Names choose the jobs that are asked for, of which those count that are chosen: two users may have one of a name. */
interface ChosenRequest extends AnalyticsRequest {
  readonly isChosen: (job: JobId) => boolean;
}

function* readReport(request: ChosenRequest): Reading<AnalyticsAnswer> {
  const { report, window, filter: { users, jobs = [] } = {}, maxUntold = MAX_ROWS } = request;
  const asksLiving = !WITHOUT_LIVING.has(report);
  const of = { window, users };
  const isUntold = yield* findUntold();
  const [counted, ofEvents, ...alive] = yield [
    countTransitionsQuery(of),
    untoldTransitionsQuery(of, jobs.length > MAX_NAMED_JOBS ? [] : jobs, isUntold, maxUntold + 1),
    ...(asksLiving ? [window.toMs, window.fromMs].flatMap((atMs) => livingJobsQueries(atMs, users, isUntold)) : []),
  ];
  const untold = readUntoldTransitions(ofEvents);
  const known = {
    living: selectLiving(readLivingJobs(alive.slice(0, 3), window.toMs), request),
    livingAtStart: selectLiving(readLivingJobs(alive.slice(3), window.fromMs), request),
    untold: selectAllocated(untold, request).filter(request.isChosen),
  };
  const found = yield* findCounted(counted, { ...of, jobs, isAllocated: report === 'nodes' });
  const answer = yield* readTransitionsOf(request, found, known);
  return { ...answer, isCut: answer.isCut || untold.length > maxUntold };
}

function selectLiving(living: readonly LivingJob[], { report, isChosen }: ChosenRequest): LivingJob[] {
  // Only a scheduler says how many nodes a job has.
  return living.filter((job) => isChosen(job) && (report !== 'nodes' || job.nodes !== undefined));
}

function createNameTest(jobs: readonly string[] = []): ChosenRequest['isChosen'] {
  const names = new Set(jobs);
  return ({ job }) => names.size === 0 || names.has(job);
}

/** Reads few transitions row by row, and many as sums of the store. */
function* readTransitionsOf(
  request: ChosenRequest,
  { count, counted }: Counted,
  known: Known
): Reading<AnalyticsAnswer> {
  const { window, filter: { users, jobs = [] } = {}, maxRows = MAX_ROWS } = request;
  const of = { window, users, counted, stepMs: request.stepMs };
  if (count > maxRows && jobs.length === 0) return yield* readSums(request, of, known);
  const [limit, conditions] = count > maxRows ? [maxRows + 1, [createJobFieldCondition(jobs)]] : [maxRows, []];
  const [result] = yield count === 0 ? [] : [transitionsQuery(of, limit, conditions)];
  const transitions = readTransitions(result);
  const chosen = { ...known, transitions: transitions.filter(request.isChosen) };
  return yield* answerFrom(request, chosen, transitions.length > maxRows);
}

/** What the store adds up, and beside it what is known of jobs that have changes which it does not add up. */
function* readSums(request: ChosenRequest, of: TotalsRequest, known: Known): Reading<AnalyticsAnswer> {
  const [ofOthers, ofUntold] = splitKnown(known);
  if (known.untold.length === 0) return yield* readCorrected(request, of, ofOthers);
  const more = yield* answerFrom(request, { ...ofUntold, transitions: [] }, false);
  return addAnswers(yield* readCorrected(request, of, ofOthers), more, request.window);
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

/** The answer from each transition. */
function* answerFrom(
  request: AnalyticsRequest,
  known: Known & { readonly transitions: readonly Transition[] },
  isCut: boolean
): Reading<AnalyticsAnswer> {
  const { report, window } = request;
  if (WITHOUT_LIVING.has(report)) {
    return createAnswer(request, listStays([...known.transitions, ...known.untold], window), isCut);
  }
  const countsOpen = report === 'utilization' || report === 'states';
  const { stays, ...open } = yield* findStays({ ...known, window, ofAllStates: report === 'states', countsOpen });
  const answer = createAnswer(request, stays, isCut);
  // Nodes are counted of those alone that somebody is known to hold.
  return report === 'nodes' ? answer : { ...answer, ...keepPositive(open) };
}

/** The numbers of runs of which a part is not known, where there are any. */
function keepPositive({ unended, unbegun }: Required<OpenRuns>): OpenRuns {
  return { ...(unended > 0 && { unended }), ...(unbegun > 0 && { unbegun }) };
}

/** Adds the answer from transitions that the store did not add up. */
function addAnswers(sums: AnalyticsAnswer, more: AnalyticsAnswer, window: TimeWindow): AnalyticsAnswer {
  const [unended, unbegun] = (['unended', 'unbegun'] as const).map((name) => (sums[name] ?? 0) + (more[name] ?? 0));
  return { ...addCounts(sums, more, window), ...keepPositive({ unended: unended ?? 0, unbegun: unbegun ?? 0 }) };
}

function addCounts(sums: AnalyticsAnswer, more: AnalyticsAnswer, window: TimeWindow): AnalyticsAnswer {
  if (sums.kind === 'steps' && more.kind === 'steps') {
    const names = [...new Set([...sums.curves.keys(), ...more.curves.keys()])].sort(compareStates);
    const add = (name: string): Steps => addSteps(sums.curves.get(name), more.curves.get(name), window);
    return { ...sums, curves: new Map(names.map((name) => [name, add(name)])) };
  }
  if (sums.kind === 'usage' && more.kind === 'usage') {
    return { ...sums, usage: addUsage([...sums.usage, ...more.usage]) };
  }
  if (sums.kind === 'waits' && more.kind === 'waits') {
    const isExact = sums.isExact && more.bins.length === 0;
    return { ...sums, isExact, bins: addWaitBins(sums.bins, more.bins) };
  }
  return sums;
}

/** The answer from the sums of the store, and from the runs that these leave open. */
function* readCorrected(request: AnalyticsRequest, of: TotalsRequest, known: Known): Reading<AnalyticsAnswer> {
  const { living } = known;
  if (WITHOUT_LIVING.has(request.report)) return yield* readTotals(request, of, { living, lost: [] });
  const { lost, ...open } = yield* findLostRuns(of, known, request.report === 'states');
  const answer = yield* readTotals(request, of, { living, lost });
  return { ...answer, ...keepPositive({ ...open, unbegun: request.report === 'usage' ? open.unbegun : 0 }) };
}

function* readTotals(request: AnalyticsRequest, of: TotalsRequest, left: Untold): Reading<AnalyticsAnswer> {
  const { report, window, stepMs, filter = {}, weight = 'nodes', maxWaits = MAX_WAITS } = request;
  const { fromStates = [], toStates = [] } = filter;
  const base = { isExact: false, isCut: false };
  switch (report) {
    case 'throughput': {
      const [result] = yield [countReachedQuery(of, listReached(toStates), fromStates)];
      return { kind: 'steps', ...base, curves: readReached(result, of) };
    }
    case 'utilization':
    case 'nodes': {
      const steps = yield* readRunning(of, report === 'nodes' ? 'nodes' : weight, left);
      return { kind: 'steps', ...base, curves: nameCurve(report, steps) };
    }
    case 'states':
      return { kind: 'steps', ...base, curves: selectStates(yield* readStates(of, left), toStates) };
    case 'waits': {
      const [result] = yield [waitsQuery(of, maxWaits)];
      const waits = readWaits(result);
      if (waits.length < maxWaits) {
        return { kind: 'waits', isExact: true, isCut: false, bins: summarizeWaits(waits, window, stepMs) };
      }
      return { kind: 'waits', ...base, bins: readWaitTotals(yield waitTotalsQueries(of), of) };
    }
    case 'usage':
      return { kind: 'usage', ...base, usage: selectUsage(yield* readUsageTotals(of, left), toStates) };
  }
}
