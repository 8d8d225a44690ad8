import { toVisibleText } from './terminal-text.js';

/** The most letters of a word that may differ, as in commander's suggestions: one in three, three at most. */
const MAX_DISTANCE = 3;
const LETTERS_PER_MISTAKE = 3;
/** Longer texts are no words that somebody mistyped. */
const MAX_CHARS = 64;

/**
 * The candidate that somebody most likely meant: one that differs in case alone, one of which the word is a part that
 * begins or ends at a separator (`loss` of `train/loss`), or the nearest one by letters. Undefined if none is near.
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted === '') return undefined;
  const whole = candidates.find((candidate) => candidate.toLowerCase() === wanted);
  const part = candidates.find((candidate) =>
    candidate
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(wanted)
  );
  return whole ?? part ?? findNearestByLetters(wanted, candidates);
}

/** What to add to a message about an unknown word: the candidate that may be meant, or nothing. */
export function suggestNearest(word: string, candidates: readonly string[]): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? '' : `; did you mean ${toVisibleText(nearest)}?`;
}

function findNearestByLetters(wanted: string, candidates: readonly string[]): string | undefined {
  if (wanted.length > MAX_CHARS) return undefined;
  let [nearest, least]: [string | undefined, number] = [undefined, MAX_DISTANCE + 1];
  for (const candidate of candidates.filter(({ length }) => length <= MAX_CHARS)) {
    const distance = measureDistance(wanted, candidate.toLowerCase());
    const allowed = Math.floor(Math.max(wanted.length, candidate.length) / LETTERS_PER_MISTAKE);
    if (distance < least && distance <= allowed) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** How many letters are put in, taken out, changed, or exchanged with their neighbour (Damerau and Levenshtein). */
function measureDistance(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity
        )
      );
    }
    [before, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
