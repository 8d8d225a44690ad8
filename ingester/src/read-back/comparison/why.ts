import { readWhy } from '@joblens/core/ask/why/read-why';
import { formatWhy } from '@joblens/core/report/format-why';
import { createWhyReport } from '@joblens/core/report/why-report';
import { ellipsisOf, showUnknown } from '../../host/charset.js';
import { formatUnknownJob, readJob } from '../shell/choose-job.js';
import { showJson } from '../shell/print-rows.js';
import { quoteWord } from '../shell/quote-word.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

/** Prints why a job failed. Returns the exit code. */
export async function printWhy(
  { ask, host, output, format, fail }: Reading,
  job: string,
  user: string | undefined
): Promise<number> {
  const record = await readJob(ask, job, user);
  if (!record.ok) return fail(record.error);
  const why = await runReading(ask, readWhy({ job, user: record.value.user, nowMs: host.clock.nowMs() }));
  if (!why.ok) return fail(why.error);
  if (why.value === undefined) return fail(formatUnknownJob(job));
  const report = createWhyReport(why.value);
  const { width, charset } = output;
  const formatDiff = (good: string, failed: string): string => `joblens diff ${quoteWord(good)} ${quoteWord(failed)}`;
  host.writeStdout(
    format === 'json'
      ? showJson(`${JSON.stringify(report, undefined, 2)}\n`)
      : showUnknown(formatWhy(report, { width, ellipsis: ellipsisOf(charset), formatDiff }), charset)
  );
  return 0;
}
