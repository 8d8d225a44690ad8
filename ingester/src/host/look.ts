import { ifThere } from '@joblens/core/result/is-gone';
import { err, ok, type Result } from '@joblens/core/result/result';
import { describeUnseen } from './file-error.js';

/** The result of `read` at a path; undefined where there is nothing. The error says why nobody can tell. */
export function look<T>(path: string, read: () => T): Result<T | undefined, string> {
  try {
    return ok(ifThere(read));
  } catch (error) {
    return err(describeUnseen(path, error));
  }
}
