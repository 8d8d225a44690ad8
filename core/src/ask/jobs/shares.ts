import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { decodeName } from '../../schema/name-transport.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';

/** A job of `user` that `whom` may see: a user, or `group:NAME`. */
export interface Share {
  readonly user: string;
  readonly job: string;
  readonly whom: string;
}

/** The newest count, where there are more. */
const MAX_SHARES = 100_000;
const TAGS = ['user', 'job', 'whom'] as const;

/**
 * All that has been shared, and taken back, the newest first. The casts matter: a field `user` that somebody
 * writes would count before the tag, which alone says who shares.
 */
export function sharesQuery(): SelectStatement {
  return createSelect({
    columns: [createColumn('shared', 'field'), ...TAGS.map((name) => createColumn(name, 'tag'))],
    from: [createMeasurement(MEASUREMENT.share)],
    orderBy: 'DESC',
    limit: MAX_SHARES,
  });
}

/** What is shared now: of the rows with the same user, job and whom, the newest counts. */
export function readShares(result: ReadableResult): readonly Share[] {
  const newest = new Map<string, Share & { readonly isShared: boolean; readonly timeNs: bigint }>();
  for (const row of listSeries(result).flatMap(listRows)) {
    const [user, job, whom] = TAGS.map((tag) => row.text(tag));
    if (user === undefined || job === undefined || whom === undefined) continue;
    const key = JSON.stringify([user, job, whom]);
    if ((newest.get(key)?.timeNs ?? row.timeNs - 1n) >= row.timeNs) continue;
    const names = { user: decodeName(user), job: decodeName(job), whom: decodeName(whom) };
    newest.set(key, { ...names, isShared: row.number('shared') === 1, timeNs: row.timeNs });
  }
  return [...newest.values()].filter(({ isShared }) => isShared).map(({ user, job, whom }) => ({ user, job, whom }));
}
