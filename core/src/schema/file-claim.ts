import { NS_PER_MS } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import { hashFnv1a64 } from './fnv-hash.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';

/** The value of `grid` of claims: no grid of slots, so no list of jobs counts them as heartbeats. */
export const CLAIM_GRID = 'file';
const KINDS = ['claim', 'watch', 'left'] as const;

/** What a `watch` says of one file of a job: it is about to follow it, follows it, or leaves it to another. */
export interface FileClaim {
  readonly kind: (typeof KINDS)[number];
  /** Tells its spool from others. */
  readonly id: string;
  /** The file, by a hash. */
  readonly file: string;
  readonly host: string;
}

/** `claim|watch|left ID FILE HOST` */
export function formatFileClaim({ kind, id, file, host }: FileClaim): string {
  return [kind, id, file, host.replaceAll(/\s/g, '_')].join(' ');
}

/** The inverse of formatFileClaim; undefined for any other text. */
export function parseFileClaim(text: string): FileClaim | undefined {
  const [word, id, file, host, ...rest] = text.split(' ');
  const kind = KINDS.find((one) => one === word);
  if (kind === undefined || !id || !file || host === undefined || rest.length > 0) return undefined;
  return { kind, id, file, host };
}

/** Each claim is a point that no other overwrites: the newest of each watch and file counts. */
export function createClaimPoint(source: JobSource, claim: FileClaim, timeMs: number): Point {
  const text = formatFileClaim(claim);
  const within = BigInt(`0x${hashFnv1a64(`${source.job} ${text}`)}`) % NS_PER_MS;
  return {
    measurement: MEASUREMENT.heartbeat,
    tags: new Map([
      ['grid', CLAIM_GRID],
      ['user', encodeTagValue(source.user)],
    ]),
    fields: new Map([
      ['job', encodeTagValue(source.job)],
      ['watcher', text],
    ]),
    timeNs: BigInt(timeMs) * NS_PER_MS + within,
  };
}
