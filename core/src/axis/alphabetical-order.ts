import { compareCodePoints } from '../point/utf8.js';

/** Compares names as people sort them: case and accents count only between names that are equal without them. */
export function compareAlphabetically(a: string, b: string): number {
  return compareCodePoints(foldName(a), foldName(b)) || compareCodePoints(a, b);
}

/** Without case and accents, alike in every language. Most names are plain ASCII, which has none to take away. */
function foldName(name: string): string {
  if (!/[^ -~]/.test(name)) return name.toLowerCase();
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
