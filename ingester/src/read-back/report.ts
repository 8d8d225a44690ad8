import type { JobReport, Result } from '@joblens/core';
import {
  createJobReport,
  findUsageTables,
  formatReport,
  jobsQuery,
  ok,
  readJobs,
  readSignals,
  readTables,
  readUsage,
  signalsQuery,
  usageQueries,
} from '@joblens/core';
import type { AskStore } from './ask-store.js';
import { chooseJob } from './choose-job.js';
import type { Reading } from './reading-subcommand.js';

interface ReportCommand {
  readonly job: string;
  /** Needed where users have jobs of the same id. */
  readonly user: string | undefined;
  readonly isJson: boolean;
}

const MAX_SIGNALS = 100;

/** Prints what a job was, how it ended, and what it asked for and used. Returns the exit code. */
export async function reportJob({ ask, host, fail }: Reading, { isJson, ...wanted }: ReportCommand): Promise<number> {
  const found = await findReport(ask, wanted, host.clock.nowMs());
  if (!found.ok) return fail(found.error);
  host.writeStdout(isJson ? `${JSON.stringify(found.value, undefined, 2)}\n` : formatReport(found.value));
  return 0;
}

async function findReport(
  ask: AskStore,
  { job, user }: Omit<ReportCommand, 'isJson'>,
  nowMs: number
): Promise<Result<JobReport, string>> {
  const statements = jobsQuery({ job, user, resources: true });
  const answer = await ask([...statements, signalsQuery({ job, user, limit: MAX_SIGNALS })]);
  if (!answer.ok) return answer;
  const results = answer.value;
  const record = chooseJob(readJobs(results), job);
  if (!record.ok) return record;
  const isOwn = (one: { readonly user: string }): boolean => one.user === record.value.user;
  const tables = findUsageTables(readTables(results[3]).filter(isOwn));
  const measured = await ask(usageQueries(tables));
  if (!measured.ok) return measured;
  const usage = readUsage(tables, measured.value);
  const signals = readSignals(results[statements.length]).filter(isOwn);
  return ok(createJobReport({ record: record.value, usage, signals, nowMs }));
}
