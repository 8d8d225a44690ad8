import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { createJobReport, type JobReport } from '@joblens/core/report/job-report';
import { ok, type Result } from '@joblens/core/result/result';
import { findUsageTables, readUsage, usageQueries } from '@joblens/core/ask/tables/job-usage';
import { markLostJobs } from '@joblens/core/ask/jobs/lost-jobs';
import { joinRows, rowsQueries } from '@joblens/core/ask/tables/rows';
import { readSignals, signalsQuery } from '@joblens/core/ask/events/signals';
import { formatReport } from '@joblens/core/report/format-report';
import { ellipsisOf, showUnknown } from '../../host/charset.js';
import type { AskStore } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { readJobTables } from '../shell/job-tables.js';
import type { Failure } from '../shell/failure.js';
import type { Reading } from '../shell/reading.js';
import { formatLocalTime } from '../shell/local-time.js';
import { showJson } from '../../host/show-json.js';
import { runReading } from '../shell/run-reading.js';

interface ReportCommand {
  readonly job: string;
  /** Needed where users have jobs of the same id. */
  readonly user: string | undefined;
  readonly isJson: boolean;
}

const MAX_SIGNALS = 100;
/** The newest ones, of those that nobody has described. */
const MAX_FOUND_TABLES = 20;

/** Prints what a job was, how it ended, and what it asked for and used. Returns the exit code. */
export async function reportJob(
  { ask, host, output, fail }: Reading,
  { isJson, ...wanted }: ReportCommand
): Promise<number> {
  const found = await findReport(ask, wanted, host.clock.nowMs());
  if (!found.ok) return fail(found.error);
  const { width, charset } = output;
  const layout = { width, formatTime: formatLocalTime, ellipsis: ellipsisOf(charset) };
  host.writeStdout(
    isJson
      ? showJson(`${JSON.stringify(found.value, undefined, 2)}\n`)
      : showUnknown(formatReport(found.value, layout), charset)
  );
  return 0;
}

async function findReport(
  ask: AskStore,
  { job, user }: Omit<ReportCommand, 'isJson'>,
  nowMs: number
): Promise<Result<JobReport, Failure>> {
  const found = await readJob(ask, job, user, { values: true, resources: true });
  if (!found.ok) return found;
  const names = { job, user: found.value.user };
  const tables = await readJobTables(ask, names);
  if (!tables.ok) return tables;
  const measured = findUsageTables(tables.value);
  const answer = await ask([signalsQuery({ ...names, limit: MAX_SIGNALS }), ...usageQueries(measured)]);
  if (!answer.ok) return answer;
  const [ofSignals, ...ofUsage] = answer.value;
  const valued = await addFoundValues(ask, found.value, tables.value);
  if (!valued.ok) return valued;
  const marked = await runReading(ask, markLostJobs([valued.value], nowMs));
  if (!marked.ok) return marked;
  const [usage, signals] = [readUsage(measured, ofUsage), readSignals(ofSignals)];
  const [record = valued.value] = marked.value;
  return ok(createJobReport({ record, usage, signals, nowMs }));
}

/** Tables that nobody has described do not say their last values: their newest rows do. */
async function addFoundValues(
  ask: AskStore,
  record: JobRecord,
  tables: readonly TableSummary[]
): Promise<Result<JobRecord, string>> {
  const undescribed = tables.filter(({ stats }) => stats === undefined).slice(-MAX_FOUND_TABLES);
  if (undescribed.length === 0) return ok(record);
  const newest = { order: 'desc', limit: 1, ...SINCE_EVER } as const;
  const answer = await ask(undescribed.flatMap((table) => rowsQueries({ table, ...newest })));
  if (!answer.ok) return answer;
  const values = undescribed.flatMap(({ keys }, i) => {
    const rows = joinRows(answer.value[2 * i], answer.value[2 * i + 1], keys, newest);
    return rows.flatMap((row) =>
      [...row.values].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))
    );
  });
  return ok({ ...record, values: new Map([...record.values, ...values.filter(([key]) => !record.values.has(key))]) });
}
