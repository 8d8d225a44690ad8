import { statSync } from 'node:fs';
import { look } from '../../host/look.js';
import { SetupError } from './changes.js';

/** Whether there is such a file or folder. A SetupError says that nobody can tell. */
export function isThere(path: string): boolean {
  const status = look(path, () => statSync(path));
  if (!status.ok) throw new SetupError(status.error);
  return status.value !== undefined;
}
