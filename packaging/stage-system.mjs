// What a package of the system has beside the tree below /usr: units, and a file for their settings.
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copy, ROOT } from './stage-tree.mjs';

const ENVIRONMENT = fileURLToPath(new URL('files/environment', import.meta.url));
const UNITS = ['joblens.service', 'joblens-serve.service'];

/** Files that an upgrade leaves as the administrator has made them. */
export const CONFIG_FILES = ['/etc/joblens/environment'];

/** Turns a tree below a prefix into that of a system. */
export function stageSystem(tree) {
  mkdirSync(join(tree, 'usr'), { recursive: true });
  for (const name of ['bin', 'lib', 'share']) renameSync(join(tree, name), join(tree, 'usr', name));
  for (const unit of UNITS) copy(join(ROOT, 'slurm', unit), join(tree, 'usr', 'lib', 'systemd', 'system', unit));
  copy(ENVIRONMENT, join(tree, 'etc', 'joblens', 'environment'));
  // It holds a token.
  chmodSync(join(tree, 'etc', 'joblens'), 0o700);
  chmodSync(join(tree, 'etc', 'joblens', 'environment'), 0o600);
}
