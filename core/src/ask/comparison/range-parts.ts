import {
  createCallColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { DAY_NS, NS_PER_MS } from '../../numbers/time-units.js';
import { HEARTBEAT_GRIDS } from '../../schema/heartbeat-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { FoundJob } from '../heartbeats/find-jobs.js';
import { findDescribedSinceNs } from '../jobs/describe-jobs.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';

const [, FINE, COARSE] = HEARTBEAT_GRIDS;
const SLOT_NS = BigInt(FINE.slotMs) * NS_PER_MS;
/** Looked up by its name, a job costs about as much as four that are read along the time line. */
const OTHERS_AT_MOST = 4;
/** The answer of one part must not get too long: a job has a kilobyte or ten. */
const JOBS_OF_PART = 20_000;

/** How many jobs lived since those that were found, in all and in each slot of time. It costs a point a job and day. */
export function livingQueries(found: readonly FoundJob[]): readonly SelectStatement[] {
  const fromNs = findDescribedSinceNs(found);
  const toNs = found.reduce((latest, job) => (job.toNs > latest ? job.toNs : latest), fromNs) + DAY_NS;
  const count = (grid: string, range: TimeSelection) =>
    createSelect({
      columns: [createCallColumn('count', 'job', 'jobs')],
      from: [createMeasurement(MEASUREMENT.heartbeat)],
      ...whereAll(createTagEquals('grid', grid), ...createTimeConditions(range)),
    });
  const slots = freezeNode({ kind: 'time', intervalNs: SLOT_NS } as const);
  return [
    count(COARSE.grid, { fromNs }),
    { ...count(FINE.grid, { fromNs, toNs }), groupBy: { dimensions: [slots], fill: 'none' } },
  ];
}

/**
 * The time since those that were found, cut into parts of few jobs each; the last one has no end. None where most of
 * what is in it would be of other jobs, or heartbeats do not tell.
 */
export function cutRange(
  found: readonly FoundJob[],
  [total, slots]: readonly ReadableResult[]
): readonly TimeSelection[] {
  const living = readCounts(total)[0]?.jobs ?? 0;
  if (living < found.length || living > OTHERS_AT_MOST * found.length) return [];
  const cuts: bigint[] = [findDescribedSinceNs(found)];
  let before = 0;
  for (const { timeNs, jobs } of readCounts(slots)) {
    if (before > 0 && before + jobs > JOBS_OF_PART) {
      cuts.push(timeNs);
      before = 0;
    }
    // A slot of very many jobs.
    const pieces = Math.ceil(jobs / JOBS_OF_PART);
    for (let piece = 1; piece < pieces; piece++) cuts.push(timeNs + (SLOT_NS * BigInt(piece)) / BigInt(pieces));
    before += jobs / Math.max(1, pieces);
  }
  return cuts.map((fromNs, at) => ({ fromNs, beforeNs: cuts[at + 1] }));
}

function readCounts(result: ReadableResult): ReadonlyArray<{ readonly timeNs: bigint; readonly jobs: number }> {
  return listSeries(result).flatMap((series) =>
    listRows(series).map((row) => ({ timeNs: row.timeNs, jobs: row.number('jobs') ?? 0 }))
  );
}
