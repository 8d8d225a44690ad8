import { NS_PER_MS } from '../../numbers/time-units.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import { lastChangesQuery, readLastChanges } from '../jobs/state-changes.js';
import { MAX_NAMED_JOBS } from '../reading/selection.js';

/** The most jobs to name. */
const MAX_JOBS = 5_000;

interface JobId {
  readonly job: string;
  readonly user: string;
}

/** Finds the states in which jobs were before an instant, by their last change of state; by formatJobKey. */
export function* findStatesBefore(named: readonly JobId[], beforeMs: number): Reading<ReadonlyMap<string, string>> {
  const names = [...new Set(named.map(({ job }) => job))].slice(0, MAX_JOBS);
  const newest = new Map<string, { readonly state: string; readonly timeNs: bigint }>();
  for (let at = 0; at < names.length; at += MAX_NAMED_JOBS) {
    const [result] = yield [lastChangesQuery(names.slice(at, at + MAX_NAMED_JOBS), BigInt(beforeMs) * NS_PER_MS)];
    for (const { toState, row, ...id } of readLastChanges(result)) {
      const key = formatJobKey(id);
      if ((newest.get(key)?.timeNs ?? -1n) < row.timeNs) newest.set(key, { state: toState, timeNs: row.timeNs });
    }
  }
  return new Map([...newest].map(([key, { state }]) => [key, state]));
}
