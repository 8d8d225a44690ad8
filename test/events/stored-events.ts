import { createEventPoint, createJobPoint, type JobDescription, type JsonValue } from '@joblens/core/schema/job-point';
import { createTransitionPoint, type TransitionOrigin } from '@joblens/core/schema/transition-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';

/** 2023-11-14T22:13:20Z. */
export const START_MS = 1_700_000_000_000;

/** The time this many seconds after the start. */
export function atNs(seconds: number): bigint {
  return BigInt(START_MS + seconds * 1000) * 1_000_000n;
}

interface StoredChange {
  readonly origin?: TransitionOrigin;
  readonly fromState?: string;
  readonly toState: string;
  readonly data?: JsonValue;
}

/** A change of state as the ingester writes it, at so many seconds. */
export function createChange(source: JobSource, seconds: number, change: StoredChange): Point[] {
  const { origin = 'slurm', data = {}, ...states } = change;
  const timeNs = atNs(seconds) + 1n;
  return [
    createEventPoint(source, { topic: 'state', origin, ...states, data }, timeNs),
    createTransitionPoint(source, { origin, ...states, data: JSON.stringify(data) }, timeNs),
  ];
}

function createRun(job: string, user: string, seconds: number, end: string, description: JobDescription): Point[] {
  const source = { job, user };
  const exit = end === 'FAILED' ? { exit_code: 1, reason: 'out of "memory"' } : {};
  return [
    createJobPoint(source, { ...description, state: end }, atNs(seconds)),
    ...createChange(source, seconds, { toState: 'PENDING' }),
    ...createChange(source, seconds + 10, { fromState: 'PENDING', toState: 'RUNNING', data: { nodes: 2 } }),
    ...createChange(source, seconds + 100, { fromState: 'RUNNING', toState: end, data: exit }),
    // The job was run with `joblens run`, too.
    createTransitionPoint(source, { origin: 'slurm-job', toState: 'RUNNING' }, atNs(seconds + 11)),
  ];
}

function createLogged(source: JobSource, topic: string, seconds: number, data: JsonValue): Point {
  return createEventPoint(source, { topic, data }, atNs(seconds));
}

const ANN: JobSource = { job: '101', user: 'ann' };
const DASK: JobSource = { job: 'dask-1', user: 'bob' };
/** What Dask's own log has for two tasks. */
const TASKS: readonly (readonly [number, JsonValue])[] = [
  [300, ['sum-1', 'released', 'waiting', { 'inc-1': 'processing' }, 'update-graph-1', 1_700_000_300]],
  [301, { key: 'inc-1', start: 'released', finish: 'waiting', recommendations: {}, stimulus_id: 'update-graph-1' }],
  [302, { key: 'inc-1', start: 'waiting', finish: 'processing', recommendations: {}, stimulus_id: 'task-2' }],
  [303, ['inc-10', 'waiting', 'processing', {}, 'task-3', 1_700_000_303]],
  [304, ['other', 'waiting', 'memory', { 'inc-1': 'released' }, 1_700_000_304]],
];

/** Three jobs of Slurm, and a job whose events were logged by itself. */
export const EVENT_POINTS: readonly Point[] = [
  ...createRun('101', 'ann', 0, 'COMPLETED', { schedulerId: '9101', tags: { experiment: 'foo', team: 'a' } }),
  ...createRun('102_1', 'ann', 20, 'FAILED', { schedulerId: '9102', tags: { experiment: 'foo' } }),
  ...createRun('103', "o'hara", 40, 'COMPLETED', { schedulerId: '9103', tags: { experiment: 'bar' } }),
  createLogged(ANN, 'runtimes', 200, { step: 1, seconds: 2.5, note: 'a "quoted" note' }),
  createLogged(ANN, 'runtimes', 201, { step: 2, seconds: 3.5 }),
  createLogged(DASK, 'runtimes', 202, ['any', 'JSON', 1]),
  createLogged(DASK, 'a topic, with=all', 203, 'text'),
  ...TASKS.map(([seconds, data]) => createLogged(DASK, 'transitions', seconds, data)),
];
