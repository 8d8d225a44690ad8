export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const NS_PER_US = 1000n;
export const NS_PER_MS = 1_000_000n;
/** For times and durations that have parts of a millisecond. */
export const NS_PER_MS_FLOAT = 1e6;
export const NS_PER_S = 1_000_000_000n;
export const MINUTE_NS = 60n * NS_PER_S;
export const HOUR_NS = 60n * MINUTE_NS;
export const DAY_NS = 24n * HOUR_NS;
export const WEEK_NS = 7n * DAY_NS;
