import { createInterface } from 'node:readline/promises';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { DAY_NS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import { cutToColumns, toVisibleText } from '@joblens/core/console/terminal-text';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createForgottenPoints, dropJobStatements, jobMarksQueries } from '@joblens/core/ask/jobs/delete-job';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import { createForgottenName } from '@joblens/core/ask/reading/forgotten-jobs';
import { ellipsisOf } from '../../host/charset.js';
import type { AskStore } from '../shell/ask-store.js';
import { chooseJob } from '../shell/choose-job.js';
import type { Failure } from '../shell/failure.js';
import { deleteSeries, detectVersion, writePoints } from './delete-store.js';
import { formatLocalTime } from '../shell/local-time.js';
import { quoteWord } from '../shell/quote-word.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

interface DeleteCommand {
  readonly user: string | undefined;
  readonly yes: boolean;
  readonly confirm: string | undefined;
}

/** The width to which a name given by others is cut. */
const MAX_TITLE_COLUMNS = 200;

/** Deletes what is stored of a job, once the user agrees. Returns the exit code. */
export async function deleteJob(reading: Reading, command: DeleteCommand, job: string): Promise<number> {
  const { fail, report, host } = reading;
  const record = await findOwnJob(reading, command, job);
  if (!record.ok) return fail(record.error);
  const isOwn = record.value.user === host.machine.userName;
  const agreed = await agree(reading, command, record.value, isOwn);
  if (!agreed.ok) return fail(agreed.error);
  const deleted = await deleteAll(reading, record.value);
  if (!deleted.ok) return fail(deleted.error);
  report.info(`deleted job ${job} of ${nameOwner(record.value.user)}`);
  return 0;
}

async function findOwnJob(
  { ask, host }: Reading,
  { user = host.machine.userName }: DeleteCommand,
  job: string
): Promise<Result<JobRecord, Failure>> {
  const own = await runReading(ask, readNamedJobs({ job, user, values: false }));
  if (!own.ok) return own;
  if (own.value.length > 0) return chooseJob(own.value, job);
  const found = await runReading(ask, readNamedJobs({ job, values: false }));
  if (!found.ok) return found;
  if (found.value.length === 0) return chooseJob([], job);
  const owners = found.value.map((one) => nameOwner(one.user)).join(', ');
  const named = found.value.every((one) => one.user === '') ? `--user ''` : '--user NAME';
  return err(`job ${job} is not of ${nameOwner(user)} but of ${owners}; to delete it all the same, give ${named}`);
}

/** The error says why nothing is deleted. */
async function agree(
  { host, output }: Reading,
  { yes, confirm }: DeleteCommand,
  { job, user, name, state, timeNs }: JobRecord,
  isOwn: boolean
): Promise<Result<true, string>> {
  if (yes && (isOwn || confirm === job)) return ok(true);
  if (yes)
    return err(
      `job ${job} is of ${nameOwner(user)}: to delete it without being asked, also give --confirm ${quoteWord(job)}`
    );
  if (!output.isTerminal || !host.isTerminal(0)) return err('nobody can be asked here: give --yes to delete');
  const title = [`job ${job} of ${nameOwner(user)}`, name, state, `of ${formatLocalTime(Number(timeNs / NS_PER_MS))}`];
  const known = title.filter((part) => part !== undefined).join(', ');
  const what = cutToColumns(toVisibleText(known), MAX_TITLE_COLUMNS, ellipsisOf(output.charset));
  const running = state === 'RUNNING' ? ' It still runs: what it prints from now on is stored again.' : '';
  const wanted = isOwn ? 'y' : job;
  const how = isOwn ? '[y/N]' : `Type ${toVisibleText(job)} to confirm:`;
  await output.write(`Delete all that is stored of ${what}?${running} ${how} `);
  const lines = createInterface({ input: host.openStdin() });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  const isAgreed = answer.trim() === wanted || (isOwn && /^y(es)?$/i.test(answer.trim()));
  return isAgreed ? ok(true) : err('nothing is deleted');
}

/** The marks in measurements without a tag of the job go first: they are found by its description. */
async function deleteAll(reading: Reading, record: JobRecord): Promise<Result<true, string>> {
  const { ask, connection, host } = reading;
  const version = await detectVersion(connection);
  if (!version.ok) return version;
  if (version.value === 3) return err('InfluxDB 3 cannot delete points; ask its operators');
  const firstMs = Math.min(
    record.firstMs ?? Infinity,
    record.submittedMs ?? Infinity,
    Number(record.timeNs / NS_PER_MS)
  );
  // The clock of a job may be ahead: nothing bounds the end.
  const fromNs = BigInt(Math.floor(firstMs)) * NS_PER_MS - DAY_NS;
  const marks = await ask(jobMarksQueries(record, { fromNs }));
  if (!marks.ok) return marks;
  const points = createForgottenPoints(marks.value, createForgottenName(host.random()));
  const written = await writePoints(connection, version.value, points.map(formatPoint));
  if (!written.ok) return written;
  const deleted = await deleteSeries(connection, version.value, record, dropJobStatements(record));
  return deleted.ok ? seeItIsGone(ask, record) : deleted;
}

/** Not every engine is known to find the points that lack a tag. */
async function seeItIsGone(ask: AskStore, { job, user }: JobRecord): Promise<Result<true, string>> {
  if (user !== '') return ok(true);
  const left = await runReading(ask, readNamedJobs({ job, user, values: false }));
  if (!left.ok) return left;
  return left.value.length === 0
    ? ok(true)
    : err('this store does not delete points without a user; ask its operators');
}

/** Points of other programs may name no user. */
function nameOwner(user: string): string {
  return user === '' ? 'nobody' : user;
}
