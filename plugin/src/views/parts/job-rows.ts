import type { DataFrame } from '@grafana/data';
import { readValues } from '../../frames/field-values.js';
import { readFrameMeta } from '../../frames/frame-meta.js';

/** One job of a frame that the query type Jobs made. Times are in milliseconds since the epoch. */
export interface JobRow {
  readonly job: string;
  readonly user: string;
  readonly name: string | undefined;
  readonly state: string | undefined;
  readonly reason: string | undefined;
  /** How much of it is done, 0 to 1. */
  readonly progress: number | undefined;
  /** How long it still takes, if the store says so. */
  readonly remainingS: number | undefined;
  readonly submittedMs: number | undefined;
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  readonly durationMs: number | undefined;
  readonly nodes: number | undefined;
  readonly queue: string | undefined;
  readonly host: string | undefined;
  readonly exitCode: number | undefined;
  readonly command: string | undefined;
  readonly workdir: string | undefined;
  readonly schedulerId: string | undefined;
  /** JSON, as stored. */
  readonly config: string | undefined;
  readonly note: string | undefined;
  /** `key=value` each. */
  readonly tags: readonly string[];
  /** The last metadata values, as many as a line holds: `epoch 3, loss 0.2134, +5`. */
  readonly values: string | undefined;
  /** All of them, `epoch 3` each. */
  readonly lastValues: readonly string[];
  /** The job's own time range, as a link has it: milliseconds, or `now` while the job runs. */
  readonly from: string;
  readonly to: string;
}

/**
 * When the job ended, or was seen last where nobody says its end; undefined while it is taken to live. `to` is a little
 * later, since the last points are.
 */
export function readEndMs({ endedMs, startedMs, durationMs, to }: JobRow): number | undefined {
  if (to === 'now') return undefined;
  if (endedMs !== undefined) return endedMs;
  return startedMs === undefined || durationMs === undefined ? Number(to) : startedMs + durationMs;
}

/** The parts of a query for one job: another user's job may have its id. */
export function selectJob({ job, user }: Pick<JobRow, 'job' | 'user'>): {
  readonly job: string[];
  readonly user?: string[];
} {
  return { job: [job], ...(user !== '' && { user: [user] }) };
}

/** The jobs in these frames, in their order. Frames of other kinds have none. */
export function readJobRows(frames: readonly DataFrame[]): readonly JobRow[] {
  return frames.filter((frame) => readFrameMeta(frame)?.kind === 'jobs').flatMap(readFrame);
}

function readFrame(frame: DataFrame): JobRow[] {
  const columns = new Map(frame.fields.map((field) => [field.name, readValues(field)]));
  const ids = columns.get('job') ?? [];
  return ids.map((_id, row) => {
    const text = (name: string): string | undefined => {
      const value = columns.get(name)?.[row];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const number = (name: string): number | undefined => {
      const value = columns.get(name)?.[row];
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    };
    return {
      job: text('job') ?? '',
      user: text('user') ?? '',
      name: text('name'),
      state: text('state'),
      reason: text('reason'),
      progress: number('progress'),
      remainingS: number('remaining'),
      submittedMs: number('submitted'),
      startedMs: number('started'),
      endedMs: number('ended'),
      durationMs: number('duration'),
      nodes: number('nodes'),
      queue: text('queue'),
      host: text('host'),
      exitCode: number('exit_code'),
      command: text('command'),
      workdir: text('workdir'),
      schedulerId: text('scheduler_id'),
      config: text('config'),
      note: text('note'),
      tags: splitTags(text('tags')),
      values: text('values'),
      lastValues: readTexts(text('last_values')),
      from: text('from') ?? '',
      to: text('to') ?? 'now',
    };
  });
}

/** A list that was stored before the field was, or was changed by others, has none. */
function readTexts(json: string | undefined): readonly string[] {
  if (json === undefined) return [];
  try {
    const texts: unknown = JSON.parse(json);
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
  } catch {
    return [];
  }
}

/** A comma inside a value does not divide, unless a `key=` follows it. */
export function splitTags(tags: string | undefined): readonly string[] {
  return tags === undefined ? [] : tags.split(/, (?=[^,=]+=)/);
}
