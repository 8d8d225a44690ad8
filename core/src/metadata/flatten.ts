import type { PrintedValue } from './printed-json.js';
import { formatPrintedJson, PrintedNumber } from './printed-json.js';

type PrintedObject = ReadonlyMap<string, PrintedValue>;

/**
 * One line's object as a flat row: nested objects become `outer.inner`. If such a name is taken already (by a literal
 * key of a level that was reached, or by an earlier nested object), that nested object stays whole, as JSON text under
 * its own key. An empty one stays `{}`.
 */
export function flattenObject(object: PrintedObject): Map<string, number | string> {
  const names = new Set(object.keys());
  const row = new Map<string, number | string>();
  for (const [key, value] of object) {
    addValue(row, names, key, value);
  }
  return row;
}

/** A value as the row holds it: a number if a double carries it exactly, else text. */
function toRowValue(value: PrintedValue): number | string {
  if (typeof value === 'number' || typeof value === 'string') {
    return value;
  }
  return value instanceof PrintedNumber ? value.text : formatPrintedJson(value);
}

function addValue(row: Map<string, number | string>, names: Set<string>, name: string, value: PrintedValue): void {
  if (!(value instanceof Map) || !claimNames(names, name, value as PrintedObject)) {
    row.set(name, toRowValue(value));
    return;
  }
  for (const [key, item] of value as PrintedObject) {
    addValue(row, names, `${name}.${key}`, item);
  }
}

/** Takes the names of an object's members, all or none. */
function claimNames(names: Set<string>, name: string, object: PrintedObject): boolean {
  const wanted = Array.from(object.keys(), (key) => `${name}.${key}`);
  if (wanted.length === 0 || wanted.some((member) => names.has(member))) {
    return false;
  }
  for (const member of wanted) {
    names.add(member);
  }
  return true;
}
