import { HOUR_MS, NS_PER_MS } from '../../numbers/time-units.js';
import { isActiveState } from '../../words/states.js';
import type { TimeWindow } from '../../analytics/transition.js';
import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { findSlotStartMs, HEARTBEAT_SPREAD_NS, type HeartbeatGrid } from '../../schema/heartbeat-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { chooseGrid, FINEST_GRID, formatJobKey } from './find-jobs.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

/** The finest heartbeats of a longer window are too many to look at each. */
const MAX_FINE_MS = 72 * HOUR_MS;
/** The most slots of a coarse grid to read at once, and the most jobs to name. */
const MAX_STATEMENTS = 64;
const MAX_JOBS = 5_000;
const MAX_USERS = 100;

interface JobId {
  readonly job: string;
  readonly user: string;
}

/** By formatJobKey, when the first or the last slot of a job begins. */
type Slots = ReadonlyMap<string, number>;

/**
 * Finds until when jobs lived, by formatJobKey: the end of the last slot in the window in which they left a heartbeat.
 * Jobs without any are left out.
 */
export function* findLastHeartbeats(named: readonly JobId[], window: TimeWindow): Reading<ReadonlyMap<string, number>> {
  const slots = yield* findEdgeSlots({ named, window, edge: 'last' });
  return new Map([...slots].map(([key, slotMs]) => [key, slotMs + FINEST_GRID.slotMs]));
}

/** Finds since when jobs lived in the window: the beginning of the first slot in which they left a heartbeat. */
export function findFirstHeartbeats(named: readonly JobId[], window: TimeWindow): Reading<ReadonlyMap<string, number>> {
  return findEdgeSlots({ named, window, edge: 'first' });
}

interface EdgeRequest {
  readonly named: readonly JobId[];
  readonly window: TimeWindow;
  readonly edge: 'first' | 'last';
}

function* findEdgeSlots({ named, ...of }: EdgeRequest): Reading<Slots> {
  const slots = new Map<string, number>();
  for (let at = 0; at < named.length; at += MAX_JOBS) {
    const some = yield* findEdgeSlotsOfSome({ ...of, named: named.slice(at, at + MAX_JOBS) });
    for (const [key, slotMs] of some) slots.set(key, slotMs);
  }
  return slots;
}

/** A long window is looked through on a coarse grid first, and then the slot of each job on the finest. */
function* findEdgeSlotsOfSome(request: EdgeRequest): Reading<Slots> {
  const { named, window, edge } = request;
  const range = { fromNs: BigInt(window.fromMs) * NS_PER_MS, toNs: BigInt(window.toMs) * NS_PER_MS };
  const isShort = window.toMs - window.fromMs <= MAX_FINE_MS;
  const grid = isShort ? FINEST_GRID : chooseGrid(range);
  const slots = readSlots(yield [selectHeartbeats(named, grid, window)], grid, edge);
  if (grid !== FINEST_GRID) return yield* refineSlots(request, { grid, slots });
  return new Map([...slots].flatMap(([key, [slotMs]]) => (slotMs === undefined ? [] : [[key, slotMs]])));
}

interface CoarseSlots {
  readonly grid: HeartbeatGrid;
  /** From the edge on. */
  readonly slots: ReadonlyMap<string, readonly number[]>;
}

/** At the end of a window, a coarse slot may be of a life outside: then the slot beside it is looked into. */
function* refineSlots({ named, window, edge }: EdgeRequest, { grid, slots }: CoarseSlots): Reading<Slots> {
  const known = new Map(endOfCoarse({ grid, slots }, edge));
  let jobs = named;
  for (const nth of [0, 1]) {
    const groups = groupBySlot(jobs, (key) => slots.get(key)?.[nth]);
    const parts = [...groups].map(([slotMs, ofSlot]) => ({
      jobs: ofSlot,
      fromMs: Math.max(slotMs, window.fromMs),
      toMs: Math.min(slotMs + grid.slotMs - 1, window.toMs),
    }));
    const fine = yield* readParts(parts, edge);
    for (const [key, slotMs] of fine) known.set(key, slotMs);
    jobs = jobs.filter((job) => !fine.has(formatJobKey(job)));
  }
  return known;
}

function groupBySlot(
  jobs: readonly JobId[],
  findSlot: (key: string) => number | undefined
): ReadonlyMap<number, readonly JobId[]> {
  const groups = new Map<number, JobId[]>();
  for (const job of jobs) {
    const slotMs = findSlot(formatJobKey(job));
    if (slotMs === undefined) continue;
    const known = groups.get(slotMs);
    if (known === undefined) groups.set(slotMs, [job]);
    else known.push(job);
  }
  return groups;
}

interface Part extends TimeWindow {
  readonly jobs: readonly JobId[];
}

/** Reads the finest edge of each job in its own part of the window. */
function* readParts(parts: readonly Part[], edge: EdgeRequest['edge']): Reading<Slots> {
  const slots = new Map<string, number>();
  for (let at = 0; at < parts.length; at += MAX_STATEMENTS) {
    const some = parts.slice(at, at + MAX_STATEMENTS);
    const results = yield some.map((part) => selectHeartbeats(part.jobs, FINEST_GRID, part));
    for (const [i, { jobs }] of some.entries()) {
      const keys = new Set(jobs.map(formatJobKey));
      for (const [key, [slotMs]] of readSlots([results[i]], FINEST_GRID, edge)) {
        if (slotMs !== undefined && keys.has(key)) slots.set(key, slotMs);
      }
    }
  }
  return slots;
}

