import type { Point } from '../point/point.js';
import { encodeFieldKey } from './field-name.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';
import { jobTags } from './source-tags.js';
import type { TransitionOrigin } from './transition-point.js';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The description of a job. One may hold a part, and a later one the rest. Times are in milliseconds since the epoch.
 */
export interface JobDescription {
  readonly name?: string;
  readonly state?: string;
  /** Why the job is in this state, in a few words for people: what made it fail, or what it waits for. */
  readonly reason?: string;
  /** How much of the job is done, 0 to 1. */
  readonly progress?: number;
  /** How long the job still takes, in seconds, or UNKNOWN_REMAINING_S. */
  readonly remainingS?: number;
  readonly command?: string;
  /** How many nodes the job has. */
  readonly nodes?: number;
  readonly queue?: string;
  /** On whose account the scheduler counts it. */
  readonly account?: string;
  readonly host?: string;
  readonly workdir?: string;
  readonly exitCode?: number;
  /** The scheduler's raw id, if it differs from the job's (array tasks, site prefix). */
  readonly schedulerId?: string;
  /** JSON, with each number as it was printed. */
  readonly config?: string;
  /** JSON (formatManifest). */
  readonly manifest?: string;
  /** What people say of it. */
  readonly note?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** What the job asked for: processors and GPUs in all, memory on each node. */
  readonly requestedCpus?: number;
  readonly requestedGpus?: number;
  readonly requestedMemoryBytes?: number;
  readonly timeLimitS?: number;
  /** The most memory that one of its tasks used, by the scheduler's accounting. */
  readonly usedMemoryBytes?: number;
  readonly submittedMs?: number;
  readonly startedMs?: number;
  readonly endedMs?: number;
}

/** In place of a progress that was told and does not hold: the bar began again, so it was not that of the whole. */
export const UNKNOWN_PROGRESS = -1;

/** In place of a time left that is not known any more: a field of a point can be overwritten, and not taken away. */
export const UNKNOWN_REMAINING_S = -1;

/** Field of the `job` measurement for each part of the description. */
export const JOB_FIELDS = {
  name: 'name',
  state: 'state',
  reason: 'reason',
  progress: 'progress',
  remainingS: 'remaining_s',
  command: 'command',
  nodes: 'nodes',
  queue: 'queue',
  account: 'account',
  host: 'host',
  workdir: 'workdir',
  exitCode: 'exit_code',
  schedulerId: 'scheduler_id',
  config: 'config',
  manifest: 'manifest',
  note: 'note',
  tags: 'tags',
  requestedCpus: 'requested_cpus',
  requestedGpus: 'requested_gpus',
  requestedMemoryBytes: 'requested_memory_bytes',
  timeLimitS: 'time_limit_s',
  usedMemoryBytes: 'used_memory_bytes',
  submittedMs: 'submitted',
  startedMs: 'started',
  endedMs: 'ended',
} as const satisfies Record<keyof JobDescription, string>;

/** Tags that are fields of their own too, for those who query the store directly. */
const NAMED_TAGS = ['experiment', 'group'] as const;

/** The topic of events that are changes of the job's state. */
export const STATE_TOPIC = 'state';

export interface JobEvent {
  readonly topic: string;
  /** Set on a change of state that a `job_transition` tells of too: who saw it. */
  readonly origin?: TransitionOrigin | undefined;
  readonly fromState?: string;
  readonly toState?: string;
  readonly data: JsonValue;
  /** The data as JSON, where numbers in `data` may have lost digits. */
  readonly json?: string;
}

/** The `job` point for the changes of a job's description. Throws a TypeError if there are none. */
export function createJobPoint(source: JobSource, description: JobDescription, timeNs: bigint): Point {
  const fields = new Map<string, string | number>();
  for (const part of Object.keys(JOB_FIELDS) as Array<keyof JobDescription>) {
    const value = description[part];
    if (value !== undefined) {
      fields.set(JOB_FIELDS[part], typeof value === 'object' ? JSON.stringify(value) : value);
    }
  }
  for (const name of NAMED_TAGS) {
    const value = description.tags?.[name];
    if (value !== undefined) fields.set(name, value);
  }
  if (fields.size === 0) {
    throw new TypeError(`The description of job ${source.job} is empty: there is nothing to store`);
  }
  return { measurement: MEASUREMENT.job, tags: new Map(jobTags(source)), fields, timeNs };
}

/**
 * The `job` point that changes tags of a job and nothing else. `tags` are all that it has then, so that those who read
 * the newest alone know them; `removed` are taken away from those of other writers, too.
 */
export function createTagsPoint(
  source: JobSource,
  tags: Readonly<Record<string, string>>,
  removed: readonly string[],
  timeNs: bigint
): Point {
  const none = removed.map((name) => [name, null] as const);
  const { fields, ...point } = createJobPoint(source, { tags }, timeNs);
  const emptied = NAMED_TAGS.filter((name) => removed.includes(name)).map((name) => [name, ''] as const);
  const json = JSON.stringify({ ...tags, ...Object.fromEntries(none) });
  return { ...point, fields: new Map([...fields, ...emptied, [JOB_FIELDS.tags, json]]) };
}

/**
 * By this tag the store tells changes of state that a `job_transition` tells of too from those of programs that write
 * `job_event` alone.
 */
export const ORIGIN_TAG = 'state_source';

/** Numbers of these names stay in the JSON only, because the point has a text or a tag of that name. */
const EVENT_NAMES: ReadonlySet<string> = new Set([...['data', 'topic', 'from_state', 'to_state'], ORIGIN_TAG]);

/**
 * The `job_event` point of an event: its data as JSON, and each number at the top level of the data as a float field
 * too.
 */
export function createEventPoint(source: JobSource, event: JobEvent, timeNs: bigint): Point {
  const tags = new Map([...jobTags(source), ['topic', encodeTagValue(event.topic)] as const]);
  if (event.fromState !== undefined) {
    tags.set('from_state', encodeTagValue(event.fromState));
  }
  if (event.toState !== undefined) {
    tags.set('to_state', encodeTagValue(event.toState));
  }
  if (event.origin !== undefined) {
    tags.set(ORIGIN_TAG, event.origin);
  }
  const fields = new Map<string, string | number>([['data', event.json ?? JSON.stringify(event.data)]]);
  if (isJsonObject(event.data)) {
    for (const [key, value] of Object.entries(event.data)) {
      if (typeof value === 'number' && Number.isFinite(value) && !EVENT_NAMES.has(key)) {
        fields.set(encodeFieldKey(key), value);
      }
    }
  }
  return { measurement: MEASUREMENT.event, tags, fields, timeNs };
}

function isJsonObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
