// What a package of the system has beside the tree below /usr: units, and files for settings.
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './root.mjs';
import { copy } from './stage-tree.mjs';

const FILES = fileURLToPath(new URL('files/', import.meta.url));
const UNITS = ['joblens.service', 'joblens-serve.service'];

/** Files that an upgrade leaves as the administrator has made them, and who may read them: one holds a token. */
export const CONFIG_FILES = { '/etc/joblens/environment': 0o600, '/etc/joblens/joblens.yaml': 0o644 };

/** Turns a tree below a prefix into that of a system. */
export function stageSystem(tree) {
  mkdirSync(join(tree, 'usr'), { recursive: true });
  for (const name of ['bin', 'lib', 'share']) renameSync(join(tree, name), join(tree, 'usr', name));
  for (const unit of UNITS) copy(join(ROOT, 'slurm', unit), join(tree, 'usr', 'lib', 'systemd', 'system', unit));
  for (const [file, mode] of Object.entries(CONFIG_FILES)) {
    copy(join(FILES, basename(file)), join(tree, file));
    chmodSync(join(tree, file), mode);
  }
  chmodSync(join(tree, 'etc', 'joblens'), 0o755);
}
