import { compareCodePoints } from '../point/utf8.js';

/** Compares names so that runs of digits count as numbers: `job-9` before `job-10`. Equal only when the names are. */
export function compareNatural(a: string, b: string): number {
  const left = a.split(/(\d+)/);
  const right = b.split(/(\d+)/);
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = compareChunks(left[at] ?? '', right[at] ?? '', at % 2 === 1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length || compareCodePoints(a, b);
}

function compareChunks(a: string, b: string, areDigits: boolean): number {
  if (!areDigits) return compareCodePoints(a, b);
  const x = a.replace(/^0+/, '');
  const y = b.replace(/^0+/, '');
  return x.length - y.length || compareCodePoints(x, y);
}
