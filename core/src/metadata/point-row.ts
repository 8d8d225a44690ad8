import type { FieldValue, Point } from '../point/point.js';
import { compareCodePoints } from '../point/utf8.js';
import { type JobSource, MEASUREMENT } from '../schema/measurements.js';
import type { PrintedRow } from '../table/metadata-row.js';

/** How the points of other programs name their jobs. */
export interface PointRowRules {
  /** The tags that name a job; the first that a point has counts. */
  readonly jobTags: readonly string[];
  /** The user of jobs whose points have no tag `user`. */
  readonly user: string;
}

/** A point of another program as a row of the job that it names. */
export interface PointRow extends Pick<PrintedRow, 'row' | 'jsonKeys'> {
  readonly source: JobSource;
  /** The measurement, then the tags that name neither job nor user (createSeriesName): rows of a table share them. */
  readonly origin: readonly string[];
}

export const DEFAULT_JOB_TAGS: readonly string[] = ['job', 'job_id'];

const USER_TAG = 'user';
/** pytelegraf and others give it to the field of a point that has only one. */
const VALUE_FIELD = 'value';

/** Whether points of this measurement are Joblens' own: they are no rows of other programs. */
function isOwnMeasurement(measurement: string): boolean {
  return measurement === MEASUREMENT.job || measurement.startsWith(`${MEASUREMENT.job}_`);
}

/** What Slurm samples of each task, and the tags of a sample (acct_gather_profile_influxdb.c). */
const SLURM_SAMPLES: ReadonlySet<string> = new Set([
  ...['CPUFrequency', 'CPUTime', 'CPUUtilization', 'RSS', 'VMSize', 'Pages', 'ReadMB', 'WriteMB'],
]);
const SLURM_TAGS = ['job', 'step', 'task', 'host'] as const;

/** Nobody sent it as a row: eight tables of one number for each task would bury those that the job prints. */
function isSlurmSample({ measurement, tags }: Point): boolean {
  return SLURM_SAMPLES.has(measurement) && SLURM_TAGS.every((tag) => tags.has(tag));
}

/**
 * The row that a point of another program is; undefined if it names no job, or is one of Joblens' own
 * or a sample of Slurm's. A field keeps
 * its name, but a field `value` gets that of the measurement, if no other field or tag has it. Tags are texts. A row of
 * equal keys and an equal origin has the time of its point alone, so a point that comes again is the same row.
 */
export function readPointRow(point: Point, rules: PointRowRules): PointRow | undefined {
  const { measurement, tags, fields } = point;
  const jobTag = rules.jobTags.find((name) => tags.has(name));
  const job = jobTag === undefined ? undefined : tags.get(jobTag);
  if (job === undefined || isOwnMeasurement(measurement) || isSlurmSample(point)) return undefined;
  const user = tags.get(USER_TAG) ?? rules.user;
  const others = [...tags].filter(([name]) => name !== jobTag && name !== USER_TAG);
  others.sort(([a], [b]) => compareCodePoints(a, b));
  const row = new Map<string, number | string>();
  const jsonKeys = new Set<string>();
  const isFree = !fields.has(measurement) && others.every(([name]) => name !== measurement);
  for (const [name, value] of fields) {
    const key = name === VALUE_FIELD && isFree ? measurement : name;
    row.set(key, toRowValue(value));
    if (typeof value === 'bigint') jsonKeys.add(key);
  }
  for (const [name, value] of others) if (!row.has(name)) row.set(name, value);
  const origin = [measurement, ...others.map(([name, value]) => `${name.replace(/[\\=]/g, '\\$&')}=${value}`)];
  return { source: { job, user }, origin, row, jsonKeys };
}

function toRowValue(value: FieldValue): number | string {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
