import { NS_PER_MS } from '../numbers/time-units.js';
import { isOnState } from '../words/states.js';
import { findJobDurationMs, findWrittenEndMs } from '../ask/jobs/job-end.js';
import { isUsageKey, type JobUsage } from '../ask/tables/job-usage.js';
import type { JobRecord } from '../ask/jobs/jobs.js';
import type { SignalRecord } from '../ask/events/signals.js';
import { type FirstFailure, findFirstFailure } from '../ranks/first-failure.js';
import { formatFollowers } from '../ranks/format-first-failure.js';
import { advise, type JobFacts } from './advice.js';

/** One job in short: what it was, how it ended, what it asked for and used. Plain JSON; sizes in bytes. */
export interface JobReport extends JobFacts {
  readonly job: string;
  readonly user: string;
  readonly name?: string;
  readonly reason?: string;
  readonly exitCode?: number;
  readonly queue?: string;
  readonly nodes?: number;
  readonly host?: string;
  readonly command?: string;
  readonly workdir?: string;
  /** Milliseconds since the epoch. */
  readonly submittedMs?: number;
  readonly startedMs?: number;
  readonly endedMs?: number;
  /** Its last sign of life, if nobody wrote how it ended. */
  readonly aliveUntilMs?: number;
  /** From its submission to its start. */
  readonly waitS?: number;
  /** The last value of each key that it printed. */
  readonly values: Readonly<Record<string, number | string>>;
  /** What its output says went wrong, oldest first. */
  readonly signals: readonly ReportSignal[];
  /** Which process of several failed first; undefined where nothing tells it for sure, or the job did not fail. */
  readonly firstFailure?: ReportedFirstFailure;
  /** Sentences. */
  readonly advice: readonly string[];
}

export type ReportSignal = Pick<SignalRecord, 'name' | 'severity' | 'message' | 'place' | 'count'>;

export interface ReportedFirstFailure extends Pick<FirstFailure, 'process' | 'message' | 'place' | 'alike'> {
  /** `2 NCCL timeouts, 1 lost connection`. */
  readonly followed?: string;
}

interface ReportSource {
  /** With its resources (JobsRequest). */
  readonly record: JobRecord;
  readonly usage: JobUsage | undefined;
  /** Newest first, as they are read. */
  readonly signals: readonly SignalRecord[];
  readonly nowMs: number;
}

/** Reports the newest run of a job. */
export function createJobReport({ record, usage, signals, nowMs }: ReportSource): JobReport {
  const { job, user, submittedMs, startedMs, usedMemoryBytes } = record;
  const { name, state, reason, exitCode, progress, queue, nodes, host, command, workdir } = record;
  const { aliveUntilMs } = record;
  const endedMs = findWrittenEndMs(record);
  const durationMs = endedMs === undefined && !isOn(record) ? undefined : findJobDurationMs(record, nowMs);
  const used = withAccounted(usage, usedMemoryBytes);
  const facts = {
    ...{ name, state, reason, exitCode, progress, queue, nodes, host, command, workdir },
    ...{ submittedMs, startedMs, endedMs, aliveUntilMs, used },
    waitS: secondsBetween(submittedMs, startedMs),
    durationS: durationMs === undefined ? undefined : durationMs / 1000,
  };
  const asked = dropUnknown({
    cpus: record.requestedCpus,
    gpus: record.requestedGpus,
    memoryBytes: record.requestedMemoryBytes,
    timeLimitS: record.timeLimitS,
  });
  const ofThisRun = signals.filter(
    ({ timeNs }) => startedMs === undefined || timeNs >= BigInt(Math.floor(startedMs)) * NS_PER_MS
  );
  const firstFailure = record.state === 'COMPLETED' ? undefined : reportFirstFailure(ofThisRun);
  const report = {
    ...{ job, user, ...dropUnknown(facts), asked },
    values: Object.fromEntries([...record.values].filter(([key]) => !isUsageKey(key))),
    signals: ofThisRun.toReversed().map(({ name: signal, severity, message, place, count }) => ({
      ...{ name: signal, severity, message, count },
      ...(place !== undefined && { place }),
    })),
    ...(firstFailure !== undefined && { firstFailure }),
  };
  return { ...report, advice: advise(report) };
}

/** What is told of the process that failed first, from the signals of one run. */
export function reportFirstFailure(signals: readonly SignalRecord[]): ReportedFirstFailure | undefined {
  const found = findFirstFailure(signals);
  if (found === undefined) return undefined;
  const { process, message, place, alike } = found;
  const followed = formatFollowers(found);
  return {
    ...{ process, message, alike },
    ...(place !== undefined && { place }),
    ...(followed !== undefined && { followed }),
  };
}

/** Whether the job has started and not ended, as far as its state tells. */
export function isOn({ state }: Pick<JobRecord, 'state'>): boolean {
  return isOnState(state);
}

/** Accounting sees the peaks of all tasks, and metrics their sum, now and then. */
function withAccounted(usage: JobUsage | undefined, accountedBytes: number | undefined): JobUsage | undefined {
  if (accountedBytes === undefined) return usage;
  return { gpus: [], ...usage, memoryBytes: Math.max(accountedBytes, usage?.memoryBytes ?? 0) };
}

function secondsBetween(fromMs: number | undefined, toMs: number | undefined): number | undefined {
  return fromMs === undefined || toMs === undefined ? undefined : Math.max(0, (toMs - fromMs) / 1000);
}

export type Known<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The same values without those that are undefined. */
export function dropUnknown<T extends object>(values: T): Known<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<T>;
}
