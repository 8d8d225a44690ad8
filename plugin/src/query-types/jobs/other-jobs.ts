import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import { findOtherJobs as askForOtherJobs, findOtherJobsQuery } from '@joblens/core/ask/jobs/find-other-jobs';
import type { Reading } from '@joblens/core/ask/reading/reading';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import { printAll, type RunContext } from '../parts/query-type.js';

/** How long an answer counts as known: the store may have looked at very many series for it. */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 20;
const NS_PER_SLOT = 600_000_000_000n;

interface Answer {
  readonly atMs: number;
  readonly found: readonly FoundJob[];
}

const remembered = new WeakMap<InfluxdbClient, Map<string, Answer>>();

/**
 * The jobs without heartbeats in a range, asked for once a minute at most. Unless they are expected or the settings
 * name other writers, there are none where heartbeats are old news. A failure leaves them out.
 */
export function* findOtherJobs(
  { user, fromNs, toNs, isOpen }: FindRequest,
  { client, monotonicMs, hasOtherWriters }: Pick<RunContext, 'client' | 'monotonicMs' | 'hasOtherWriters'>,
  isExpected = false
): Reading<readonly FoundJob[]> {
  // Whole slots: a range that moves with the time stays the same question for a while.
  const slots = { fromNs: fromNs - (fromNs % NS_PER_SLOT), toNs: toNs - (toNs % NS_PER_SLOT) + NS_PER_SLOT };
  const request = { user, ...slots, isOpen };
  const answers = remembered.get(client) ?? new Map<string, Answer>();
  remembered.set(client, answers);
  const key = printAll(findOtherJobsQuery(request));
  const known = answers.get(key);
  if (known !== undefined && monotonicMs - known.atMs < FRESH_MS) return known.found;
  try {
    const found = yield* askForOtherJobs(request, isExpected || hasOtherWriters);
    if (answers.size >= MAX_REMEMBERED) answers.clear();
    answers.set(key, { atMs: monotonicMs, found });
    return found;
  } catch {
    return [];
  }
}
