import { NS_PER_MS } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import { hashFnv1a64 } from './fnv-hash.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';

/**
 * Who saw a change of state: Slurm itself, a `run` inside a job of Slurm, or a `run` elsewhere. Where Slurm tells of
 * its jobs, what they tell of themselves does not count. An `allocation` is a job of a scheduler that only holds the
 * nodes on which another program runs its jobs (Balsam's batch jobs): its nodes are there, and it is no job beside.
 */
export type TransitionOrigin = 'slurm' | 'slurm-job' | 'job' | 'allocation';

/** One change of a job's state, with what questions over many jobs need of the job. */
export interface Transition {
  readonly origin: TransitionOrigin;
  readonly fromState?: string | undefined;
  readonly toState: string;
  readonly account?: string | undefined;
  readonly name?: string | undefined;
  readonly nodes?: number | undefined;
  /** In all. */
  readonly cpus?: number | undefined;
  readonly gpus?: number | undefined;
  /** On the way to RUNNING: how long it had waited, in seconds. */
  readonly waitS?: number | undefined;
  /** On the way out of RUNNING: how long it had run, in seconds, and since when, in ms since the epoch. */
  readonly runtimeS?: number | undefined;
  readonly startedMs?: number | undefined;
  /** That of its event, JSON; left out where that is empty. */
  readonly data?: string | undefined;
}

/** The tags and fields of `job_transition`, besides `user`. */
const TRANSITION_NAMES = {
  origin: 'source',
  fromState: 'from_state',
  toState: 'to_state',
  account: 'account',
  job: 'job',
  name: 'name',
  nodes: 'nodes',
  cpus: 'cpus',
  gpus: 'gpus',
  waitS: 'wait_s',
  runtimeS: 'runtime_s',
  startedMs: 'started',
  data: 'data',
} as const satisfies Record<keyof Transition | 'job', string>;

const TAGS = ['origin', 'fromState', 'toState', 'account'] as const;
const FIELDS = ['name', 'nodes', 'cpus', 'gpus', 'waitS', 'runtimeS', 'startedMs', 'data'] as const;

/**
 * The time of a job's transition: its millisecond, and a place in it that is the job's own, since `job` is not a tag.
 * The digits at the end of the job's id are its place, so that neighbours (the tasks of an array, which change state at
 * the same time) never share one.
 */
export function findTransitionNs({ job }: JobSource, timeNs: bigint): bigint {
  const [, stem = '', digits = ''] = /^(.*?)(\d{0,15})$/s.exec(job) ?? [];
  const place = BigInt(`0x${hashFnv1a64(stem)}`) + BigInt(digits === '' ? 0 : digits);
  return timeNs - (timeNs % NS_PER_MS) + (place % NS_PER_MS);
}

/** The point of a transition: the same one whenever it is written again. */
export function createTransitionPoint(source: JobSource, transition: Transition, timeNs: bigint): Point {
  const tags = new Map([['user', encodeTagValue(source.user)]]);
  for (const part of TAGS) {
    const value = transition[part];
    if (value !== undefined && value !== '') tags.set(TRANSITION_NAMES[part], encodeTagValue(value));
  }
  const fields = new Map<string, string | number>([[TRANSITION_NAMES.job, encodeTagValue(source.job)]]);
  for (const part of FIELDS) {
    const value = transition[part];
    if (value !== undefined) fields.set(TRANSITION_NAMES[part], value);
  }
  for (const [name, value] of listUsedSeconds(transition)) fields.set(name, value);
  return { measurement: MEASUREMENT.transition, tags, fields, timeNs: findTransitionNs(source, timeNs) };
}

/** Size times runtime: stores add up fields, not products. A job of unknown size has one node and one processor. */
function listUsedSeconds({ runtimeS, nodes = 1, cpus = 1, gpus = 0 }: Transition): ReadonlyArray<[string, number]> {
  if (runtimeS === undefined) return [];
  return [
    ['node_s', runtimeS * nodes],
    ['cpu_s', runtimeS * cpus],
    ['gpu_s', runtimeS * gpus],
  ];
}
