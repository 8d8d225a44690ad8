import { createTagSet } from '../point/tag-set.js';
import type { BucketStat } from '../table/bucket-fold.js';
import type { JobSource } from './measurements.js';
import { encodeTagValue } from './name-transport.js';

/** Tag sets by source, then by the tag that tells its points apart. A process has few sources, and they live long. */
const tagSets = new WeakMap<JobSource, Map<string, ReadonlyMap<string, string>>>();

/** A job may print any number of different tables: beyond this many, the cache starts again. */
const MAX_TAG_SETS = 1000;

/**
 * The tags of one point of a job's output: job, user, task if there is one, and one that tells its kind (`stream`,
 * `series`).
 */
export function sourceTags(source: JobSource, name: 'stream' | 'series', value: string): ReadonlyMap<string, string> {
  let known = tagSets.get(source);
  if (known === undefined) {
    known = new Map();
    tagSets.set(source, known);
  }
  const cacheKey = `${name}=${value}`;
  let tags = known.get(cacheKey);
  if (tags === undefined) {
    if (known.size >= MAX_TAG_SETS) {
      known.clear();
    }
    tags = createTagSet([...taskTags(source), [name, encodeTagValue(value)]]);
    known.set(cacheKey, tags);
  }
  return tags;
}

/** The tags of the job itself, whichever of its tasks wrote. */
export function jobTags(source: JobSource): Array<readonly [string, string]> {
  return [
    ['job', encodeTagValue(source.job)],
    ['user', encodeTagValue(source.user)],
  ];
}

/** The tags of one statistic of a table's buckets of one level. */
export function bucketTags(
  source: JobSource,
  series: string,
  level: number,
  stat: BucketStat
): ReadonlyMap<string, string> {
  return createTagSet([
    ...taskTags(source),
    ['series', encodeTagValue(series)],
    ['bucket_level', String(level)],
    ['bucket_stat', stat],
  ]);
}

function taskTags(source: JobSource): Array<readonly [string, string]> {
  return source.task === undefined ? jobTags(source) : [...jobTags(source), ['task', encodeTagValue(source.task)]];
}
