import { jobOwnersQuery, readJobOwners } from '@joblens/core/ask/jobs/job-owners';
import { readSpanSummaries, type SpanSummary } from '@joblens/core/ask/spans/span-summary';
import { SECOND_MS } from '@joblens/core/numbers/time-units';
import type { Column } from '../shell/column.js';
import { formatAmbiguousJob } from '../shell/choose-job.js';
import { createUnknownJob } from '../shell/failure.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

interface SpanReportCommand {
  readonly job: string;
  /** Needed where users have jobs of the same id. */
  readonly user: string | undefined;
}

/** Prints how long the spans of a job took, by category and name. Returns the exit code. */
export async function reportSpans(reading: Reading, { job, user }: SpanReportCommand): Promise<number> {
  const { ask, createPrinter, fail, report, output } = reading;
  // A job may have spans alone.
  const answer = await ask([jobOwnersQuery(job)]);
  if (!answer.ok) return fail(answer.error);
  const owners = readJobOwners(answer.value[0]).filter((owner) => user === undefined || owner === user);
  if (owners.length > 1) return fail(formatAmbiguousJob(owners, job));
  const summaries = await runReading(ask, readSpanSummaries({ job, user }, {}));
  if (!summaries.ok) return fail(summaries.error);
  if (owners.length === 0 && summaries.value.length === 0) return fail(createUnknownJob(job));
  await createPrinter(COLUMNS).print(summaries.value);
  if (output.isTerminal && summaries.value.length === 0) report.info(`job ${job} has no spans`);
  return 0;
}

const SHOWN_DIGITS = 4;

const COLUMNS: readonly Column<SpanSummary>[] = [
  { name: 'category', value: ({ category }) => category },
  { name: 'name', value: ({ name }) => name, shrinks: true },
  { name: 'spans', value: ({ spans }) => spans, align: 'right' },
  {
    name: 'unfinished',
    value: ({ halves }) => halves,
    shown: ({ halves }) => showCount(halves),
    align: 'right',
    isMinor: true,
  },
  createSecondsColumn('min_s', ({ minMs }) => minMs),
  createSecondsColumn('mean_s', ({ sumMs, spans }) => sumMs / spans),
  createSecondsColumn('max_s', ({ maxMs }) => maxMs),
  createSecondsColumn('sum_s', ({ sumMs }) => sumMs),
];

/** Spans that have not finished have no times. */
function createSecondsColumn(name: string, read: (summary: SpanSummary) => number): Column<SpanSummary> {
  const value = (summary: SpanSummary): number | undefined =>
    summary.spans === 0 ? undefined : read(summary) / SECOND_MS;
  return {
    ...{ name, value, align: 'right' },
    shown: (summary) => {
      const seconds = value(summary);
      return seconds === undefined ? '' : String(Number(seconds.toPrecision(SHOWN_DIGITS)));
    },
  };
}

function showCount(count: number): string {
  return count === 0 ? '' : String(count);
}
