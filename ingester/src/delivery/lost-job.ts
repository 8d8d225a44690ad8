import { NS_PER_MS, NS_PER_S } from '@joblens/core/numbers/time-units';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createEventPoint, createJobPoint, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import type { OpenJob } from '../spool/open-job.js';
import type { PointBatch } from '../queue/point-queue.js';

/**
 * Describes a job whose logging was killed: it is LOST from the last sign of life on, though the command itself may
 * have lived longer. Slurm's report wins, whether it comes before or after: Slurm dates the end to the second in which
 * it was, or later, and this point is dated to the beginning of the second.
 */
export function describeLostJob(
  { job, user, state, sinceNs, origin = 'job' }: OpenJob,
  lastSignNs: bigint
): PointBatch {
  const secondNs = lastSignNs - (lastSignNs % NS_PER_S);
  const startNs = BigInt(sinceNs);
  const timeNs = secondNs > startNs ? secondNs : startNs + NS_PER_MS;
  const data = { reason: 'joblens was killed; the job may have continued without being logged' };
  const change = { fromState: state, toState: 'LOST' };
  const points = [
    createJobPoint({ job, user }, { state: 'LOST', endedMs: Number(timeNs / NS_PER_MS) }, timeNs),
    createEventPoint({ job, user }, { topic: STATE_TOPIC, origin, ...change, data }, timeNs),
    createTransitionPoint({ job, user }, { origin, ...change, data: JSON.stringify(data) }, timeNs),
  ];
  return { bytes: Buffer.from(points.map((point) => `${formatPoint(point)}\n`).join('')), points: points.length };
}
