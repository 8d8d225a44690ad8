import { DAY_MS, NS_PER_US } from '@joblens/core/numbers/time-units';
import { formatDuration } from '@joblens/core/words/duration';
import { findStateKind, type StateKind } from '@joblens/core/words/states';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import { markLostJobs } from '@joblens/core/ask/jobs/lost-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { err, ok, type Result } from '@joblens/core/result/result';
import { parseJson } from '@joblens/core/json/bounded-json';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { findJobDurationMs, findWrittenEndMs } from '@joblens/core/ask/jobs/job-end';
import { isOn } from '@joblens/core/report/job-report';
import { createUnknownJob, type Failure } from '../shell/failure.js';
import { type CellColor, type Column, createTimeColumn } from '../shell/column.js';
import { needsCutNote } from '../shell/cut-list.js';
import { createTagTest } from '../shell/has-tags.js';
import { adviseJobs } from './advise-jobs.js';
import { createConfigTest } from './has-config.js';
import { formatLocalTime } from '../shell/local-time.js';
import { findRange, type PointInTime } from '../shell/point-in-time.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';
import { readTaggedJobs, type TaggedJobs } from '../shell/tagged-jobs.js';

export interface JobsCommand {
  readonly user: readonly string[];
  readonly state: readonly string[];
  /** `key=value` each. */
  readonly tag: readonly string[];
  /** `key=value` each. */
  readonly config: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  readonly text: string | undefined;
  readonly limit: number;
  readonly byState: boolean;
}

/** Prints the named jobs, or those of a range, or their counts by state. Returns the exit code. */
export async function printJobs(reading: Reading, command: JobsCommand, names: readonly string[]): Promise<number> {
  const { createPrinter, fail, refuse, report, output, host } = reading;
  const nowMs = host.clock.nowMs();
  const range = findRange(command, nowMs, DAY_MS);
  if (!range.ok) return refuse(range.error);
  const isNamed = names.length > 0;
  const seen = new Set<string>();
  const listed = isNamed ? await readNamed(reading, command, names) : await readUnnamed(reading, command, nowMs, seen);
  if (!listed.ok) return fail(listed.error);
  const { jobs } = listed.value;
  if (command.byState) await createPrinter(STATE_COLUMNS).print(countByState(jobs));
  else {
    const marked = await runReading(reading.ask, markLostJobs(jobs, nowMs));
    if (!marked.ok) return fail(marked.error);
    await createPrinter(createJobColumns(nowMs)).print(marked.value);
  }
  // Tags are looked for whenever a job ran: those of a week say more than those of a day.
  const known = command.tag.length > 0 ? findRange(command, nowMs, 7 * DAY_MS) : range;
  const advice = jobs.length > 0 || !known.ok ? undefined : await adviseJobs(reading, command, known.value, seen);
  if (advice !== undefined) report.warn(advice);
  else if (output.isTerminal ? !isNamed || listed.value.isCut : hasCutNote(command, listed.value))
    report.info(describeList(command, listed.value));
  return 0;
}

function hasCutNote({ limit, byState }: JobsCommand, { isCut }: TaggedJobs): boolean {
  return !byState && needsCutNote({ isCut, limit, isTerminal: false });
}

function describeList(
  { after, before, byState }: JobsCommand,
  { jobs: { length: count }, isCut, isOfAnyTime }: TaggedJobs
): string {
  const isDefault = after === undefined && before === undefined;
  const range = isDefault ? 'the last 24 hours' : 'that range';
  const jobs = count === 1 ? 'one job' : `${count} jobs`;
  if (isOfAnyTime)
    return isCut && !byState ? `these are the first ${count}; give --limit 0 for all` : `${jobs} of any time`;
  if (count === 0) return `no such job lived in ${range}; give --after 7d, for example, to look further back`;
  if (isCut && !byState) return `these are the first ${count} of ${range}; give --limit 0 for all`;
  return `${jobs} of ${range}${isDefault ? '; give --after 7d, for example, to look further back' : ''}`;
}

async function readNamed(
  { ask, format }: Reading,
  command: JobsCommand,
  names: readonly string[]
): Promise<Result<TaggedJobs, Failure>> {
  const request = { job: names, user: command.user, values: false, config: needsConfig(command, format) };
  const found = await runReading(ask, readNamedJobs(request));
  if (!found.ok) return found;
  const missing = names.find((name) => !found.value.some(({ job }) => job === name));
  if (missing !== undefined) return err(createUnknownJob(missing));
  const jobs = found.value.filter(createTest(command));
  return ok({ jobs: jobs.slice(0, command.limit), isCut: jobs.length > command.limit, isOfAnyTime: true });
}

function readUnnamed(
  { ask, format }: Reading,
  command: JobsCommand,
  nowMs: number,
  seen: Set<string>
): Promise<Result<TaggedJobs, string>> {
  const { tag, user, after, before, byState, limit } = command;
  const test = createTest(command);
  const isWanted = (job: JobRecord): boolean => {
    if (job.state !== undefined) seen.add(job.state.toUpperCase());
    return test(job);
  };
  const shown = { limit: byState ? Infinity : limit, config: needsConfig(command, format) };
  return readTaggedJobs(ask, nowMs, { tag, user, after, before, defaultMs: DAY_MS, isWanted, ...shown });
}

/** A configuration may be long; the table has no room for it. */
function needsConfig({ config }: JobsCommand, format: Reading['format']): boolean {
  return config.length > 0 || format === 'json' || format === 'csv';
}

