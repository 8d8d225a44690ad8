import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { parseKeyValue } from '../../config/value-types.js';

/** Whether a job has all of these tags, `key=value` each. */
export function createTagTest(wanted: readonly string[]): (job: Pick<JobRecord, 'tags'>) => boolean {
  const pairs = wanted.map(parseKeyValue);
  return ({ tags = {} }) => pairs.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value);
}
