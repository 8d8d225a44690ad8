import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '@joblens/core/result/result';
import { describeFileError } from '../host/file-error.js';

/** Whoever guesses the secret is any user. */
export const MIN_SECRET_CHARS = 16;

/** The secret that Grafana shows, from the environment or a file. The error is one line for the user. */
export function readSecret({
  secret,
  secretFile,
}: {
  readonly secret: string | undefined;
  readonly secretFile: string | undefined;
}): Result<string | undefined, string> {
  if (secretFile === undefined) return ok(secret);
  try {
    const text = readFileSync(secretFile, 'utf8').trim();
    if (text.length >= MIN_SECRET_CHARS) return ok(text);
    return err(`the secret in ${secretFile} must have at least ${MIN_SECRET_CHARS} characters`);
  } catch (error) {
    return err(`cannot read the secret in ${secretFile}: ${describeFileError(error)}`);
  }
}
