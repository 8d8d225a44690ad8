import type { PrintedRow } from '../table/metadata-row.js';
import { formatPrintedJson, PrintedNumber, type PrintedValue } from '../json/printed-json.js';

type PrintedObject = ReadonlyMap<string, PrintedValue>;

/**
 * One line's object as a flat row: nested objects become `outer.inner`. If such a name is taken already (by a literal
 * key of a level that was reached, or by an earlier nested object), that nested object stays whole, as JSON text under
 * its own key. An empty one stays `{}`. The inverse is createRowFormatter.
 */
export function flattenObject(object: PrintedObject): PrintedRow {
  const flat: FlatRow = { row: new Map(), jsonKeys: new Set(), paths: new Map() };
  const names = new Set(object.keys());
  for (const [key, value] of object) {
    addValue(flat, names, { name: key, path: [key] }, value);
  }
  return flat;
}

interface FlatRow extends PrintedRow {
  readonly row: Map<string, number | string>;
  readonly jsonKeys: Set<string>;
  readonly paths: Map<string, readonly string[]>;
}

interface Place {
  readonly name: string;
  /** Valid until the next value. */
  readonly path: string[];
}

/** `names`: those that are taken. */
function addValue(flat: FlatRow, names: Set<string>, { name, path }: Place, value: PrintedValue): void {
  if (value instanceof Map && claimNames(names, name, value as PrintedObject)) {
    // One path for all levels: a copy at each of them would make a deep value dear.
    for (const [key, item] of value as PrintedObject) {
      path.push(key);
      addValue(flat, names, { name: `${name}.${key}`, path }, item);
      path.pop();
    }
    return;
  }
  if (path.length > 1) {
    flat.paths.set(name, [...path]);
  }
  if (typeof value === 'number' || typeof value === 'string') {
    flat.row.set(name, value);
    return;
  }
  flat.row.set(name, value instanceof PrintedNumber ? value.text : formatPrintedJson(value));
  flat.jsonKeys.add(name);
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