function createTest({ state, tag, config, text }: JobsCommand): (job: JobRecord) => boolean {
  const states = new Set(state.map((each) => each.toUpperCase()));
  const hasTags = createTagTest(tag);
  const hasConfig = createConfigTest(config);
  const part = text?.toLowerCase();
  return (job) =>
    (states.size === 0 || states.has((job.state ?? '').toUpperCase())) &&
    hasTags(job) &&
    hasConfig(job) &&
    (part === undefined || listTexts(job).some((each) => each.toLowerCase().includes(part)));
}

function listTexts({ job, name, command, queue, reason, note, tags = {} }: JobRecord): readonly string[] {
  return [job, name, command, queue, reason, note, ...Object.values(tags)].filter((text) => text !== undefined);
}

function createJobColumns(nowMs: number): readonly Column<JobRecord>[] {
  const text = (
    name: string,
    value: Column<JobRecord>['value'],
    rest: Partial<Column<JobRecord>> = {}
  ): Column<JobRecord> => ({
    ...{ name, value },
    ...rest,
  });
  const detail = { isDetail: true } as const;
  const minor = { isMinor: true } as const;
  const started = createTimeColumn<JobRecord>('started', ({ startedMs, timeNs }) => nsOf(startedMs) ?? timeNs);
  return [
    text('job', ({ job }) => job),
    text('user', ({ user }) => user),
    text('state', ({ state }) => state, { color: ({ state }) => colorOf(state) }),
    text('name', ({ name }) => name, { shrinks: true, ...minor }),
    text('queue', ({ queue }) => queue, { shrinks: true, ...minor }),
    text('nodes', ({ nodes }) => nodes, { align: 'right', ...minor }),
    started,
    text('took_s', (job) => findTookS(job, nowMs), {
      head: 'TOOK',
      shown: (job) => formatTook(findTookS(job, nowMs)),
      align: 'right',
    }),
    text('progress', ({ progress }) => progress, {
      ...minor,
      head: 'DONE',
      shown: ({ progress, state }) =>
        progress === undefined || state === 'COMPLETED' ? '' : `${Math.floor(progress * 100)} %`,
      align: 'right',
    }),
    text('reason', (job) => findReason(job, formatTime), {
      ...{ shrinks: true, ...minor },
      shown: (job) => findReason(job, formatLocalTime) ?? '',
    }),
    text('exit_code', ({ exitCode }) => exitCode, detail),
    text('submitted', ({ submittedMs }) => formatTime(submittedMs), detail),
    text('ended', (job) => formatTime(findWrittenEndMs(job)), detail),
    text(
      'remaining_s',
      (job) => (isOn(job) && job.aliveUntilMs === undefined && job.remainingS !== -1 ? job.remainingS : undefined),
      detail
    ),
    text('scheduler_id', ({ schedulerId }) => schedulerId, detail),
    text('host', ({ host }) => host, detail),
    text('command', ({ command }) => command, detail),
    text('workdir', ({ workdir }) => workdir, detail),
    text('note', ({ note }) => note, detail),
    text('tags', ({ tags }) => tags, detail),
    text('config', ({ config }) => config, { json: ({ config }) => readJson(config), ...detail }),
  ];
}

/** The configuration as it was given, on one line; other writers than Joblens may have stored any text. */
function readJson(config: string | undefined): string | undefined {
  return config !== undefined && parseJson(config).ok ? config.replace(/[\r\n]+/g, ' ') : undefined;
}

function findReason(
  { reason, aliveUntilMs }: JobRecord,
  format: (timeMs: number) => string | undefined
): string | undefined {
  return reason ?? (aliveUntilMs === undefined ? undefined : `no sign of life since ${format(aliveUntilMs) ?? ''}`);
}

function formatTime(timeMs: number | undefined): string | undefined {
  const timeNs = nsOf(timeMs);
  return timeNs === undefined ? undefined : formatRfc3339Nano(timeNs);
}

function nsOf(timeMs: number | undefined): bigint | undefined {
  return timeMs === undefined ? undefined : BigInt(Math.round(timeMs * 1000)) * NS_PER_US;
}

/** From the start of the newest run to its end, or to its last sign of life, or to now. */
function findTookS(job: JobRecord, nowMs: number): number | undefined {
  if (job.endedMs === undefined && !isOn(job)) return undefined;
  const durationMs = findJobDurationMs(job, nowMs);
  return durationMs === undefined ? undefined : Math.round(durationMs) / 1000;
}

function formatTook(seconds: number | undefined): string {
  return seconds === undefined ? '' : formatDuration(seconds * 1000);
}

/** `dim` where nobody knows more of the state than its name. */
const COLORS: Readonly<Record<StateKind, CellColor>> = {
  running: 'blue',
  waiting: 'yellow',
  failed: 'red',
  stopped: 'dim',
  completed: 'green',
  unknown: 'dim',
};

function colorOf(state = 'UNKNOWN'): CellColor {
  return COLORS[findStateKind(state)];
}

interface StateCount {
  readonly state: string;
  readonly jobs: number;
  readonly nodes: number;
}

const STATE_COLUMNS: readonly Column<StateCount>[] = [
  { name: 'state', value: ({ state }) => state, color: ({ state }) => colorOf(state) },
  { name: 'jobs', value: ({ jobs }) => jobs, align: 'right' },
  { name: 'nodes', value: ({ nodes }) => nodes, align: 'right' },
];

/** In the order of the list. */
function countByState(jobs: readonly JobRecord[]): readonly StateCount[] {
  const counts = new Map<string, StateCount>();
  for (const { state = 'UNKNOWN', nodes = 0 } of jobs) {
    const known = counts.get(state) ?? { state, jobs: 0, nodes: 0 };
    counts.set(state, { state, jobs: known.jobs + 1, nodes: known.nodes + nodes });
  }
  return [...counts.values()];
}
