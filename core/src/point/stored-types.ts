import type { FieldValue, Point } from './point.js';

/**
 * The point with the two types that Joblens stores: all numbers are floats, all else is strings. So one field can never change its type
 * between two writers (an integer here and a float there, as pytelegraf sends them), for which InfluxDB would reject one of them.
 */
export function withStoredTypes(point: Point): Point {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of point.fields) fields.set(name, toStoredType(value));
  return { ...point, fields };
}

function toStoredType(value: FieldValue): number | string {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'boolean' ? String(value) : value;
}
