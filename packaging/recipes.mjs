// Recipes for EasyBuild and Spack, which install the tarballs beside them by their checksums.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE } from './about.mjs';

const FILES = fileURLToPath(new URL('files/recipes', import.meta.url));

/** EasyBuild wants an address. */
const UNKNOWN = 'https://example.org/joblens';

/** Writes a recipe of each kind for all tarballs of a version; returns the files. */
export function writeRecipes(to, { version, tarballs }) {
  const checksums = Object.fromEntries(tarballs.map((file) => [basename(file), hash(file)]));
  const values = { VERSION: version, HOMEPAGE: HOMEPAGE ?? UNKNOWN, CHECKSUMS: JSON.stringify(checksums) };
  const repository = join(to, 'spack', 'spack_repo', 'joblens');
  const targets = {
    'joblens.eb': join(to, `joblens-${version}.eb`),
    'repo.yaml': join(repository, 'repo.yaml'),
    'package.py': join(repository, 'packages', 'joblens', 'package.py'),
  };
  for (const [name, target] of Object.entries(targets)) {
    const recipe = readFileSync(join(FILES, name), 'utf8').replace(/@([A-Z]+)@/g, (_, key) => values[key]);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, recipe);
  }
  return Object.values(targets);
}

function hash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
