import type { KeyForm, TableForm, TextKind } from '../table/table-form.js';
import { parseJson } from '../json/bounded-json.js';
import { formatPrintedJson, readPrintedJson } from '../json/printed-json.js';

/** A cell of a stored row; null where the row has no such key. */
type Cell = number | string | null;

/** The members of an object: the place of a value in the row, or an object. */
type Members = Map<string, number | Members>;

/**
 * Formats rows with these keys as the JSON objects that were printed: the inverse of flattenObject. Equal as JSON:
 * nulls, nested objects and integers beyond 2^53 are as printed, spaces are not. Bare NaN and infinities stay bare.
 *
 * Without a form, or where the form says that a key has both strings and other values, a text that reads as null, a
 * boolean, an array, an object or a number that no double holds is taken for that, not for a string. Zero has no sign.
 * Rows that were nested otherwise than the table's first row are nested as that one.
 *
 * A row without a key is formatted without it; without a form, with null.
 */
export function createRowFormatter(
  keys: readonly string[],
  form: TableForm | undefined
): (cells: readonly Cell[]) => string {
  const forms = new Map(form);
  const kinds = keys.map((key): TextKind => forms.get(key)?.texts ?? 'both');
  const members = createMembers(keys, forms);
  return (cells) => {
    const texts = cells.map((cell, i) => {
      if (cell === null) return form === undefined ? 'null' : undefined;
      return typeof cell === 'number' ? JSON.stringify(cell) : formatText(cell, kinds[i] ?? 'both');
    });
    return formatMembers(members, texts) ?? '{}';
  };
}

function createMembers(keys: readonly string[], forms: ReadonlyMap<string, KeyForm>): Members {
  const members: Members = new Map();
  keys.forEach((key, i) => {
    const path = forms.get(key)?.path;
    if (path === undefined || !addNested(members, path, i)) members.set(key, i);
  });
  return members;
}

/** Adds a place at the end of a path; false where the path is not free. */
function addNested(members: Members, path: readonly string[], place: number): boolean {
  const last = path.at(-1) ?? '';
  let object = members;
  for (const name of path.slice(0, -1)) {
    const next = object.get(name) ?? new Map<string, number | Members>();
    if (typeof next === 'number') return false;
    object.set(name, next);
    object = next;
  }
  if (object.has(last)) return false;
  object.set(last, place);
  return true;
}

/** Undefined for an object of which the row has no value. */
function formatMembers(members: Members, texts: ReadonlyArray<string | undefined>): string | undefined {
  const parts: string[] = [];
  for (const [name, member] of members) {
    const text = typeof member === 'number' ? texts[member] : formatMembers(member, texts);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
}

function formatText(text: string, kind: TextKind): string {
  return kind === 'json' || (kind === 'both' && isOtherJson(text)) ? text : JSON.stringify(text);
}

/** Whether flattenObject makes this text of a value that is neither a string nor a number that a double holds. */
function isOtherJson(text: string): boolean {
  if (!/^(?:[[{]|-?\d|null$|true$|false$)/.test(text)) return false;
  if (!parseJson(text).ok) return false;
  const value = readPrintedJson(text);
  return typeof value !== 'number' && formatPrintedJson(value) === text;
}
