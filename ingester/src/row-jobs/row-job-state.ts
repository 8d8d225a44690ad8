import type { JobSource } from '@joblens/core/schema/measurements';
import type { HeartbeatLogState } from '../rules/heartbeat-log.js';
import { mergeTableStates, type TableState } from '../rules/metadata-tables.js';

/** The state with which a RowJob continues after a restart, as JSON. A change holds only the tables that changed. */
export interface RowJobState {
  readonly source: JobSource;
  readonly tables: readonly TableState[];
  /** The time of the newest row that counts in each table, by its series. */
  readonly newest: readonly (readonly [series: string, timeNs: string])[];
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
  return { ...change, tables: mergeTableStates(older.tables, change.tables), newest: [...newest] };
}
