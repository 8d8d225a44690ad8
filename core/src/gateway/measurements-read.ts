import type { MEASUREMENT } from '../schema/measurements.js';

/** Where a point says to which job it belongs. */
export type JobPlace = 'tag' | 'field';

/** What a measurement is like to those who may see a part of it. All have the tag `user`. */
export interface ReadMeasurement {
  readonly name: string;
  readonly job: JobPlace;
  /** All that Joblens gives it; of others, only `user` is known. */
  readonly tags: readonly string[];
  /** Fields whose names are those of tags elsewhere. */
  readonly fieldsLikeTags?: readonly string[];
  /**
   * Which fields it has: those that Joblens gives it, the keys of tables (in `job_series`), or any. Names of the latter
   * two tell what others do.
   */
  readonly fields: 'fixed' | 'keys' | 'any';
  /** Written by other programs, and named by the operator. */
  readonly isOther?: true;
}

type Name = (typeof MEASUREMENT)[keyof typeof MEASUREMENT];

const JOB = ['job', 'user'] as const;
const TABLE = [...JOB, 'series', 'task'] as const;

/** docs/schema.md */
const OWN: Readonly<Record<Name, Omit<ReadMeasurement, 'name' | 'job'>>> = {
  job: { tags: JOB, fields: 'fixed', fieldsLikeTags: ['name'] },
  job_event: { tags: [...JOB, 'topic', 'from_state', 'to_state', 'state_source'], fields: 'any' },
  job_heartbeat: { tags: ['user', 'grid'], fields: 'fixed', fieldsLikeTags: ['job', 'account'] },
  job_label: { tags: ['user', 'key', 'value'], fields: 'fixed', fieldsLikeTags: ['job'] },
  job_log: { tags: [...JOB, 'stream', 'task'], fields: 'fixed' },
  job_metadata: { tags: TABLE, fields: 'keys' },
  job_metadata_bucket: { tags: [...TABLE, 'bucket_level', 'bucket_stat'], fields: 'keys' },
  job_metadata_text: { tags: TABLE, fields: 'keys' },
  job_series: { tags: TABLE, fields: 'fixed' },
  job_share: { tags: [...JOB, 'whom'], fields: 'fixed' },
  job_span: { tags: [...JOB, 'category', 'worker'], fields: 'fixed', fieldsLikeTags: ['name'] },
  job_span_level: { tags: [...JOB, 'task', 'category', 'worker', 'span_level'], fields: 'fixed' },
  job_text: { tags: [...JOB, 'name'], fields: 'fixed' },
  job_transition: {
    tags: ['user', 'account', 'source', 'from_state', 'to_state'],
    fields: 'fixed',
    fieldsLikeTags: ['job', 'name'],
  },
};

/** The measurements that are answered about: Joblens's own, and those that the operator names. */
export function listMeasurements(others: readonly string[] = []): readonly ReadMeasurement[] {
  if (others.length === 0) return OWN_LIST;
  const names = [...new Set(others)].filter((name) => !Object.hasOwn(OWN, name) && isNameable(name));
  return [...OWN_LIST, ...names.map((name) => ({ ...OTHER, name }))];
}

const OTHER = { job: 'tag', tags: ['user'], fields: 'any', isOther: true } as const;

const OWN_LIST: readonly ReadMeasurement[] = Object.entries(OWN).map(([name, rest]) => ({
  name,
  job: jobPlace(rest),
  ...rest,
}));

function jobPlace({ tags }: Pick<ReadMeasurement, 'tags'>): JobPlace {
  return tags.includes('job') ? 'tag' : 'field';
}

/** The tags of one of Joblens's own measurements; undefined for others. No field of it may have their names. */
export function findOwnTags(measurement: string): readonly string[] | undefined {
  return Object.hasOwn(OWN, measurement) ? OWN[measurement as Name].tags : undefined;
}

/**
 * Where a measurement has what is named; undefined where it may have it anywhere, or not at all. Of others, `job` is
 * taken for a tag only beside further measurements (`isOneOfSeveral`), as the rights on shared jobs do.
 */
export function placeOf(
  { tags, fieldsLikeTags = [], isOther }: ReadMeasurement,
  name: string,
  isOneOfSeveral: boolean
): JobPlace | undefined {
  if (tags.includes(name) || (isOther === true && isOneOfSeveral && name === 'job')) return 'tag';
  return fieldsLikeTags.includes(name) ? 'field' : undefined;
}

/** InfluxDB's own measurements (`_series`, `_fieldKeys`) begin with `_`. */
function isNameable(name: string): boolean {
  return name !== '' && !name.startsWith('_');
}
