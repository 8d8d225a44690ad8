import type { JobSource } from '@joblens/core/schema/measurements';
import type { HeartbeatLogState } from '../rules/told/heartbeat-log.js';
import { mergeRecentTimes, type RecentTimesState } from './recent-times.js';
import { mergeTableStates, type TableState } from '../rules/tables/metadata-tables.js';

/** The state with which a RowJob continues after a restart, as JSON. A change holds only the tables that changed. */
export interface RowJobState {
  readonly source: JobSource;
  readonly tables: readonly TableState[];
  /** The time of the newest row that counts in each table, by its series. */
  readonly newest: readonly (readonly [series: string, timeNs: string])[];
  /** The times of its newest rows, by its series. Missing in the state of an older Joblens. */
  readonly recent?: readonly (readonly [series: string, times: RecentTimesState])[];
  /** Rows up to here came before the job was let go. */
  readonly untilNs?: string;
  readonly heartbeat: HeartbeatLogState;
}

const KEY_PREFIX = 'rows:';

/** The key under which the state is kept. */
export function formatRowJobKey({ job, user }: JobSource): string {
  return KEY_PREFIX + JSON.stringify([user, job]);
}

/** The states of all jobs, as they were left: for each key the whole value, then its changes. */
export function readRowJobStates(restored: ReadonlyMap<string, readonly string[]>): readonly RowJobState[] {
  return [...restored].flatMap(([key, values]) => {
    if (!key.startsWith(KEY_PREFIX)) return [];
    const [first, ...changes] = values.map((value) => JSON.parse(value) as RowJobState);
    return first === undefined ? [] : [changes.reduce(mergeState, first)];
  });
}

function mergeState(older: RowJobState, change: RowJobState): RowJobState {
  const newest = new Map([...older.newest, ...change.newest]);
  const recent = new Map(older.recent);
  for (const [series, times] of change.recent ?? []) {
    const merged = mergeRecentTimes(recent.get(series), times);
    if (merged !== undefined) recent.set(series, merged);
  }
  const tables = mergeTableStates(older.tables, change.tables);
  return { ...change, tables, newest: [...newest], recent: [...recent] };
}
