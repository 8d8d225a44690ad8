import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { type JobList, listJobs } from '@joblens/core/ask/jobs/list-jobs';
import { listLabelledJobs } from '@joblens/core/ask/labels/labelled-jobs';
import { ok, type Result } from '@joblens/core/result/result';
import type { AskStore } from './ask-store.js';
import { createTagTest, parseLabels } from './has-tags.js';
import { findRange, type PointInTime } from './point-in-time.js';
import { runReading } from './run-reading.js';

export interface TaggedRequest {
  /** `key=value` each; of none, all jobs of the range. */
  readonly tag: readonly string[];
  readonly user: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  /** The length of the range where none is given. */
  readonly defaultMs: number;
  readonly isWanted?: (job: JobRecord) => boolean;
  readonly limit?: number;
  readonly config?: boolean;
}

export interface TaggedJobs extends JobList {
  /** They were found by their tags, whenever they ran. */
  readonly isOfAnyTime: boolean;
}

/**
 * The jobs with these tags: without a range whenever they ran, else those that lived in it. Jobs that an older Joblens
 * has logged have no labels: where no job of the tags has any, those of the default range are looked through. The error
 * is one line.
 */
export async function readTaggedJobs(
  ask: AskStore,
  nowMs: number,
  request: TaggedRequest
): Promise<Result<TaggedJobs, string>> {
  const { tag, user, after, before, defaultMs, isWanted = () => true, limit = Infinity, config = false } = request;
  const common = { user, limit, config };
  if (tag.length > 0 && (after ?? before) === undefined) {
    const tagged: JobRecord[] = [];
    const noteTagged = (job: JobRecord): boolean => {
      tagged.push(job);
      return isWanted(job);
    };
    const found = await runReading(
      ask,
      listLabelledJobs({ ...common, labels: parseLabels(tag), isWanted: noteTagged })
    );
    if (!found.ok || tagged.length > 0) return found.ok ? ok({ ...found.value, isOfAnyTime: true }) : found;
  }
  const range = findRange({ after, before }, nowMs, defaultMs);
  if (!range.ok) return range;
  const hasTags = createTagTest(tag);
  const wanted = { ...common, isWanted: (job: JobRecord) => hasTags(job) && isWanted(job) };
  const listed = await runReading(ask, listJobs({ ...range.value, user }, wanted));
  return listed.ok ? ok({ ...listed.value, isOfAnyTime: false }) : listed;
}
