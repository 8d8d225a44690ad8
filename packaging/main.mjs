// Makes packages of what is built: npm run package [-- --only KIND]... [--machine x64|arm64]... [--fast] [--to FOLDER]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEB_ARCHITECTURES, packDeb } from './deb.mjs';
import { MACHINES } from './node-binary.mjs';
import { packNpm } from './npm-package.mjs';
import { writeRecipes } from './recipes.mjs';
import { ROOT } from './root.mjs';
import { packRpm, RPM_ARCHITECTURES } from './rpm.mjs';
import { readVersion, stageTree } from './stage-tree.mjs';
import { packTarball } from './tarball.mjs';
import { packWheel } from './wheel.mjs';

const HELP = `Usage: npm run package -- [options]

Makes packages of what is built (npm run build): the command, and the plugin for Grafana.

Options:
  --only <kind>     tarball, deb, rpm, wheel, npm or plugin; repeat it for more (default: all)
  --machine <name>  ${MACHINES.join(' or ')}; repeat it for more (default: all)
  --fast            larger packages, sooner
  --to <folder>     where to write them (default: dist)
  --help            print this`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    machine: { type: 'string', multiple: true, default: [] },
    fast: { type: 'boolean', default: false },
    to: { type: 'string', default: join(ROOT, 'dist') },
    help: { type: 'boolean', default: false },
  },
});

/** The tarballs that were made, for recipes. */
const tarballs = [];

/** Each makes its package of a tree of its own, and returns the file. */
const KINDS = {
  tarball(tree, { to, name, ...options }) {
    const target = join(to, `${name}.tar.xz`);
    packTarball(tree, target, options);
    tarballs.push(target);
    return target;
  },
  deb(tree, { to, ...options }) {
    const { version, machine } = options;
    const target = join(to, `joblens_${version}_${DEB_ARCHITECTURES[machine]}.deb`);
    packDeb(tree, target, options);
    return target;
  },
  rpm(tree, { to, ...options }) {
    const { version, machine } = options;
    const target = join(to, `joblens-${version}-1.${RPM_ARCHITECTURES[machine]}.rpm`);
    packRpm(tree, target, options);
    return target;
  },
  wheel: (tree, { to, version, machine, level }) => packWheel(tree, to, { version, machine, level }),
};

function isWanted(kind) {
  return options.only.length === 0 || options.only.includes(kind);
}

function checkNames(names, known, what) {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  console.error(`package: there is no ${what} ${unknown}; there is ${known.join(', ')}`);
  process.exit(2);
}

async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-package-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(made) {
  console.log(`${made} (${(statSync(made).size / 1e6).toFixed(1)} MB)`);
}

/** All kinds have the same tree, of which each changes a copy. */
async function packMachine(machine) {
  const kinds = Object.entries(KINDS).filter(([kind]) => isWanted(kind));
  if (kinds.length === 0) return;
  const name = `joblens-${version}-linux-${machine}`;
  await withFolder(async (folder) => {
    const staged = join(folder, 'staged');
    await stageTree(staged, { version, machine });
    for (const [kind, pack] of kinds) {
      const tree = join(folder, kind, name);
      mkdirSync(join(folder, kind));
      execFileSync('cp', ['-al', staged, tree]);
      say(pack(tree, { to, name, version, machine, level, isFast: options.fast, madeAtS }));
    }
  });
}

if (options.help) {
  console.log(HELP);
  process.exit(0);
}
checkNames(options.only, [...Object.keys(KINDS), 'npm', 'plugin'], 'kind');
checkNames(options.machine, MACHINES, 'machine');
const [version, to, level] = [readVersion(), resolve(options.to), options.fast ? 0 : 6];
// The same commit makes the same packages.
const madeAtS = Number(
  process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })
);
mkdirSync(to, { recursive: true });
for (const machine of options.machine.length === 0 ? MACHINES : options.machine) await packMachine(machine);
if (tarballs.length > 0) for (const file of writeRecipes(to, { version, tarballs })) console.log(file);
if (isWanted('npm')) say(await withFolder((folder) => packNpm(folder, to, version)));
if (isWanted('plugin')) {
  execFileSync(process.execPath, [join(ROOT, 'plugin', 'scripts', 'package.mjs'), to], { stdio: 'inherit' });
}
