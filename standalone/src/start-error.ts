/** A start that failed. The message is the one line that the user sees: what was tried, what was found, what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** There is a Joblens of this state folder already. */
export class RunningError extends StartError {
  constructor(
    message: string,
    /** The address of its page. */
    readonly address: string,
    cause: unknown
  ) {
    super(message, { cause });
  }
}

/** The code of a Node error (`EADDRINUSE`, `EACCES` …), or undefined for anything else. */
export function readErrorCode(error: unknown): string | undefined {
  return readText(error, 'code');
}

/** The message of anything that was thrown. */
export function readErrorMessage(error: unknown): string {
  return readText(error, 'message') ?? String(error);
}

function readText(error: unknown, key: 'code' | 'message'): string | undefined {
  if (typeof error !== 'object' || error === null || !(key in error)) return undefined;
  const value = (error as Record<typeof key, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}
