import type { MEASUREMENT } from '../schema/measurements.js';

/** Where a point says to which job it belongs. */
export type JobPlace = 'tag' | 'field';

/** What a measurement is like to those who may see a part of it. All have the tag `user`. */
export interface ReadMeasurement {
  readonly name: string;
  readonly job: JobPlace;
  /**
   * Which fields it has: those that Joblens gives it, the keys of tables (in `job_series`), or any. Names of the latter
   * two tell what others do.
   */
  readonly fields: 'fixed' | 'keys' | 'any';
  /** Written by other programs, and named by the operator. */
  readonly isOther?: true;
}

type Name = (typeof MEASUREMENT)[keyof typeof MEASUREMENT];

const OWN: Readonly<Record<Name, Omit<ReadMeasurement, 'name'>>> = {
  job: { job: 'tag', fields: 'fixed' },
  job_event: { job: 'tag', fields: 'any' },
  job_heartbeat: { job: 'field', fields: 'fixed' },
  job_label: { job: 'field', fields: 'fixed' },
  job_log: { job: 'tag', fields: 'fixed' },
  job_metadata: { job: 'tag', fields: 'keys' },
  job_metadata_bucket: { job: 'tag', fields: 'keys' },
  job_metadata_text: { job: 'tag', fields: 'keys' },
  job_series: { job: 'tag', fields: 'fixed' },
  job_share: { job: 'tag', fields: 'fixed' },
  job_span: { job: 'tag', fields: 'fixed' },
  job_span_level: { job: 'tag', fields: 'fixed' },
  job_text: { job: 'tag', fields: 'fixed' },
  job_transition: { job: 'field', fields: 'fixed' },
};

/** The measurements that are answered about: Joblens's own, and those that the operator names. */
export function listMeasurements(others: readonly string[] = []): readonly ReadMeasurement[] {
  const own = Object.entries(OWN).map(([name, rest]) => ({ name, ...rest }));
  const names = [...new Set(others)].filter((name) => !Object.hasOwn(OWN, name) && isNameable(name));
  return [...own, ...names.map((name) => ({ name, job: 'tag', fields: 'any', isOther: true }) as const)];
}

/** InfluxDB's own measurements (`_series`, `_fieldKeys`) begin with `_`. */
function isNameable(name: string): boolean {
  return name !== '' && !name.startsWith('_');
}
