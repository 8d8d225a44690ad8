import { describeFileError } from './file-error.js';

/** Whether the system refused something, as it may at any time; any other error of ours is a fault of the program. */
export function isSystemError(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return error instanceof Error && typeof code === 'string' && !code.startsWith('ERR_');
}

/** The kind of fault and its place in the program. Its message is left out, as it may quote output. */
export function describeFault(error: unknown): string {
  if (isSystemError(error)) return describeFileError(error);
  if (!(error instanceof Error)) return typeof error;
  const place = error.stack
    ?.split('\n')
    .find((line) => /^\s+at /.test(line))
    ?.trim();
  return place === undefined ? error.name : `${error.name} ${place}`;
}
