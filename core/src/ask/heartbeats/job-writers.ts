import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { CLAIM_GRID, type FileClaim, parseFileClaim } from '../../schema/file-claim.js';
import { findSlotStartMs } from '../../schema/heartbeat-point.js';
import { type JobWriter, parseJobWriter } from '../../schema/job-writer.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { FINEST_GRID } from './find-jobs.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import { whereAll } from '../reading/selection.js';

const MAX_HEARTBEATS = 20_000;
const MAX_CLAIMS = 100_000;

/** A claim of a file, as a `watch` wrote it. */
export interface StoredClaim {
  readonly job: string;
  readonly user: string;
  readonly claim: FileClaim;
  readonly timeMs: number;
}

/** A heartbeat that says who logs a job. */
export interface WriterHeartbeat {
  readonly job: string;
  readonly user: string;
  readonly writer: JobWriter;
  /** The slot of the finest grid in which it was. */
  readonly slotMs: number;
}

/** Asks who has logged the jobs of the present slot and of the one before. */
export function jobWritersQuery(nowMs: number): SelectStatement {
  const fromMs = findSlotStartMs(nowMs, FINEST_GRID) - FINEST_GRID.slotMs;
  return createSelect({
    columns: ['job', 'user', 'writer', 'watcher'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(
      createTagEquals('grid', FINEST_GRID.grid),
      createTimeComparison('>=', BigInt(fromMs) * NS_PER_MS),
      createTimeComparison('<', BigInt(fromMs + 4 * FINEST_GRID.slotMs) * NS_PER_MS)
    ),
    orderBy: 'DESC',
    limit: MAX_HEARTBEATS,
  });
}

/** The newest first; of one time, `run` first. */
export function readJobWriters(result: ReadableResult | undefined): WriterHeartbeat[] {
  return listSaid(result).flatMap(({ job, user, timeMs, row }) =>
    ['writer', 'watcher'].flatMap((field) => {
      const writer = parseJobWriter(row.text(field) ?? '');
      return writer === undefined ? [] : [{ job, user, writer, slotMs: findSlotStartMs(timeMs, FINEST_GRID) }];
    })
  );
}

/** Asks which files have been claimed since then, of one job or of all. */
export function fileClaimsQuery(fromMs: number, job?: string): SelectStatement {
  return createSelect({
    columns: ['job', 'user', 'watcher'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(
      createTagEquals('grid', CLAIM_GRID),
      job === undefined ? undefined : createJobFieldCondition([job]),
      createTimeComparison('>=', BigInt(fromMs) * NS_PER_MS)
    ),
    orderBy: 'DESC',
    limit: MAX_CLAIMS,
  });
}

/** The newest first. */
export function readFileClaims(result: ReadableResult | undefined): StoredClaim[] {
  return listSaid(result).flatMap(({ job, user, timeMs, row }) => {
    const claim = parseFileClaim(row.text('watcher') ?? '');
    return claim === undefined ? [] : [{ job, user, claim, timeMs }];
  });
}

/** The rows that name a job, in their order, and when that was said. */
function listSaid(result: ReadableResult | undefined) {
  return listSeries(result)
    .flatMap(listRows)
    .flatMap((row) => {
      const job = decodeTag(row.text('job'));
      if (job === undefined) return [];
      return [{ job, user: decodeTag(row.text('user')) ?? '', timeMs: Number(row.timeNs / NS_PER_MS), row }];
    });
}
