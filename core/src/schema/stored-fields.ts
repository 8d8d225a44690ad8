import type { FieldValue, Point } from '../point/point.js';
import type { Heartbeat, HEARTBEAT_FIELDS } from './heartbeat-point.js';
import type { JOB_FIELDS, JobDescription } from './job-point.js';
import type { MEASUREMENT } from './measurements.js';

/** The two types that Joblens stores: floats, and strings. */
export type StoredType = 'number' | 'text';

interface StoredFields {
  /** Fields that Joblens gives a name, with what they hold. */
  readonly named: Readonly<Record<string, StoredType>>;
  /** What fields hold whose names users give, as keys of tables and of events; undefined where there are none. */
  readonly others?: StoredType;
}

type TypeOf<V> = NonNullable<V> extends number ? 'number' : 'text';
/** A part whose type changes, or that is added, does not compile until the field says so. */
type FieldsOf<Parts, Names extends Record<keyof Parts, string>> = {
  readonly [P in keyof Parts as Names[P]]-?: TypeOf<Parts[P]>;
};

const JOB: FieldsOf<JobDescription, typeof JOB_FIELDS> = {
  name: 'text',
  state: 'text',
  reason: 'text',
  progress: 'number',
  remaining_s: 'number',
  command: 'text',
  nodes: 'number',
  queue: 'text',
  account: 'text',
  host: 'text',
  workdir: 'text',
  exit_code: 'number',
  scheduler_id: 'text',
  config: 'text',
  manifest: 'text',
  note: 'text',
  tags: 'text',
  requested_cpus: 'number',
  requested_gpus: 'number',
  requested_memory_bytes: 'number',
  time_limit_s: 'number',
  used_memory_bytes: 'number',
  submitted: 'number',
  started: 'number',
  ended: 'number',
};

const HEARTBEAT: FieldsOf<Heartbeat, typeof HEARTBEAT_FIELDS> = {
  state: 'text',
  started: 'number',
  progress: 'number',
  remaining_s: 'number',
  nodes: 'number',
  cpus: 'number',
  gpus: 'number',
  account: 'text',
  writer: 'text',
  watcher: 'text',
};

const TRANSITION_SIZES = { nodes: 'number', cpus: 'number', gpus: 'number' } as const;
const TRANSITION_SECONDS = { wait_s: 'number', runtime_s: 'number', node_s: 'number', cpu_s: 'number' } as const;
const SLOT = { starts: 'number', net: 'number', moment: 'number', busy_net: 'number', busy_moment: 'number' } as const;

/** The fields of each measurement, and what they hold (docs/schema.md). */
export const STORED_FIELDS: Readonly<Record<(typeof MEASUREMENT)[keyof typeof MEASUREMENT], StoredFields>> = {
  job: { named: { ...JOB, experiment: 'text', group: 'text', silent_s: 'number', stalled_s: 'number' } },
  job_event: { named: { data: 'text' }, others: 'number' },
  job_heartbeat: { named: { job: 'text', ...HEARTBEAT } },
  job_label: { named: { job: 'text' } },
  job_log: { named: { line: 'text', ansi: 'text', kind: 'text', part: 'number' } },
  job_metadata: { named: {}, others: 'number' },
  job_metadata_bucket: { named: { bucket_rows: 'number' }, others: 'number' },
  job_metadata_text: { named: {}, others: 'text' },
  job_series: { named: { keys: 'text', stats: 'text', x: 'text', rows: 'number', paths: 'text' } },
  job_share: { named: { shared: 'number', offered: 'number' } },
  job_span: { named: { id: 'text', name: 'text', duration_ms: 'number', data: 'text', part: 'text' } },
  job_span_level: { named: SLOT },
  job_text: { named: { line: 'text', part: 'number' } },
  job_transition: {
    named: {
      ...{ job: 'text', name: 'text', ...TRANSITION_SIZES, ...TRANSITION_SECONDS },
      ...{ gpu_s: 'number', started: 'number', data: 'text' },
    },
  },
};

/** What a field of a measurement holds; undefined where the measurement has no such field, or is none of Joblens. */
export function findStoredType(measurement: string, field: string): StoredType | undefined {
  const fields = findStoredFields(measurement);
  if (fields === undefined) return undefined;
  return Object.hasOwn(fields.named, field) ? fields.named[field] : fields.others;
}

/** What the fields of a measurement hold whose names users give; undefined where there are none. */
export function findKeysType(measurement: string): StoredType | undefined {
  return findStoredFields(measurement)?.others;
}

export type FieldFault =
  | { readonly kind: 'unknown'; readonly field: string }
  | { readonly kind: 'type'; readonly field: string; readonly expected: StoredType };

/**
 * The first field of a point of Joblens that it does not have, or not with this type; undefined also for other points.
 * A store gives a name one type a week: it would refuse the right one from everybody.
 */
export function findFieldFault({ measurement, fields }: Pick<Point, 'measurement' | 'fields'>): FieldFault | undefined {
  if (findStoredFields(measurement) === undefined) return undefined;
  for (const [field, value] of fields) {
    const expected = findStoredType(measurement, field);
    if (expected === undefined) return { kind: 'unknown', field };
    if (!isOfType(value, expected)) return { kind: 'type', field, expected };
  }
  return undefined;
}

function findStoredFields(measurement: string): StoredFields | undefined {
  return Object.hasOwn(STORED_FIELDS, measurement)
    ? STORED_FIELDS[measurement as keyof typeof STORED_FIELDS]
    : undefined;
}

function isOfType(value: FieldValue, expected: StoredType): boolean {
  return typeof value === (expected === 'number' ? 'number' : 'string');
}
