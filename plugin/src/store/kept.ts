/** About 64 MB: two pages of 100,000 lines of usual length. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** What was read before, by question. */
export interface Kept<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** The least recently set values are given up when all together are too large. `characters`: about their memory. */
export function createKept<T extends { readonly characters: number }>(maxCharacters = MAX_CHARACTERS): Kept<T> {
  const values = new Map<string, T>();
  let total = 0;
  const remove = (key: string): void => {
    total -= values.get(key)?.characters ?? 0;
    values.delete(key);
  };
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      remove(key);
      values.set(key, value);
      total += value.characters;
      for (const oldest of values.keys()) {
        if (total <= maxCharacters) break;
        remove(oldest);
      }
    },
  };
}
