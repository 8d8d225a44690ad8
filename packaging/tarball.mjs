// A tarball with everything below one folder, and the script that installs it without root.
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copy } from './stage-tree.mjs';

const INSTALL = fileURLToPath(new URL('files/install.sh', import.meta.url));

/** The same files make the same tarball. `level`: 1 (fast) to 9 (small), as of xz. */
export function packTarball(tree, target, { level, madeAtS }) {
  copy(INSTALL, join(tree, 'install.sh'));
  chmodSync(join(tree, 'install.sh'), 0o755);
  const sameAlways = ['--sort=name', `--mtime=@${madeAtS}`, '--owner=0', '--group=0', '--numeric-owner'];
  const args = [...sameAlways, '-C', dirname(tree), `--use-compress-program=xz -T0 -${level}`, '-cf', target];
  execFileSync('tar', [...args, basename(tree)], { stdio: ['ignore', 'ignore', 'inherit'] });
}
