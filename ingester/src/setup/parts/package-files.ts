import { dirname, join } from 'node:path';
import { SetupError } from './changes.js';
import { isThere } from './look.js';

/**
 * A folder of files for other programs: of a package below its prefix or inside it (npm), or of a checkout. `packed`:
 * its place in share/joblens; `own`: its place in the repository.
 */
export function findPackageFolder(installFolder: string, packed: string, own: string): string {
  const places = [
    join(dirname(dirname(installFolder)), 'share', 'joblens', packed),
    join(installFolder, 'share', 'joblens', packed),
    join(dirname(installFolder), own),
  ];
  const found = places.find((place) => isThere(place));
  if (found === undefined) throw new SetupError(`${places[0]} is missing; install joblens again`);
  return found;
}
