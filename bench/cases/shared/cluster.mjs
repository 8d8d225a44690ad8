// The jobs of a cluster in one week, as line protocol: what dashboard Cluster is made of.
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '../../../core/dist/schema/heartbeat-point.js';
import { createJobPoint } from '../../../core/dist/schema/job-point.js';
import { createTransitionPoint } from '../../../core/dist/schema/transition-point.js';
import { DATABASE, send } from '../../influxdb.mjs';

export const CLUSTER_END_MS = Date.UTC(2026, 10, 22, 16);
export const WEEK_MS = 7 * 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const JOBS_A_REQUEST = 2000;
const [USERS, ACCOUNTS] = [200, 20];

/**
 * Writes the changes of state of jobs that are submitted evenly over the week, their descriptions, and the heartbeats
 * that the end of the week asks for.
 */
export async function writeCluster(url, count) {
  for (let first = 0; first < count; first += JOBS_A_REQUEST) {
    let body = '';
    for (let i = first; i < Math.min(count, first + JOBS_A_REQUEST); i++) {
      for (const point of createPoints(i, count)) body += `${formatPoint(point)}\n`;
    }
    await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body });
  }
}

/** A job that waits for up to 4 hours and runs for up to 6; one in ten fails. */
function* createPoints(i, count) {
  const source = { job: String(9_000_000 + i), user: `user${i % USERS}` };
  const [nodes, waitS, runtimeS] = [1 + (i % 7), (i * 7919) % 14_400, 60 + ((i * 104_729) % 21_600)];
  const size = { account: `account${i % ACCOUNTS}`, nodes, cpus: 64 * nodes };
  const known = { origin: 'slurm', name: 'train', ...size };
  const submittedMs = Math.floor(CLUSTER_END_MS - WEEK_MS + (i * WEEK_MS) / count);
  const startedMs = submittedMs + 1000 * waitS;
  const endedMs = startedMs + 1000 * runtimeS;
  const hasFailed = i % 10 === 0;
  const toState = hasFailed ? 'FAILED' : 'COMPLETED';
  yield createTransitionPoint(source, { ...known, toState: 'PENDING' }, toNs(submittedMs));
  yield createTransitionPoint(source, { ...known, fromState: 'PENDING', toState: 'RUNNING', waitS }, toNs(startedMs));
  yield createTransitionPoint(source, { ...known, fromState: 'RUNNING', toState, runtimeS, startedMs }, toNs(endedMs));
  const reason = hasFailed ? { reason: `exit code 1: RuntimeError: shard ${i} is missing (load.py:33)` } : {};
  const times = { submittedMs, startedMs, endedMs };
  const end = { name: 'train', state: toState, nodes, exitCode: hasFailed ? 1 : 0, ...times, ...reason };
  yield createJobPoint(source, end, toNs(endedMs));
  for (const grid of HEARTBEAT_GRIDS) {
    const fromMs = Math.max(submittedMs, CLUSTER_END_MS - DAY_MS);
    for (let slotMs = findSlotStartMs(fromMs, grid); slotMs <= endedMs; slotMs += grid.slotMs) {
      const untilMs = slotMs + grid.slotMs;
      const state = untilMs > endedMs ? toState : untilMs > startedMs ? 'RUNNING' : 'PENDING';
      yield createHeartbeatPoint(source, grid, slotMs, {
        ...{ state, ...size },
        ...(state !== 'PENDING' && { startedMs }),
      });
    }
  }
}

const toNs = (ms) => BigInt(ms) * 1_000_000n;
