import { encodeUtf8, toWellFormed } from '../point/utf8.js';
import { findStringEnd } from '../json/printed-json.js';

/** Bounds the memory of a template. */
const MAX_TEMPLATE_CHARS = 16_384;

/** How the metadata lines of one table are printed: the same text between the values each time. */
export interface LineTemplate {
  /** UTF-8: the text before each value, and the text after the last one with the LF. One more than there are values. */
  readonly literals: readonly Uint8Array[];
  /** The same without that LF, as a string of line protocol writes it. */
  readonly escaped: readonly Uint8Array[];
}

/**
 * The template of a metadata line with these keys. Undefined if another line of the same template might have other
 * keys, or values at other places: if a key comes twice, or a value is an array or an empty object.
 */
export function createLineTemplate(line: string, keys: readonly string[]): LineTemplate | undefined {
  const places = line.startsWith('{') ? findPlaces(line) : undefined;
  if (places === undefined || places.names.length !== keys.length || !keys.every((key, i) => places.names[i] === key)) {
    return undefined;
  }
  const texts = places.literals;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_TEMPLATE_CHARS || toWellFormed(line) !== line) {
    return undefined;
  }
  return {
    literals: texts.map((text, i) => encodeUtf8(i < keys.length ? text : `${text}\n`)),
    escaped: texts.map((text) => encodeUtf8(text.replace(/["\\]/g, '\\$&'))),
  };
}

interface Places {
  /** The flattened name of each value. */
  readonly names: readonly string[];
  readonly literals: readonly string[];
}

/** The places of the values in an object: its strings, numbers and words. */
function findPlaces(line: string): Places | undefined {
  const names: string[] = [];
  const literals: string[] = [];
  const path: string[] = [];
  let hasDottedKey = false;
  let isNested = false;
  let key: string | undefined;
  let literalStart = 0;
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    const end = findScalarEnd(line, at);
    if (end === at) {
      if (char === '[' || char === '(') {
        return undefined;
      }
      if (char === '{' && key !== undefined) {
        path.push(key);
        key = undefined;
        isNested = true;
      } else if (char === '}') {
        path.pop();
      }
      at += 1;
      continue;
    }
    if (key === undefined) {
      const name = readKey(line.slice(at, end));
      if (name === undefined) {
        return undefined;
      }
      key = name;
      hasDottedKey ||= key.includes('.');
    } else {
      names.push([...path, key].join('.'));
      literals.push(line.slice(literalStart, at));
      literalStart = end;
      key = undefined;
    }
    at = end;
  }
  literals.push(line.slice(literalStart));
  // With dots in nested keys, two values may share a name. Only the whole object tells whether they do.
  return isNested && hasDottedKey ? undefined : { names, literals };
}

/** A key in quotes of JSON or of Python; undefined for one with an escape that only Python knows. */
function readKey(text: string): string | undefined {
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text) as string;
    } catch {
      return undefined;
    }
  }
  return text.startsWith("'") && !text.includes('\\') ? text.slice(1, -1) : undefined;
}

/** Position after the string, number or word that begins here; `start` itself if none does. */
function findScalarEnd(line: string, start: number): number {
  if (line[start] === '"' || line[start] === "'") {
    return findStringEnd(line, start);
  }
  let end = start;
  while (end < line.length && !/[\s,:()[\]{}"']/.test(line.charAt(end))) {
    end += 1;
  }
  return end;
}
