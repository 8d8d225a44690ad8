/**
 * Names repeat with every row of a table. Beyond this many, the cache starts again, which bounds its memory. Long names
 * are not kept.
 */
const MAX_NAMES = 10_000;
const MAX_NAME_LENGTH = 256;

/** A pure function of a name that remembers its results. */
export function rememberNames(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) {
      return before;
    }
    const converted = convert(name);
    if (name.length <= MAX_NAME_LENGTH) {
      if (known.size >= MAX_NAMES) {
        known.clear();
      }
      known.set(name, converted);
    }
    return converted;
  };
}
