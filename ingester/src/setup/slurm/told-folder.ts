import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeFileError } from '../../host/file-error.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import { removeIfEmpty } from '../parts/planned-file.js';
import type { Way } from './way.js';

/** Makes the folder where slurmctld writes. Users may not enter it. */
export async function makeToldFolder({ path, findOwner }: NonNullable<Way['told']>, changes: Changes): Promise<void> {
  const folder = dirname(path);
  if (isThere(folder)) {
    changes.kept(folder);
    return;
  }
  const { uid, gid } = findOwner();
  await changes.make(folder, () => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      chmodSync(folder, 0o750);
      chownSync(folder, uid, gid);
    } catch (error) {
      throw new SetupError(`cannot make ${folder} for SlurmUser: ${describeFileError(error)}`);
    }
  });
}

/** Removes what the hooks have written, and the folder where nothing else is in it. */
export async function removeToldFolder(path: string, changes: Changes): Promise<void> {
  const folder = dirname(path);
  if (!isThere(folder)) return;
  await changes.remove(folder, () => {
    for (const each of [path, `${path}.1`]) rmSync(each, { force: true });
    removeIfEmpty(folder);
  });
}
