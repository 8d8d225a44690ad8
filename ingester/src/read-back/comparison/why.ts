import { formatWhy } from '@joblens/core/report/format-why';
import { ellipsisOf, showUnknown } from '../../host/charset.js';
import { showJson } from '../../host/show-json.js';
import { quoteWord } from '../shell/quote-word.js';
import type { Reading } from '../shell/reading.js';
import { readWhyReport } from './read-why-report.js';

/** Prints why a job failed. Returns the exit code. */
export async function printWhy(reading: Reading, job: string, user: string | undefined): Promise<number> {
  const { host, output, format, fail } = reading;
  const why = await readWhyReport(reading, job, user);
  if (!why.ok) return fail(why.error);
  const report = why.value;
  const { width, charset } = output;
  // Where the user had to say whose job is meant, the next command has to, too.
  const whose = user === undefined ? '' : ` --user ${quoteWord(user)}`;
  const formatDiff = (...names: readonly string[]): string => `joblens diff ${names.map(quoteWord).join(' ')}${whose}`;
  host.writeStdout(
    format === 'json'
      ? showJson(`${JSON.stringify(report, undefined, 2)}\n`)
      : showUnknown(formatWhy(report, { width, ellipsis: ellipsisOf(charset), formatDiff }), charset)
  );
  return 0;
}
