import { followX } from '@joblens/core/axis/followed-x';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTransitionPoint, type TransitionOrigin } from '@joblens/core/schema/transition-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import {
  CPUS_PER_NODE,
  createRandom,
  GPUS_PER_NODE,
  MEMORY,
  simulateCluster,
  type SimulatedJob,
} from './demo-cluster.js';

type Transition = Parameters<typeof createTransitionPoint>[1];

const ROWS = 24;
const NOTICE = '(demo: this job never ran; its points are made up, to fill the dashboards Cluster and Events)';

/** The history of a small cluster as line protocol: what Joblens would have written about the jobs of the last day. */
export function createDemoHistory(nowMs: number): string {
  return simulateCluster(nowMs)
    .flatMap(listPoints)
    .map((point) => formatPoint(point))
    .join('\n');
}

function toNs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}

function listPoints(job: SimulatedJob): Point[] {
  const source = { job: job.job, user: job.user };
  return [
    ...listDescriptions(source, job),
    ...listTransitions(source, job),
    ...listHeartbeats(source, job),
    ...listLog(source, job),
    ...listTable(source, job),
  ];
}

function listDescriptions(source: JobSource, job: SimulatedJob): Point[] {
  const { name, account, nodes, submittedMs, startedMs, endedMs, state, exitCode, reason } = job;
  const asked = {
    ...{ requestedCpus: nodes * CPUS_PER_NODE, requestedGpus: nodes * GPUS_PER_NODE },
    requestedMemoryBytes: MEMORY.requestedBytes,
  };
  const used = state === 'OUT_OF_MEMORY' ? { usedMemoryBytes: MEMORY.usedBytes } : {};
  const tags = { purpose: 'demo', cluster: 'simulated' };
  const submitted = { name, account, nodes, queue: 'batch', submittedMs, tags, command: `./${name}.sh`, ...asked };
  return [
    createJobPoint(source, { ...submitted, state: 'PENDING' }, toNs(submittedMs)),
    createJobPoint(source, { state: 'RUNNING', startedMs }, toNs(startedMs)),
    createJobPoint(
      source,
      { state, endedMs, exitCode, ...used, ...(reason !== undefined && { reason }) },
      toNs(endedMs)
    ),
  ];
}

/** Slurm tells of all jobs of the demo. */
const ORIGIN: TransitionOrigin = 'slurm';

/** Each change of state as an event of its job, and for questions about all jobs. */
function listTransitions(source: JobSource, job: SimulatedJob): Point[] {
  const { account, name, nodes, submittedMs, startedMs, endedMs, state, exitCode, reason } = job;
  const runtimeS = (endedMs - startedMs) / 1000;
  const waitS = (startedMs - submittedMs) / 1000;
  const size = { account, name, nodes, cpus: nodes * CPUS_PER_NODE, gpus: nodes * GPUS_PER_NODE };
  const change = (timeMs: number, transition: Omit<Transition, 'origin'>, data: Record<string, string | number>) => {
    const { fromState, toState } = transition;
    const event = { topic: STATE_TOPIC, origin: ORIGIN, ...(fromState !== undefined && { fromState }), toState, data };
    return [
      createEventPoint(source, event, toNs(timeMs)),
      createTransitionPoint(
        source,
        { origin: ORIGIN, data: JSON.stringify(data), ...size, ...transition },
        toNs(timeMs)
      ),
    ];
  };
  const ended = { fromState: 'RUNNING', toState: state, runtimeS, startedMs };
  return [
    ...change(submittedMs, { toState: 'PENDING' }, { nodes }),
    ...change(startedMs, { fromState: 'PENDING', toState: 'RUNNING', waitS }, { nodes, wait_s: waitS }),
    ...change(endedMs, ended, { exit_code: exitCode, runtime_s: runtimeS, ...(reason !== undefined && { reason }) }),
  ];
}

/** One for each slot of time in which the job lived, as of the slot's end. */
function listHeartbeats(source: JobSource, { submittedMs, startedMs, endedMs, state }: SimulatedJob): Point[] {
  return HEARTBEAT_GRIDS.flatMap((grid) => {
    const points: Point[] = [];
    for (let slotMs = findSlotStartMs(submittedMs, grid); slotMs <= endedMs; slotMs += grid.slotMs) {
      const untilMs = slotMs + grid.slotMs;
      const now = untilMs > endedMs ? state : untilMs > startedMs ? 'RUNNING' : 'PENDING';
      points.push(createHeartbeatPoint(source, grid, slotMs, { state: now, ...(now !== 'PENDING' && { startedMs }) }));
    }
    return points;
  });
}

function listLog(source: JobSource, { name, nodes, startedMs, endedMs, state, reason }: SimulatedJob): Point[] {
  const last = state === 'COMPLETED' ? 'done' : (reason ?? state);
  const stream = state === 'COMPLETED' ? 'stdout' : 'stderr';
  return [
    createLogPoints(source, { line: NOTICE, kind: 'notice', stream: 'stdout', timeNs: toNs(startedMs) }),
    createLogPoints(source, {
      ...{ line: `${name}: starting on ${nodes} node${nodes === 1 ? '' : 's'}`, kind: 'output', stream: 'stdout' },
      timeNs: toNs(startedMs + 1),
    }),
    createLogPoints(source, { line: last, kind: 'output', stream, timeNs: toNs(endedMs - 1) }),
  ].flat();
}

/** A number that falls, as most jobs print one. */
function listTable(source: JobSource, { startedMs, endedMs }: SimulatedJob): Point[] {
  const random = createRandom(startedMs);
  const stats = createTableStats();
  const keys = ['step', 'residual'];
  const series = createSeriesName(keys);
  const stepMs = (endedMs - startedMs) / (ROWS + 1);
  const points = Array.from({ length: ROWS }, (_, at) => {
    const residual = Number((10 ** (-at / 12) * (1 + 0.2 * random())).toPrecision(4));
    const row = new Map([
      ['step', at + 1],
      ['residual', residual],
    ]);
    foldRow(stats, row);
    followX(stats);
    return createMetadataPoints(source, series, row, toNs(startedMs + (at + 1) * stepMs));
  });
  const x = inferXAxis(stats)?.key;
  const summary = { series, keys, stats, x, rows: ROWS, timeNs: toNs(startedMs + stepMs) };
  return [...points.flat(), createSeriesPoint(source, summary)];
}
