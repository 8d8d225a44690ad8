// A wheel for PyPI: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { HOMEPAGE, SUMMARY } from './about.mjs';
import { ROOT } from './root.mjs';
import { copy, write } from './stage-tree.mjs';

const FILES = fileURLToPath(new URL('files/wheel/', import.meta.url));
const TAGS = { x64: 'manylinux_2_28_x86_64', arm64: 'manylinux_2_28_aarch64' };
const MTIME = new Date(1980, 0, 1, 12);
const UNIX = 3;

export function packWheel(tree, folder, { version, machine, level }) {
  const [data, info] = [`joblens-${version}.data`, `joblens-${version}.dist-info`];
  const tag = `py3-none-${TAGS[machine]}`;
  // Below the prefix of the environment, as in any package; links do not survive in a wheel.
  rmSync(join(tree, 'bin'), { recursive: true });
  mkdirSync(join(tree, data, 'data'), { recursive: true });
  for (const name of ['lib', 'share']) renameSync(join(tree, name), join(tree, data, 'data', name));
  copy(join(FILES, 'joblens'), join(tree, 'joblens'));
  write(join(tree, data, 'scripts', 'joblens'), readFileSync(join(FILES, 'joblens.sh'), 'utf8'), 0o755);
  write(join(tree, info, 'METADATA'), formatMetadata(version));
  write(join(tree, info, 'WHEEL'), `Wheel-Version: 1.0\nGenerator: joblens\nRoot-Is-Purelib: false\nTag: ${tag}\n`);
  copy(join(ROOT, 'LICENSE'), join(tree, info, 'licenses', 'LICENSE'));
  const files = listFiles(tree);
  const record = `${info}/RECORD`;
  const lines = files.map((name) => formatRecord(name, readFileSync(join(tree, name))));
  write(join(tree, record), [...lines, `${record},,`, ''].join('\n'));
  const target = join(folder, `joblens-${version}-${tag}.whl`);
  const entries = [...files, record].map((name) => {
    const mode = lstatSync(join(tree, name)).mode & 0o777;
    return [name, [readFileSync(join(tree, name)), { mtime: MTIME, os: UNIX, attrs: (0o100000 | mode) << 16 }]];
  });
  writeFileSync(target, zipSync(Object.fromEntries(entries), { level }));
  return target;
}

function formatRecord(name, bytes) {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return `${/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name},sha256=${hash},${String(bytes.length)}`;
}

function formatMetadata(version) {
  const readme = readFileSync(join(fileURLToPath(new URL('files/', import.meta.url)), 'README.md'), 'utf8');
  return `Metadata-Version: 2.4
Name: joblens
Version: ${version}
Summary: ${SUMMARY}
License-Expression: Apache-2.0
License-File: LICENSE${HOMEPAGE === undefined ? '' : `\nProject-URL: Homepage, ${HOMEPAGE}`}
Requires-Python: >=3.8
Description-Content-Type: text/markdown

${readme}`;
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
