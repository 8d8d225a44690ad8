import type { FieldValue, Point } from './point.js';

/**
 * The point with the two types that Joblens stores: numbers become floats, everything else becomes strings. InfluxDB
 * rejects a point whose field has another type than before. So without this, two writers could cost each other points,
 * one with integers and one with floats, as pytelegraf sends them.
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
