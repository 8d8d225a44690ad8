// The tree that every package installs below a prefix, such as /usr or ~/.local.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManPages } from './man-pages.mjs';
import { getNodePackage } from './node-binary.mjs';
import { ROOT } from './root.mjs';
import { stagePage } from './stage-page.mjs';

const COMMAND = join(ROOT, 'ingester', 'dist', 'joblens.js');
const FILES = fileURLToPath(new URL('files/', import.meta.url));

/** Where each shell looks for the completion of commands below a prefix. */
const COMPLETIONS = {
  bash: 'share/bash-completion/completions/joblens',
  zsh: 'share/zsh/site-functions/_joblens',
  fish: 'share/fish/vendor_completions.d/joblens.fish',
};

export async function stageTree(prefix, { version, machine }) {
  await stageCommand(join(prefix, 'lib', 'joblens'), { version, machine });
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  symlinkSync('../lib/joblens/bin/joblens', join(prefix, 'bin', 'joblens'));
  for (const [shell, file] of Object.entries(COMPLETIONS)) write(join(prefix, file), run(['completion', shell]));
  writeManPages(join(prefix, 'share', 'man', 'man1'), { version, run });
  stageShared(join(prefix, 'share', 'joblens'));
  copy(join(ROOT, 'LICENSE'), join(prefix, 'share', 'doc', 'joblens', 'LICENSE'));
  copy(join(FILES, 'README.md'), join(prefix, 'share', 'doc', 'joblens', 'README.md'));
}

/**
 * The command itself: the launcher, what it starts, and what that reads. `machine`: for which Node and DuckDB go in;
 * undefined for a tree that runs on the user's Node.
 */
export async function stageCommand(folder, { version, machine }) {
  for (const name of ['joblens', 'supervise.pl']) copy(join(ROOT, 'ingester', 'bin', name), join(folder, 'bin', name));
  chmodSync(join(folder, 'bin', 'joblens'), 0o755);
  const built = dirname(COMMAND);
  for (const name of readdirSync(built)) {
    if (/^joblens.*\.c?js$|^(LICENSE|THIRD-PARTY-NOTICES\.txt)$/.test(name))
      copy(join(built, name), join(folder, 'dist', name));
  }
  write(join(folder, 'package.json'), `${JSON.stringify({ name: 'joblens', version, type: 'module' })}\n`);
  await stagePage(join(folder, 'page'), machine);
  if (machine === undefined) return;
  const nodePackage = getNodePackage(machine);
  copy(join(nodePackage, 'bin', 'node'), join(folder, 'bin', 'node'));
  chmodSync(join(folder, 'bin', 'node'), 0o755);
  copy(join(nodePackage, 'LICENSE'), join(folder, 'bin', 'LICENSE-node'));
}

/** What an administrator copies: units, Slurm's script, and everything for a Grafana. */
export function stageShared(folder) {
  copy(join(ROOT, 'slurm'), join(folder, 'slurm'));
  copy(join(ROOT, 'dashboards'), join(folder, 'grafana', 'dashboards'));
  copy(join(ROOT, 'provisioning'), join(folder, 'grafana', 'provisioning'));
  copy(join(ROOT, 'plugin', 'dist'), join(folder, 'grafana', 'plugins', 'joblens-app'));
  for (const name of ['docker-compose.yml', '.env.example']) copy(join(ROOT, name), join(folder, 'compose', name));
  copy(join(FILES, 'compose', 'Dockerfile'), join(folder, 'compose', 'Dockerfile'));
}

export function readVersion() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}

function run(args) {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  return execFileSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', env });
}

export function write(file, text, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

export function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}
