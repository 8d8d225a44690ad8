/** The most letters by which a slip differs from what was meant. */
const MAX_SLIPS = 2;

/** The word that somebody may have meant: one that begins like theirs, or differs by a slip; undefined if none does. */
export function findNearestWord(typed: string, words: readonly string[]): string | undefined {
  const lower = typed.toLowerCase().replaceAll('_', '-');
  const begun = words.find((word) => lower.length > 1 && word.startsWith(lower));
  if (begun !== undefined || typed.length > 2 * Math.max(...words.map(({ length }) => length))) return begun;
  const ranked = words.map((word) => ({ word, slips: countSlips(lower, word) })).sort((a, b) => a.slips - b.slips);
  const [best] = ranked;
  return best !== undefined && best.slips <= MAX_SLIPS ? best.word : undefined;
}

/** The Levenshtein distance: letters added, removed or replaced. */
function countSlips(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of Array.from(from).entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
