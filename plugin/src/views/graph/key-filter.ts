/**
 * Whether a name passes the filter that a viewer typed: all of its words, in any order and case; or, between slashes,
 * a regular expression (`/^val/`, `/loss$/i`). A regular expression that is not finished filters nothing.
 */
export function createKeyFilter(text: string): (name: string) => boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('/')) {
    const pattern = readPattern(trimmed);
    return pattern === undefined ? () => true : (name) => pattern.test(name);
  }
  const words = trimmed.toLowerCase().split(/\s+/);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}

/** Whether the filter is a regular expression that cannot be read. */
export function isBrokenFilter(text: string): boolean {
  return text.trim().startsWith('/') && readPattern(text.trim()) === undefined;
}

function readPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/.exec(text) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
