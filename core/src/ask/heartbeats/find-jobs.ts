import { NS_PER_MS } from '../../numbers/time-units.js';
import { escapeRegex } from '../../words/escape-regex.js';
import { isActiveState } from '../../words/states.js';
import {
  createColumn,
  createMeasurement,
  createRef,
  createSelect,
  createTagEquals,
  createTimeComparison,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { compareNatural } from '../../rows/natural-order.js';
import {
  findSlotStartMs,
  HEARTBEAT_GRIDS,
  HEARTBEAT_SPREAD_NS,
  type HeartbeatGrid,
} from '../../schema/heartbeat-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeName } from '../../schema/name-transport.js';
import { decodeTag, listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import {
  ANY_TIME,
  createTagCondition,
  type NameSelection,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';

/** Which jobs lived in a range. Both ends are inclusive. */
export interface FindRequest {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  /** The range ends now, so nothing bounds it: the clock of a job may be ahead. */
  readonly isOpen?: boolean | undefined;
  readonly user?: NameSelection;
}

/** A job of which the store has something in the range. */
export interface FoundJob {
  readonly job: string;
  readonly user: string;
  /** As of its last heartbeat in the range. */
  readonly state?: string;
  readonly startedMs?: number;
  /** The first and the last slot, or point, of the range in which it lived. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** A long job has at most about this many heartbeats in the answer. */
const MAX_SLOTS = 72n;
/** The most heartbeats of one answer; of more, the newest count. */
const MAX_HEARTBEATS = 20_000;

export const [FINEST_GRID, , COARSEST_GRID] = HEARTBEAT_GRIDS;

/** The range as times to select. */
export function selectRange({ fromNs, toNs, isOpen }: FindRequest): Pick<TimeSelection, 'fromNs' | 'toNs'> {
  return isOpen === true ? { fromNs } : { fromNs, toNs };
}

/** The finest grid that has few slots in the range. */
export function chooseGrid({ fromNs, toNs }: Pick<FindRequest, 'fromNs' | 'toNs'>): HeartbeatGrid {
  const fits = ({ slotMs }: HeartbeatGrid): boolean => toNs - fromNs <= MAX_SLOTS * BigInt(slotMs) * NS_PER_MS;
  return HEARTBEAT_GRIDS.find(fits) ?? HEARTBEAT_GRIDS[2];
}

/**
 * Finds the jobs that lived in a range by their heartbeats, newest slot first. That costs what the jobs of the range
 * cost, however many jobs the store has. Of very many, older ones are missing: walkRange finds all. `search` is a part
 * of the names.
 */
export function findJobsQuery(
  request: FindRequest,
  grid: HeartbeatGrid = chooseGrid(request),
  search = ''
): SelectStatement {
  return createSelect({
    columns: ['job', 'user', 'state', 'started'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(
      createTagEquals('grid', grid.grid),
      createTagCondition('user', request.user),
      search === '' ? undefined : createNameSearch(search),
      createTimeComparison('>=', findFirstSlotNs(request.fromNs, grid)),
      request.isOpen === true ? undefined : createTimeComparison('<', request.toNs + HEARTBEAT_SPREAD_NS)
    ),
    orderBy: 'DESC',
    limit: MAX_HEARTBEATS,
  });
}

/** Asks for the heartbeats behind the end of a range, which a clock that is ahead left. Read them by readFoundJobs. */
export function jobsAheadQuery({ toNs, user }: FindRequest): SelectStatement {
  const behindNs = findFirstSlotNs(toNs, FINEST_GRID) + BigInt(FINEST_GRID.slotMs) * NS_PER_MS;
  return findJobsQuery({ fromNs: behindNs, toNs: behindNs, isOpen: true, user }, FINEST_GRID);
}

/**
 * Asks for the heartbeats of jobs at any time. The store looks at all that it has on the coarsest grid: ask only for
 * names that nothing else has.
 */
export function namedHeartbeatsQuery(jobs: readonly string[], user: NameSelection): SelectStatement {
  const all = findJobsQuery({ ...ANY_TIME, isOpen: true, user }, COARSEST_GRID);
  return { ...all, ...whereAll(all.where, createJobFieldCondition(jobs)) };
}

/** The beginning of the slot that a range begins in: its heartbeats tell which jobs lived then. */
export function findFirstSlotNs(fromNs: bigint, grid: HeartbeatGrid): bigint {
  return BigInt(findSlotStartMs(Number(fromNs / NS_PER_MS), grid)) * NS_PER_MS;
}

/** `job` has this text in it, in any case of its letters. */
function createNameSearch(search: string): Condition {
  const source = `(?i)${escapeRegex(encodeName(search))}`;
  return freezeNode({ kind: 'match', left: createRef('job'), operator: '=~', source });
}

/**
 * The jobs in the results of findJobsQuery on this grid, or of findOtherJobsQuery: running jobs first, then the newest.
 * Where no heartbeat tells when a job started, it stands where its last slot ends: it may live until then.
 */
export function readFoundJobs(results: readonly ReadableResult[], grid?: HeartbeatGrid): FoundJob[] {
  const found = new Map<string, FoundJob>();
  for (const sign of results.flatMap(listFoundSigns)) {
    const key = formatJobKey(sign);
    const known = found.get(key);
    found.set(key, known === undefined ? sign : mergeFoundJobs(known, sign));
  }
  const slotNs = grid === undefined ? 0n : BigInt(grid.slotMs) * NS_PER_MS;
  return [...found.values()].sort((a, b) => compareFound(a, b, slotNs));
}

/**
 * Each row of a result of findJobsQuery, or of findOtherJobsQuery, as a job. A heartbeat says that the job lived in its
 * slot, and not since when: its point is up to seconds behind the beginning of that, and may lie ahead of now.
 */
export function listFoundSigns(result: ReadableResult): FoundJob[] {
  return listSeries(result).flatMap((series) => {
    const isHeartbeat = series.name === MEASUREMENT.heartbeat;
    const ofSeries = { job: readTag(series, 'job'), user: readTag(series, 'user') };
    return listRows(series).flatMap((row) => {
      const job = ofSeries.job ?? decodeTag(row.text('job'));
      if (job === undefined) return [];
      const user = ofSeries.user ?? decodeTag(row.text('user')) ?? '';
      const [state, startedMs] = [row.text('state'), row.timeMs('started')];
      const { timeNs } = row;
      const fromNs = isHeartbeat ? findFirstSlotNs(timeNs, FINEST_GRID) : timeNs;
      return [
        {
          ...{ job, user, fromNs, toNs: timeNs },
          ...(state !== undefined && { state }),
          ...(startedMs !== undefined && { startedMs }),
        },
      ];
    });
  });
}

/** One job of what two signs tell: they come in any order, and the newest says the state. */
export function mergeFoundJobs(known: FoundJob, sign: FoundJob): FoundJob {
  const [newer, older] = sign.toNs >= known.toNs ? [sign, known] : [known, sign];
  const state = newer.state ?? older.state;
  const startedMs = newer.startedMs ?? older.startedMs;
  return {
    ...{ job: newer.job, user: newer.user, toNs: newer.toNs },
    ...(state !== undefined && { state }),
    ...(startedMs !== undefined && { startedMs }),
    fromNs: older.fromNs < newer.fromNs ? older.fromNs : newer.fromNs,
  };
}

function compareFound(a: FoundJob, b: FoundJob, slotNs: bigint): number {
  const findPlaceNs = (job: FoundJob): bigint => (job.startedMs === undefined ? job.toNs + slotNs : findStartNs(job));
  const newer = findPlaceNs(b) - findPlaceNs(a);
  return (
    Number(isActiveState(b.state)) - Number(isActiveState(a.state)) ||
    (newer === 0n ? 0 : newer > 0n ? 1 : -1) ||
    compareNatural(b.job, a.job)
  );
}

/** When a job started, or else its first sign in the range. */
export function findStartNs({ startedMs, fromNs }: FoundJob): bigint {
  return startedMs === undefined ? fromNs : BigInt(Math.floor(startedMs)) * NS_PER_MS;
}

/** Name and user identify a job: two users may have jobs of the same name. */
export function formatJobKey({ job, user }: { readonly job: string; readonly user: string }): string {
  return JSON.stringify([job, user]);
}
