import type { NodeJob } from '../../analytics/node-failures.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { findFirstFailure } from '../../ranks/first-failure.js';
import { findStateKind } from '../../words/states.js';
import { readSignals, type SignalRecord, signalsQuery } from '../events/signals.js';
import { type FindRequest, formatJobKey } from '../heartbeats/find-jobs.js';
import { findJobEndMs } from '../jobs/job-end.js';
import type { JobRecord } from '../jobs/jobs.js';
import { listJobs } from '../jobs/list-jobs.js';
import type { Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';

interface NodeFailuresRequest extends FindRequest {
  readonly isWanted: (job: JobRecord) => boolean;
}

/** The number of jobs whose signals are asked for at once, and the most of them. */
const [JOBS_AT_ONCE, MAX_SIGNALS] = [100, 5000];

/**
 * The jobs of a range that went well or failed, each with its node. Of one with several nodes it is the one that failed
 * first, where its output tells; else nobody knows whose fault it was, and its failure counts for none.
 */
export function* readNodeJobs({ isWanted, ...range }: NodeFailuresRequest): Reading<readonly NodeJob[], unknown> {
  const isEnded = (job: JobRecord): boolean => ['completed', 'failed'].includes(findStateKind(job.state ?? ''));
  const { jobs } = yield* listJobs(range, { isWanted: (job) => isEnded(job) && isWanted(job), limit: Infinity });
  const firsts = yield* readFirstNodes(jobs.filter((job) => isFailed(job) && hasSeveralNodes(job)));
  return jobs.flatMap((job): NodeJob[] => {
    const host = isFailed(job) && hasSeveralNodes(job) ? firsts.get(formatJobKey(job)) : job.host;
    if (host === undefined) return [];
    return [{ node: cutDomain(host), isFailed: isFailed(job), endedMs: findJobEndMs(job), reason: job.reason }];
  });
}

function isFailed({ state = '' }: JobRecord): boolean {
  return findStateKind(state) === 'failed';
}

function hasSeveralNodes({ nodes = 1 }: JobRecord): boolean {
  return nodes > 1;
}

/** The nodes that failed first, by formatJobKey. */
function* readFirstNodes(jobs: readonly JobRecord[]): Reading<ReadonlyMap<string, string>> {
  const nodes = new Map<string, string>();
  const parts = splitEach(jobs, JOBS_AT_ONCE);
  for (let some = parts.pop(); some !== undefined; some = parts.pop()) {
    const [result] = yield [signalsQuery({ job: some.map(({ job }) => job), limit: MAX_SIGNALS })];
    // One job that says more than is read must not hide what the others said.
    if (some.length > 1 && countRows(result) >= MAX_SIGNALS) {
      parts.push(...splitEach(some, Math.ceil(some.length / 2)));
      continue;
    }
    const signals = new Map<string, SignalRecord[]>();
    for (const signal of readSignals(result)) {
      const known = signals.get(formatJobKey(signal));
      if (known === undefined) signals.set(formatJobKey(signal), [signal]);
      else known.push(signal);
    }
    for (const job of some) {
      const ofRun = listOfRun(job, signals.get(formatJobKey(job)) ?? []);
      const node = findFirstFailure(ofRun)?.process.node;
      if (node !== undefined) nodes.set(formatJobKey(job), node);
    }
  }
  return nodes;
}

function countRows(result: ReadableResult): number {
  return listSeries(result).reduce((count, { values }) => count + values.length, 0);
}

function splitEach<T>(items: readonly T[], size: number): Array<readonly T[]> {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function listOfRun({ startedMs = 0 }: JobRecord, signals: readonly SignalRecord[]): readonly SignalRecord[] {
  return signals.filter(({ timeNs }) => timeNs >= BigInt(Math.floor(startedMs)) * NS_PER_MS);
}

/** Slurm names a node without its domain, and the node itself often with it. An address has none. */
function cutDomain(host: string): string {
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  return isAddress ? host : (host.split('.', 1)[0] ?? host);
}
