import { compareCodePoints } from '../point/utf8.js';

/** Compares names as people sort them: case and accents count only between names that are equal without them. */
export function compareAlphabetically(a: string, b: string): number {
  return compareCodePoints(foldName(a), foldName(b)) || compareCodePoints(a, b);
}

/** Without case and accents, alike in every language. */
function foldName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
