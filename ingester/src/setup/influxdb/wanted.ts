import { err, ok } from '@joblens/core/result/result';
import { LONGEST_DURATION_MS, type ValueType } from '../../config/value-types.js';

/** What a database or bucket shall be like; undefined: as it is, or as the server makes it. */
export interface Wanted {
  /** How long points are kept, seconds; 0: forever. */
  readonly retentionS: number | undefined;
  readonly shardS: number | undefined;
}

/** What it is like. The duration of a shard may not be known. */
export interface Kept {
  readonly retentionS: number;
  readonly shardS: number | undefined;
}

export function completeWanted(kept: Kept | undefined, { retentionS, shardS }: Wanted): Kept {
  return { retentionS: retentionS ?? kept?.retentionS ?? 0, shardS: shardS ?? kept?.shardS };
}

export function isAsWanted(kept: Kept, wanted: Wanted): boolean {
  const { retentionS, shardS } = completeWanted(kept, wanted);
  return retentionS === kept.retentionS && shardS === kept.shardS;
}

export function describeKept({ retentionS, shardS }: Kept): string {
  return `points are kept ${formatDuration(retentionS)}${shardS ? `, in shards of ${formatDuration(shardS)}` : ''}`;
}

/** With what a program logs in to one database. */
export interface Login {
  /** Only InfluxDB 1.x has users. */
  readonly user?: string;
  /** The token, or the password; undefined where it is not known here. */
  readonly secret?: string | undefined;
}

/** Undefined where nobody needs one. */
export interface Logins {
  readonly read: Login | undefined;
  readonly write: Login | undefined;
}

/** InfluxDB counts nanoseconds in 64 bits. */
const LONGEST_S = LONGEST_DURATION_MS / 1000;
const UNITS_S: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 7 * 86_400 };

/** `52w`, `30d`, `12h`, or `forever`, which is 0; in seconds. */
export const retention: ValueType<number> = {
  parse: (text) => (text === 'forever' ? ok(0) : duration.parse(text)),
};

/** `52w`, `30d`, `12h`; in seconds. */
export const duration: ValueType<number> = {
  parse: (text) => {
    const [, count = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
    const seconds = Number(count) * (UNITS_S[unit] ?? 0);
    return seconds > 0 && seconds <= LONGEST_S
      ? ok(seconds)
      : err('a time such as 52w, 30d or 12h, of at most 100 years');
  },
};

/** Formats seconds as `52w`, `30d`, `12h`, `90s` or `forever`. */
function formatDuration(seconds: number): string {
  if (seconds === 0) return 'forever';
  const unit = ['w', 'd', 'h'].find((name) => seconds % (UNITS_S[name] ?? 1) === 0);
  return unit === undefined ? `${seconds}s` : `${seconds / (UNITS_S[unit] ?? 1)}${unit}`;
}
