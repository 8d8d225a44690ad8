import { NS_PER_US } from '@joblens/core/numbers/time-units';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';

export const TIME_FORMS = 'seconds since the epoch or an RFC 3339 text';

/** Beyond any time that nanoseconds in 64 bits can tell. */
const MAX_S = 9e9;

/** The time of a value in a command; undefined where it is none. A float of seconds tells microseconds at best. */
export function readPrintedTime(value: unknown): bigint | undefined {
  if (typeof value === 'string') return parseRfc3339Nano(value);
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_S)) return undefined;
  return BigInt(Math.round(value * 1e6)) * NS_PER_US;
}
