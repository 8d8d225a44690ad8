import { statSync } from 'node:fs';
import { isNoFile } from '@joblens/core/result/is-gone';

/** Whether there is such a file or folder, or nobody can tell: then who reads it says why it cannot. */
export function mayBeThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return !isNoFile(error);
  }
}
