/** Words that say which part of the data a value is of: `train/loss` and `val/loss` are both a loss. */
const PHASES = new Set('train training trn val valid validation test testing tst eval evaluation dev'.split(' '));

/** More lines than these in one graph are a tangle. */
const MAX_GROUP_KEYS = 8;

/** The key's path without its phases: `val_loss` is `loss`, `train/head/loss` is `head/loss`. */
function splitPath(key: string): readonly string[] {
  const parts = key
    .split(/[/.:]/)
    .map((part) => {
      const words = part.split(/[_-]/);
      const kept = words.filter((word) => !PHASES.has(word.toLowerCase()));
      return kept.length === words.length ? part : kept.join('_');
    })
    .filter((part) => part !== '');
  return parts.length > 0 ? parts : [key];
}

function dropNumbers(text: string): string {
  return text.replace(/\d+/g, '').replace(/[_-]+/g, '_').replace(/^_|_$/g, '');
}

/** A key's groups, from the smallest to the largest: each holds all keys of the one before. */
function listGroups(key: string): readonly string[] {
  const path = splitPath(key);
  const last = path.at(-1) ?? key;
  const withoutIndex = path.filter((part) => !/^\d+$/.test(part));
  const base = dropNumbers(withoutIndex.at(-1) ?? '');
  // A path that ends in an index is named by what it counts: `gpu.0` and `gpu.1` are of `gpu`.
  const named = /^\d+$/.test(last) ? (withoutIndex.at(-1) ?? last) : last;
  return [path.join('/'), named, base === '' ? named : base];
}

/**
 * The group of each key. Keys of a group share a graph: those that differ in the phase alone (`train/loss` and
 * `val_loss`), in the path before the last part (`a/loss` and `b/loss`), or in numbers (`gpu.0` and `gpu.1`), as long
 * as they are few.
 */
export function groupKeys(keys: readonly string[]): ReadonlyMap<string, string> {
  const counts = [0, 1, 2].map((level) => {
    const count = new Map<string, number>();
    for (const key of new Set(keys)) {
      const group = listGroups(key)[level] ?? key;
      count.set(group, (count.get(group) ?? 0) + 1);
    }
    return count;
  });
  return new Map(
    keys.map((key) => {
      const groups = listGroups(key);
      const isSmall = (level: number): boolean => (counts[level]?.get(groups[level] ?? '') ?? 0) <= MAX_GROUP_KEYS;
      const level = [2, 1, 0].find(isSmall);
      return [key, level === undefined ? key : (groups[level] ?? key)];
    })
  );
}

/** The path above the key's last part, without phases; '' for none. */
export function readParent(key: string): string {
  return splitPath(key).slice(0, -1).join('/');
}
