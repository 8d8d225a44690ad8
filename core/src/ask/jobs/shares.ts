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
const FIELDS = ['shared', 'offered'] as const;
const TAGS = ['user', 'job', 'whom'] as const;

/**
 * All that has been shared, and taken back, the newest first. The casts matter: a field `user` that somebody
 * writes would count before the tag, which alone says who shares.
 */
export function sharesQuery(): SelectStatement {
  return createSelect({
    columns: [...FIELDS.map((name) => createColumn(name, 'field')), ...TAGS.map((name) => createColumn(name, 'tag'))],
    from: [createMeasurement(MEASUREMENT.share)],
    orderBy: 'DESC',
    limit: MAX_SHARES,
  });
}

/** What is shared now: what its owner said last of a user, job and whom counts, and an offer where nothing was said. */
export function readShares(result: ReadableResult): readonly Share[] {
  const said = new Map<string, Said>();
  for (const row of listSeries(result).flatMap(listRows)) {
    const [user, job, whom] = TAGS.map((tag) => row.text(tag));
    if (user === undefined || job === undefined || whom === undefined) continue;
    const key = JSON.stringify([user, job, whom]);
    const share = { user: decodeName(user), job: decodeName(job), whom: decodeName(whom) };
    const shared = row.number('shared');
    const one: Said = {
      share,
      isShared: (shared ?? row.number('offered')) === 1,
      isOffer: shared === undefined,
      timeNs: row.timeNs,
    };
    if (isLastWord(one, said.get(key))) said.set(key, one);
  }
  return [...said.values()].filter(({ isShared }) => isShared).map(({ share }) => share);
}

interface Said {
  readonly share: Share;
  readonly isShared: boolean;
  readonly isOffer: boolean;
  readonly timeNs: bigint;
}

function isLastWord(one: Said, other: Said | undefined): boolean {
  if (other === undefined) return true;
  return one.isOffer === other.isOffer ? one.timeNs > other.timeNs : other.isOffer;
}
