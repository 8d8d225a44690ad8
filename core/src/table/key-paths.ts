import { parseJson } from '../json/bounded-json.js';
import type { KeyPaths } from './metadata-row.js';

/** The paths as JSON, a list of pairs: `[["a.b", ["a", "b"]]]`. */
export function formatKeyPaths(paths: KeyPaths): string {
  return JSON.stringify([...paths]);
}

/** The paths that formatKeyPaths wrote; none for any other text. */
export function parseKeyPaths(text: string): KeyPaths {
  const parsed = parseJson(text);
  return new Map(parsed.ok && Array.isArray(parsed.value) ? parsed.value.filter(isEntry) : []);
}

function isEntry(entry: unknown): entry is [string, string[]] {
  const [key, path] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return typeof key === 'string' && Array.isArray(path) && path.every((name) => typeof name === 'string');
}
