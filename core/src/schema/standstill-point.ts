import type { Point } from '../point/point.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { jobTags } from './source-tags.js';

/** For how long a running job has stood still, in seconds. */
export interface Standstill {
  /** Since its last output. */
  readonly silentS: number;
  /** Since its progress last rose; undefined where it tells none. */
  readonly stalledS: number | undefined;
}

/** The `job` point of a standstill, for alerts. It has no part of the job's description. */
export function createStandstillPoint(source: JobSource, { silentS, stalledS }: Standstill, timeNs: bigint): Point {
  const fields = new Map([['silent_s', silentS]]);
  if (stalledS !== undefined) fields.set('stalled_s', stalledS);
  return { measurement: MEASUREMENT.job, tags: new Map(jobTags(source)), fields, timeNs };
}
