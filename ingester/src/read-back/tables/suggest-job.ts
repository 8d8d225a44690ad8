import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import type { LogSelection } from '@joblens/core/ask/log/log';
import { err, ok, type Result } from '@joblens/core/result/result';
import { printSuggestions } from '../../operate/suggest.js';
import { type AskPage, createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { readLogPages } from '../log/log-pages.js';
import { explainFailure } from '../shell/near-job.js';
import type { Reading } from '../shell/reading.js';

/** As much as of a file. */
const MAX_CHARS = 64 * 2 ** 20;

interface SuggestJobCommand {
  readonly user: string | undefined;
  readonly isJson: boolean;
}

/** Prints the patterns in the stored output of a job that could become graphs. Returns the exit code. */
export async function suggestForJob(
  reading: Reading,
  { user, isJson }: SuggestJobCommand,
  job: string
): Promise<number> {
  const { ask, connection, fail, host } = reading;
  const record = await readJob(ask, job, user);
  if (!record.ok) return fail(`there is no file ${job}, and ${await explainFailure(reading, record.error)}`);
  const selection: LogSelection = { job, user: record.value.user, streams: ['stdout'], ...SINCE_EVER };
  const lines = await readLastLines(createAskPage(connection), selection);
  return lines.ok ? printSuggestions(host, lines.value, isJson) : fail(lines.error);
}

async function readLastLines(askPage: AskPage, selection: LogSelection): Promise<Result<readonly string[], string>> {
  const lines: string[] = [];
  let chars = 0;
  for await (const page of readLogPages(askPage, selection, 'desc')) {
    if (!page.ok) return err(page.error);
    for (const { kind, line } of page.value) {
      if (kind !== 'output') continue;
      lines.push(line);
      chars += line.length;
    }
    if (chars > MAX_CHARS) break;
  }
  return ok(lines.reverse());
}
