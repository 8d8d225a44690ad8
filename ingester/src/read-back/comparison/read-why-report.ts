import { readWhy } from '@joblens/core/ask/why/read-why';
import { createWhyReport, type WhyReport } from '@joblens/core/report/why-report';
import { err, ok, type Result } from '@joblens/core/result/result';
import { readJob } from '../shell/choose-job.js';
import { createUnknownJob, type Failure } from '../shell/failure.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

/** Why the job that somebody names failed. */
export async function readWhyReport(
  { ask, host }: Pick<Reading, 'ask' | 'host'>,
  job: string,
  user: string | undefined
): Promise<Result<WhyReport, Failure>> {
  const record = await readJob(ask, job, user);
  if (!record.ok) return record;
  const why = await runReading(ask, readWhy({ job, user: record.value.user, nowMs: host.clock.nowMs() }));
  if (!why.ok) return why;
  return why.value === undefined ? err(createUnknownJob(job)) : ok(createWhyReport(why.value));
}
