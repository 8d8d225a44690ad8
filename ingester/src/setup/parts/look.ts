import { statSync } from 'node:fs';
import { ifThere } from '@joblens/core/result/is-gone';
import { describeFileError } from '../../host/file-error.js';
import { SetupError } from './changes.js';

/** Whether there is such a file or folder. A SetupError says that nobody can tell. */
export function isThere(path: string): boolean {
  try {
    return ifThere(() => statSync(path)) !== undefined;
  } catch (cause) {
    throw new SetupError(`cannot look at ${path}: ${describeFileError(cause)}`, { cause });
  }
}
