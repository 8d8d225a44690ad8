import type { TimeWindow } from '../analytics/transition.js';
import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../influxql/build.js';
import type { SelectStatement } from '../influxql/nodes.js';
import type { HeartbeatGrid } from '../schema/heartbeat-point.js';
import { HEARTBEAT_SPREAD_NS, findSlotStartMs } from '../schema/heartbeat-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { FINEST_GRID, chooseGrid, formatJobKey, isActiveState } from './find-jobs.js';
import { createJobFieldCondition } from './job-field.js';
import type { ReadStep } from './read-step.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult } from './result-rows.js';
import { createTagCondition, whereAll } from './selection.js';
import type { NameSelection } from './selection.js';

const NS_PER_MS = 1_000_000n;
const HOUR_MS = 3_600_000;
/** The finest heartbeats of a longer window are too many to look at each. */
const MAX_FINE_MS = 72 * HOUR_MS;
/** So many slots of a coarse grid are looked into; the ends of other jobs are known to a coarse slot. */
const MAX_SLOTS = 64;
const MAX_JOBS = 5_000;
const MAX_USERS = 100;

interface JobId {
  readonly job: string;
  readonly user: string;
}

/**
 * Finds until when jobs lived, by formatJobKey: the end of the last slot in the window in which they left a heartbeat.
 * Jobs without any are left out.
 */
export function findLastHeartbeats<Done>(
  named: readonly JobId[],
  window: TimeWindow,
  read: (lastMs: ReadonlyMap<string, number>) => ReadStep<Done>
): ReadStep<Done> {
  const jobs = named.slice(0, MAX_JOBS);
  if (jobs.length === 0) return read(new Map());
  const range = { fromNs: BigInt(window.fromMs) * NS_PER_MS, toNs: BigInt(window.toMs) * NS_PER_MS };
  const isShort = window.toMs - window.fromMs <= MAX_FINE_MS;
  const grid = isShort ? FINEST_GRID : chooseGrid(range);
  return {
    kind: 'ask',
    statements: [selectHeartbeats(jobs, grid, window)],
    read: (results) => {
      const coarse = readLastSlots(results, grid);
      const slots = [...new Set(coarse.values())].sort((a, b) => b - a).slice(0, MAX_SLOTS);
      if (grid === FINEST_GRID || slots.length === 0) return read(coarse);
      const parts = slots.map((endMs) => ({ fromMs: endMs - grid.slotMs, toMs: Math.min(endMs - 1, window.toMs) }));
      return {
        kind: 'ask',
        statements: parts.map((part) => selectHeartbeats(jobs, FINEST_GRID, part)),
        read: (fine) => read(new Map([...coarse, ...readLastSlots(fine, FINEST_GRID)])),
      };
    },
  };
}

/** A page of heartbeats, and at most so many pages, the newest. */
const [PAGE, MAX_PAGES] = [20_000, 10];

/**
 * Finds the jobs that waited or ran at their last heartbeat in a window, and are not among those that live at its end.
 * The last heartbeat of a job that ended says so.
 */
export function findSilentJobs<Done>(
  { window, users }: { readonly window: TimeWindow; readonly users?: NameSelection },
  living: readonly JobId[],
  read: (silent: readonly JobId[]) => ReadStep<Done>
): ReadStep<Done> {
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
  const next = (toNs: bigint, pages: number): ReadStep<Done> => ({
    kind: 'ask',
    statements: [select(toNs)],
    read: (results) => {
      const rows = results.flatMap(listSeries).flatMap(listRows);
      for (const row of rows) {
        const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user')) ?? ''];
        if (job === undefined || newest.has(formatJobKey({ job, user }))) continue;
        newest.set(formatJobKey({ job, user }), { job, user, state: row.text('state') });
      }
      const last = rows.at(-1);
      if (rows.length >= PAGE && pages < MAX_PAGES && last !== undefined) return next(last.timeNs, pages + 1);
      const silent = [...newest].filter(([key, { state }]) => isActiveState(state) && !alive.has(key));
      return read(silent.map(([, { job, user }]) => ({ job, user })).slice(0, MAX_JOBS));
    },
  });
  return next(BigInt(findSlotStartMs(window.toMs, grid)) * NS_PER_MS + HEARTBEAT_SPREAD_NS, 1);
}

/** Finds which of these jobs left a heartbeat in the slot of an instant, or in the one before: it may come late. */
export function findLivingJobs<Done>(
  named: readonly JobId[],
  atMs: number,
  read: (living: ReadonlySet<string>) => ReadStep<Done>
): ReadStep<Done> {
  const jobs = named.slice(0, MAX_JOBS);
  if (jobs.length === 0) return read(new Set());
  return {
    kind: 'ask',
    statements: [selectHeartbeats(jobs, FINEST_GRID, { fromMs: atMs - FINEST_GRID.slotMs, toMs: atMs })],
    read: (results) => read(new Set(readLastSlots(results, FINEST_GRID).keys())),
  };
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

/** Of too many, none: a store looks at each point anyway, and compares it with each. */
function listUsers(jobs: readonly JobId[]): readonly string[] {
  const users = [...new Set(jobs.map(({ user }) => user))];
  return users.length > MAX_USERS ? [] : users;
}

function readLastSlots(results: readonly ReadableResult[], grid: HeartbeatGrid): Map<string, number> {
  const last = new Map<string, number>();
  for (const row of results.flatMap(listSeries).flatMap(listRows)) {
    const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user')) ?? ''];
    if (job === undefined) continue;
    const key = formatJobKey({ job, user });
    const endMs = findSlotStartMs(Number(row.timeNs / NS_PER_MS), grid) + grid.slotMs;
    last.set(key, Math.max(endMs, last.get(key) ?? endMs));
  }
  return last;
}
