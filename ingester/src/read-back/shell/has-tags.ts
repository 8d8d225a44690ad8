import { hasLabels } from '@joblens/core/ask/labels/labelled-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { Label } from '@joblens/core/schema/label-point';
import { parseKeyValue } from '../../config/value-types.js';

/** The tags of options, `key=value` each. */
export function parseLabels(texts: readonly string[]): readonly Label[] {
  return texts.map((text) => {
    const [key, value] = parseKeyValue(text);
    return { key, value };
  });
}

/** Whether a job has all of these tags, `key=value` each. */
export function createTagTest(wanted: readonly string[]): (job: Pick<JobRecord, 'tags'>) => boolean {
  const labels = parseLabels(wanted);
  return (job) => hasLabels(job, labels);
}
