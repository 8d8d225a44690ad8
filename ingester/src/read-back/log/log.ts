import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { type LogSelection, logStreamsQueries, readLogStreams } from '@joblens/core/ask/log/log';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import type { Stream } from '@joblens/core/schema/measurements';
import { createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { type Column, createTimeColumn } from '../shell/column.js';
import { followLog, type PrintLines } from './follow-log.js';
import { findLastLinesNs, readLogPages } from './log-pages.js';
import { formatLogLine, type LogTextOptions } from './log-text.js';
import type { PointInTime } from '../shell/point-in-time.js';
import type { Reading } from '../shell/reading.js';

interface LogCommand {
  readonly user: string | undefined;
  readonly follow: boolean;
  readonly lines: number | undefined;
  readonly stderr: boolean;
  readonly both: boolean;
  readonly task: string | undefined;
  readonly grep: string | undefined;
  readonly since: PointInTime | undefined;
  readonly times: boolean;
  readonly color: boolean;
}

const COLUMNS: readonly Column<LogLine>[] = [
  createTimeColumn('time', ({ timeNs }) => timeNs),
  { name: 'stream', value: ({ stream }) => stream },
  { name: 'task', value: ({ task }) => task },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'line', value: ({ line }) => line },
];

/** Prints the log of a job. Returns the exit code. */
export async function printLog(reading: Reading, command: LogCommand, job: string): Promise<number> {
  const { ask, connection, fail, host } = reading;
  const found = await readJob(ask, job, command.user);
  if (!found.ok) return fail(found.error);
  const askPage = createAskPage(connection);
  const all = createSelection(found.value, command, host.clock.nowMs());
  const { lines: count } = command;
  const first = count === undefined || count === 0 ? undefined : await findLastLinesNs(askPage, all, count);
  if (first?.ok === false) return fail(first.error);
  const selection = first?.value === undefined ? all : { ...all, fromNs: first.value };

  const text = chooseText(reading, command);
  const print = createLinePrinter(reading, text);
  if (command.follow) {
    const options = { text, print, isFromNow: count === 0, record: found.value };
    return followLog(reading, askPage, selection, options);
  }
  if (count === 0) return 0;
  for await (const page of readLogPages(askPage, selection, 'asc')) {
    if (!page.ok) return fail(page.error);
    if (!(await print(page.value))) return 0;
  }
  await sayOtherStream(reading, command, found.value);
  return 0;
}

function createSelection(
  { job, user }: JobRecord,
  { stderr, both, task, grep, since }: LogCommand,
  nowMs: number
): LogSelection {
  const streams: readonly Stream[] = both ? [] : [stderr ? 'stderr' : 'stdout'];
  return {
    ...{ job, user, task, streams },
    fromNs: since?.(nowMs) ?? SINCE_EVER.fromNs,
    ...(grep !== undefined && { patterns: [grep] }),
  };
}

function chooseText({ output }: Reading, { times, color, task }: LogCommand): LogTextOptions {
  const { isTerminal, hasColors, charset } = output;
  return { isTerminal, hasColors: hasColors || color, hasTimes: times, hasTasks: task === undefined, charset };
}

function createLinePrinter({ format, output, createPrinter }: Reading, text: LogTextOptions): PrintLines {
  if (format === 'json' || format === 'csv') {
    const printer = createPrinter(COLUMNS);
    return (lines) => printer.print(lines);
  }
  return (lines) => output.write(lines.map((line) => `${formatLogLine(line, text)}\n`).join(''));
}

/** There may be more to see, for people at a terminal; of a failed job, it is most likely what one looks for. */
async function sayOtherStream(
  { ask, output, report }: Reading,
  { stderr, both }: LogCommand,
  { job, user, reason }: JobRecord
): Promise<void> {
  if (both || (!output.isTerminal && (stderr || reason === undefined))) return;
  const streams = await ask(logStreamsQueries({ job, user, ...SINCE_EVER }));
  const other = stderr ? 'stdout' : 'stderr';
  if (!streams.ok || !readLogStreams(streams.value).includes(other)) return;
  report.info(`the job also printed on ${other}; ${stderr ? 'leave out --stderr' : 'give --stderr'}, or give --both`);
}
