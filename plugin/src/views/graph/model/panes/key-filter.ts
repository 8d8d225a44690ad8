import { err, type Result } from '@joblens/core/result/result';
import { compileTyped, type TypedPattern } from '../../../../patterns/typed-pattern.js';

/**
 * Whether a name passes the filter that a viewer typed: all of its words, in any order and case; or, between slashes,
 * a regular expression (`/^val/`, `/loss$/i`). A regular expression that cannot be read filters nothing.
 */
export function createKeyFilter(text: string): (name: string) => boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('/')) {
    const pattern = readPattern(trimmed);
    return pattern.ok ? (name) => pattern.value.test(name) : () => true;
  }
  const words = trimmed.toLowerCase().split(/\s+/);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}

/** Why the filter is a regular expression that cannot be read; undefined where it can, or is none. */
export function explainFilter(text: string): string | undefined {
  if (!text.trim().startsWith('/')) return undefined;
  const pattern = readPattern(text.trim());
  return pattern.ok ? undefined : pattern.error;
}

function readPattern(text: string): Result<TypedPattern, string> {
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/.exec(text) ?? [];
  if (source === undefined) return err('The expression is not complete: it ends with a slash');
  // It always knows all characters.
  return compileTyped(source, flags.replaceAll('u', ''));
}
