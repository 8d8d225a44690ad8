import { findJobs } from '@joblens/core/ask/jobs/list-jobs';
import { readTopics } from '@joblens/core/ask/events/topics';
import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import { NS_PER_MS, WEEK_NS } from '@joblens/core/numbers/time-units';
import { isActiveState, STATES } from '@joblens/core/words/states';
import type { StoredKind } from '../config/option.js';
import { type AskStore, createAskStore } from '../read-back/shell/ask-store.js';
import { readJob } from '../read-back/shell/choose-job.js';
import { readJobTables } from '../read-back/shell/job-tables.js';
import { runReading } from '../read-back/shell/run-reading.js';
import type { SessionOptions } from '../session/session-options.js';

/** Nobody waits longer for a completion. */
const TIMEOUT_MS = 1500;
const MAX_VALUES = 200;
/** The most jobs to look at, newest first. */
const MAX_FOUND = 1000;

/** The job that stands in the line already. */
export interface NamedJob {
  readonly job: string;
  readonly user: string | undefined;
}

/** What is stored of a kind in the last 7 days or of the named job, likeliest first; nothing if the store is away. */
export async function listStored(
  { settings: { destination }, host }: SessionOptions,
  kind: StoredKind,
  named: NamedJob | undefined
): Promise<readonly string[]> {
  if (destination?.kind !== 'influxdb') return [];
  const ask = createAskStore({ ...destination.connection, timeoutMs: TIMEOUT_MS });
  const toNs = BigInt(host.clock.nowMs()) * NS_PER_MS;
  const values = await LISTS[kind](ask, { fromNs: toNs - WEEK_NS, toNs, isOpen: true }, named);
  return [...new Set(values)].filter((value) => value !== '').slice(0, MAX_VALUES);
}

type List = (ask: AskStore, range: FindRequest, named: NamedJob | undefined) => Promise<readonly string[]>;

const LISTS: Readonly<Record<StoredKind, List>> = {
  job: async (ask, range) => (await listFound(ask, range)).map(({ job }) => job),
  user: async (ask, range) => (await listFound(ask, range)).map(({ user }) => user).sort(),
  state: listStates,
  // A job that has ended was in these before, and none may be in them now.
  'past-state': async (ask, range) => [...STATES.filter(isActiveState), ...(await listStates(ask, range))],
  async topic(ask, { fromNs: afterNs, toNs: beforeNs }) {
    const found = await runReading(ask, readTopics({ afterNs, beforeNs }));
    return found.ok ? found.value.topics.map(({ topic }) => topic) : [];
  },
  async key(ask, _range, named) {
    if (named === undefined) return [];
    const record = await readJob(ask, named.job, named.user);
    if (!record.ok) return [];
    const tables = await readJobTables(ask, { job: named.job, user: record.value.user });
    return tables.ok ? tables.value.flatMap(({ keys }) => keys) : [];
  },
};

async function listStates(ask: AskStore, range: FindRequest): Promise<readonly string[]> {
  return (await listFound(ask, range)).map(({ state = '' }) => state).sort();
}

/** Running jobs first, then the newest. */
async function listFound(ask: AskStore, range: FindRequest): Promise<readonly FoundJob[]> {
  const found = await runReading(ask, findJobs(range, MAX_FOUND));
  return found.ok ? found.value : [];
}
