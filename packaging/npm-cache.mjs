// Packages of the npm registry, downloaded once, with the hashes that are pinned where they are asked for.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const CACHE = join(ROOT, '.cache', 'node');

/**
 * The folder of a package, unpacked. `integrity`: its hash as the registry gives it (`npm view NAME@VERSION dist.integrity`);
 * `files`: those that are wanted.
 */
export function getNpmPackage({ name, version, integrity, files }) {
  const label = `${name.replace(/^@/, '').replace('/', '-')}-${version}`;
  const folder = join(CACHE, label);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', CACHE];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const packed = join(CACHE, `${label}.tgz`);
  checkHash(packed, integrity);
  const unpacked = `${folder}.part`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  const inside = files.map((file) => `package/${file}`);
  execFileSync('tar', ['xzf', packed, '-C', unpacked, '--strip-components=1', ...inside]);
  renameSync(unpacked, folder);
  rmSync(packed);
  return folder;
}

function checkHash(file, expected) {
  const hash = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (hash !== expected) throw new Error(`${file} is not what was pinned: its hash is ${hash}, not ${expected}`);
}
