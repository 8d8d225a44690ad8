/** What Node.js says where nothing can have such a name: it is too long, or has a NUL. */
const NO_NAMES: readonly unknown[] = ['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

/**
 * Whether an error of the file system says that there is no such file. Any other, as of a file server that is away, a
 * ticket that ran out or too many open files, says that nobody can tell.
 */
export function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The same, where the name may be anything. */
export function isNoFile(error: unknown): boolean {
  return isGone(error) || NO_NAMES.includes(codeOf(error));
}

/** Undefined where there is no such file, for a `catch`. Throws any other error again. */
export function noneIfGone(error: unknown): undefined {
  if (isGone(error)) return undefined;
  throw error;
}

/** The same, where the name may be anything. */
export function noneIfNoFile(error: unknown): undefined {
  if (isNoFile(error)) return undefined;
  throw error;
}

/** What `look` finds; undefined where there is no such file. Throws when nobody can tell. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
