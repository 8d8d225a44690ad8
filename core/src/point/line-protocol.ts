import { rememberNames } from './name-cache.js';
import type { FieldValue, Point } from './point.js';
import { formatTags } from './tag-set.js';

/** InfluxDB's range of times: int64 nanoseconds, without the few that it reserves (models/time.go). */
export const MIN_TIME_NS = -9223372036854775806n;
export const MAX_TIME_NS = 9223372036854775806n;

const MIN_INT64 = -9223372036854775808n;
const MAX_INT64 = 9223372036854775807n;

/** InfluxDB skips a leading tab or NUL as white space, takes `#` for a comment, and removes these backslashes. */
const UNSAFE_MEASUREMENT = /\\(?:[,= "]|$)|\n|^[\t\0#]/;
const UNSAFE_FIELD_KEY = /\\(?:[,= "]|$)|\n|^[\t\0]/;
/** Characters that JSON writes otherwise than line protocol: control characters and lone surrogates. */
// eslint-disable-next-line no-control-regex -- the control characters are the point
const JSON_ESCAPES = /[\0-\x1f\ud800-\udfff]/;

/**
 * One point as one line of line protocol, without the newline that ends it (a string field may hold newlines, inside
 * its quotes). Throws a TypeError on what line protocol cannot carry: an empty name, a newline in a name, a backslash
 * where InfluxDB reads an escape, a number that is not finite, no field at all, a time outside int64. Names of users go
 * through schema/ first, which avoids all that. Rules: line protocol reference of InfluxDB 1.x; in names, only what
 * 1.x, 2.x and 3.x read alike.
 */
export function formatPoint(point: Point): string {
  if (point.fields.size === 0) {
    throw new TypeError(`Line protocol cannot carry a point without fields (measurement ${point.measurement})`);
  }
  if (point.timeNs < MIN_TIME_NS || point.timeNs > MAX_TIME_NS) {
    throw new TypeError(`Line protocol cannot carry the time ${String(point.timeNs)}: it is outside int64 nanoseconds`);
  }
  let text = formatSeriesKey(point.measurement, point.tags);
  let separator = ' ';
  for (const [key, value] of point.fields) {
    text += separator + formatFieldKey(key) + formatFieldValue(value);
    separator = ',';
  }
  return `${text} ${String(point.timeNs)}`;
}

/** The beginning of a point, up to the space before its fields. Throws as formatPoint does. */
export function formatSeriesKey(measurement: string, tags: ReadonlyMap<string, string>): string {
  return formatMeasurement(measurement) + formatTags(tags);
}

const formatMeasurement = rememberNames((name) => {
  if (name === '' || UNSAFE_MEASUREMENT.test(name)) {
    throw new TypeError(`Line protocol cannot carry the measurement name ${JSON.stringify(name)}`);
  }
  return name.replace(/[, ]/g, '\\$&');
});

/** The key, escaped, and the `=` after it. */
export const formatFieldKey = rememberNames((name) => {
  if (name === '' || UNSAFE_FIELD_KEY.test(name)) {
    throw new TypeError(
      `Line protocol cannot carry the field key ${JSON.stringify(name)}: encode it first (encodeFieldKey)`
    );
  }
  return `${name.replace(/[,= ]/g, '\\$&')}=`;
});

/** A field's value as line protocol writes it. Throws as formatPoint does. */
export function formatFieldValue(value: FieldValue): string {
  if (typeof value === 'number') {
    return formatFloat(value);
  }
  if (typeof value === 'string') {
    return formatString(value);
  }
  if (typeof value === 'boolean') {
    return value ? 'true' : 'false';
  }
  if (value < MIN_INT64 || value > MAX_INT64) {
    throw new TypeError(`Line protocol cannot carry the integer ${String(value)}: it is outside int64`);
  }
  return `${String(value)}i`;
}

/** The shortest digits that read back as the same double. InfluxDB accepts `1e+21`. */
function formatFloat(value: number): string {
  if (!Number.isFinite(value)) {
    throw new TypeError(`Line protocol cannot carry the float ${String(value)}: InfluxDB has finite numbers only`);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A string in quotes; JSON's own printer is the fastest way to put a backslash before each quote and backslash. */
function formatString(value: string): string {
  if (!value.includes('"') && !value.includes('\\')) {
    return `"${value}"`;
  }
  return JSON_ESCAPES.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value);
}