/** Where a writer left no finer heartbeats, its coarse slot is all that is known. */
function endOfCoarse({ grid, slots }: CoarseSlots, edge: EdgeRequest['edge']): Slots {
  const toEdge = edge === 'first' ? 0 : grid.slotMs - FINEST_GRID.slotMs;
  return new Map([...slots].flatMap(([key, [slotMs]]) => (slotMs === undefined ? [] : [[key, slotMs + toEdge]])));
}

/** A page of heartbeats, and at most so many pages, the newest. */
const [PAGE, MAX_PAGES] = [20_000, 10];

/**
 * Finds the jobs that waited or ran at their last heartbeat in a window, and are not among those that live at its end.
 * The last heartbeat of a job that ended says so.
 */
export function* findSilentJobs(
  { window, users }: { readonly window: TimeWindow; readonly users?: NameSelection },
  living: readonly JobId[]
): Reading<readonly JobId[]> {
  const grid = chooseGrid({ fromNs: BigInt(window.fromMs) * NS_PER_MS, toNs: BigInt(window.toMs) * NS_PER_MS });
  const alive = new Set(living.map(formatJobKey));
  const newest = new Map<string, JobId & { readonly state: string | undefined }>();
  const select = (toNs: bigint): SelectStatement =>
    createSelect({
      columns: ['job', 'user', 'state'].map((name) => createColumn(name)),
      from: [createMeasurement(MEASUREMENT.heartbeat)],
      ...whereAll(
        createTagEquals('grid', grid.grid),
        createTagCondition('user', users),
        createTimeComparison('>=', BigInt(findSlotStartMs(window.fromMs, grid)) * NS_PER_MS),
        createTimeComparison('<', toNs)
      ),
      orderBy: 'DESC',
      limit: PAGE,
    });
  let toNs = BigInt(findSlotStartMs(window.toMs, grid)) * NS_PER_MS + HEARTBEAT_SPREAD_NS;
  for (let [page, rows] = [0, PAGE]; page < MAX_PAGES && rows >= PAGE; page += 1) {
    const [result] = yield [select(toNs)];
    const found = listSeries(result).flatMap(listRows);
    for (const row of found) {
      const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user')) ?? ''];
      if (job === undefined || newest.has(formatJobKey({ job, user }))) continue;
      newest.set(formatJobKey({ job, user }), { job, user, state: row.text('state') });
    }
    rows = found.length;
    toNs = found.at(-1)?.timeNs ?? toNs;
  }
  const silent = [...newest].filter(([key, { state }]) => isActiveState(state) && !alive.has(key));
  return silent.map(([, { job, user }]) => ({ job, user })).slice(0, MAX_JOBS);
}

/** Finds which of these jobs left a heartbeat in the slot of an instant, or in the one before: it may come late. */
export function* findLivingJobs(named: readonly JobId[], atMs: number): Reading<ReadonlySet<string>> {
  const jobs = named.slice(0, MAX_JOBS);
  if (jobs.length === 0) return new Set();
  const results = yield [selectHeartbeats(jobs, FINEST_GRID, { fromMs: atMs - FINEST_GRID.slotMs, toMs: atMs })];
  return new Set(readSlots(results, FINEST_GRID, 'last').keys());
}

function selectHeartbeats(jobs: readonly JobId[], grid: HeartbeatGrid, { fromMs, toMs }: TimeWindow): SelectStatement {
  return createSelect({
    columns: ['job', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(
      createTagEquals('grid', grid.grid),
      createTagCondition('user', listUsers(jobs)),
      createJobFieldCondition([...new Set(jobs.map(({ job }) => job))]),
      createTimeComparison('>=', BigInt(findSlotStartMs(fromMs, grid)) * NS_PER_MS),
      createTimeComparison('<', BigInt(findSlotStartMs(toMs, grid)) * NS_PER_MS + HEARTBEAT_SPREAD_NS)
    ),
  });
}

/** Lists none if there are too many: a store reads each point anyway, and would compare it with each name. */
function listUsers(jobs: readonly JobId[]): readonly string[] {
  const users = [...new Set(jobs.map(({ user }) => user))];
  return users.length > MAX_USERS ? [] : users;
}

/** When the slots of each job begin, from the edge on. */
function readSlots(
  results: readonly ReadableResult[],
  grid: HeartbeatGrid,
  edge: EdgeRequest['edge']
): ReadonlyMap<string, readonly number[]> {
  const slots = new Map<string, Set<number>>();
  for (const row of results.flatMap(listSeries).flatMap(listRows)) {
    const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user')) ?? ''];
    if (job === undefined) continue;
    const key = formatJobKey({ job, user });
    const slotMs = findSlotStartMs(Number(row.timeNs / NS_PER_MS), grid);
    const known = slots.get(key);
    if (known === undefined) slots.set(key, new Set([slotMs]));
    else known.add(slotMs);
  }
  const compare = (a: number, b: number): number => (edge === 'first' ? a - b : b - a);
  return new Map([...slots].map(([key, ofJob]) => [key, [...ofJob].sort(compare)]));
}
