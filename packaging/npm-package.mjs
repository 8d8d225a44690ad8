// The npm package `joblens`, which runs on the user's own Node.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE, SUMMARY } from './about.mjs';
import { DUCKDB } from './stage-page.mjs';
import { copy, stageCommand, stageShared, write } from './stage-tree.mjs';

const README = fileURLToPath(new URL('files/npm-README.md', import.meta.url));

export async function packNpm(tree, folder, version) {
  await stageCommand(tree, { version });
  stageShared(join(tree, 'share', 'joblens'));
  const manifest = {
    ...{ name: 'joblens', version, description: SUMMARY, license: 'Apache-2.0', homepage: HOMEPAGE, type: 'module' },
    ...{
      bin: { joblens: 'bin/joblens' },
      files: ['bin', 'dist', 'page', 'share'],
      engines: { node: '>=20.19' },
      // The engine of the store, for `joblens start`: npm leaves it out where it cannot be had.
      optionalDependencies: { [DUCKDB.name]: DUCKDB.version },
      os: ['linux'],
    },
  };
  write(join(tree, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copy(README, join(tree, 'README.md'));
  const args = ['pack', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, `joblens-${version}.tgz`);
}
