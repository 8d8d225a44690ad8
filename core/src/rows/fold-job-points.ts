import { parseJsonObject } from '../json/bounded-json.js';
import { JOB_FIELDS, type JobDescription } from '../schema/job-point.js';
import type { Timed } from './newest-first.js';

/** One stored change of a job's description, by field of the `job` measurement. */
export interface JobFields extends Timed {
  readonly values: ReadonlyMap<string, unknown>;
}

/** The current description of a job. Times are in milliseconds since the epoch. */
export interface JobState extends JobDescription {
  /** The earliest start of all its runs (or, if it never started, submission). */
  readonly firstMs?: number;
  /** Time of the newest change. */
  readonly changedNs?: bigint;
}

/**
 * Folds a job's changes, oldest first: each field keeps its newest value, and so does each tag. A new run (a later
 * start, or a later submission of a requeued job) removes how the run before it ended; another state removes the reason
 * of the last one.
 */
export function foldJobPoints(points: readonly JobFields[]): JobState {
  const current = new Map<string, string | number>();
  let firstMs: number | undefined;
  let changedNs: bigint | undefined;
  let tags: Tags | undefined;
  for (const point of points) {
    changedNs = point.timeNs;
    for (const field of listOutdated(current, point)) current.delete(field);
    if (isOtherState(current, point)) current.delete(JOB_FIELDS.reason);
    for (const [field, value] of point.values) {
      if (typeof value === 'number' || typeof value === 'string') current.set(field, value);
    }
    tags = changeTags(tags, point.values.get(JOB_FIELDS.tags));
    const beginMs = numberOf(current.get(JOB_FIELDS.startedMs)) ?? numberOf(current.get(JOB_FIELDS.submittedMs));
    if (beginMs !== undefined && (firstMs === undefined || beginMs < firstMs)) firstMs = beginMs;
  }
  return {
    ...readState(current),
    ...(tags !== undefined && { tags }),
    ...(firstMs !== undefined && { firstMs }),
    ...(changedNs !== undefined && { changedNs }),
  };
}

/** What a run ended with, or had come to. */
const OF_ONE_RUN = [
  JOB_FIELDS.endedMs,
  JOB_FIELDS.exitCode,
  JOB_FIELDS.reason,
  JOB_FIELDS.progress,
  JOB_FIELDS.remainingS,
  JOB_FIELDS.usedMemoryBytes,
];

/** The fields of an earlier run that are no longer true after this change. */
function listOutdated(current: ReadonlyMap<string, unknown>, point: JobFields): readonly string[] {
  const started = numberOf(point.values.get(JOB_FIELDS.startedMs));
  const submitted = numberOf(point.values.get(JOB_FIELDS.submittedMs));
  const ended = numberOf(current.get(JOB_FIELDS.endedMs));
  const lastStart = numberOf(current.get(JOB_FIELDS.startedMs));
  if (submitted !== undefined && lastStart !== undefined && submitted > lastStart) {
    return [JOB_FIELDS.startedMs, ...OF_ONE_RUN];
  }
  if (started !== undefined && ended !== undefined && started >= ended && started !== lastStart) {
    return OF_ONE_RUN;
  }
  return [];
}

/** A reason is that of one state. */
function isOtherState(current: ReadonlyMap<string, unknown>, { values }: JobFields): boolean {
  const state = values.get(JOB_FIELDS.state);
  return typeof state === 'string' && state !== current.get(JOB_FIELDS.state);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const TEXT_PARTS = [
  ...(['name', 'state', 'reason', 'command', 'queue', 'account'] as const),
  ...(['host', 'workdir', 'schedulerId', 'config', 'manifest', 'note'] as const),
] as const;
const NUMBER_PARTS = [
  ...(['progress', 'remainingS', 'nodes', 'exitCode', 'submittedMs', 'startedMs', 'endedMs'] as const),
  ...(['requestedCpus', 'requestedGpus', 'requestedMemoryBytes', 'timeLimitS', 'usedMemoryBytes'] as const),
] as const;

function readState(current: ReadonlyMap<string, string | number>): JobState {
  const state: { -readonly [P in keyof JobState]: JobState[P] } = {};
  for (const part of TEXT_PARTS) {
    const value = current.get(JOB_FIELDS[part]);
    if (value !== undefined) state[part] = String(value);
  }
  for (const part of NUMBER_PARTS) {
    const value = numberOf(current.get(JOB_FIELDS[part]));
    if (value !== undefined) state[part] = value;
  }
  return state;
}

type Tags = Readonly<Record<string, string>>;

/** `json`: an object of texts of one of several writers; a null takes the tag away, others count for nothing. */
function changeTags(tags: Tags | undefined, json: unknown): Tags | undefined {
  const changes = typeof json === 'string' ? parseJsonObject(json) : undefined;
  if (changes === undefined) return tags;
  const known = new Map(Object.entries(tags ?? {}));
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === 'string') known.set(name, value);
    else if (value === null) known.delete(name);
  }
  return Object.fromEntries(known);
}
