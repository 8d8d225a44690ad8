import { err, ok, type Result } from '../result/result.js';
import { isObject } from './is-object.js';
import { findStringEnd } from './printed-json.js';

/**
 * Nobody prints values nested deeper than this. JSON.parse reads any depth, but JSON.stringify, and whatever else
 * follows the nesting, has no more stack than for some thousand levels.
 */
export const MAX_JSON_DEPTH = 500;

/** Aliases of YAML let a short text stand for a value of any size. */
const MAX_VALUES = 200_000;

export type JsonFault = 'invalid' | 'too deep';

/** JSON.parse for texts that others have written: the value of a text nested MAX_JSON_DEPTH deep at most. */
export function parseJson(text: string): Result<unknown, JsonFault> {
  if (isTooDeepJson(text)) return err('too deep');
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    // The error would quote the text.
    return err('invalid');
  }
}

/** The members of the object that a text is; undefined for any other text. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value : undefined;
  return isObject(value) ? value : undefined;
}

/** Whether a text is nested too deep; for a text that is no JSON, some answer. */
export function isTooDeepJson(text: string): boolean {
  return text.length > MAX_JSON_DEPTH && findTooDeep(text) !== undefined;
}

/** Where the nesting becomes too deep. */
export function findTooDeep(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x22: // "
        i = findStringEnd(text, i) - 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_JSON_DEPTH) return i;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return undefined;
}

/** Whether a value from another parser (YAML) can be JSON: not too deep or large, and not part of itself. */
export function isBoundedValue(value: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    if (values > MAX_VALUES) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > MAX_JSON_DEPTH) return false;
    for (const member of Object.values(next.value)) {
      if (open.length > MAX_VALUES) return false;
      open.push({ value: member as unknown, depth });
    }
  }
  return true;
}
