// Builds everything that `npm start`, `joblens` and a Grafana need: types first, then the bundles.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(title, command, args) {
  const startedMs = Date.now();
  console.log(`build: ${title}`);
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(`build: ${title} took ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
try {
  run('types of all workspaces', process.execPath, ['node_modules/typescript/bin/tsc', '--build']);
  run('joblens command', npm, ['run', '--silent', 'build', '--workspace', 'ingester']);
  run('Grafana plugin', npm, ['run', '--silent', 'build', '--workspace', 'plugin']);
  run('standalone page', npm, ['run', '--silent', 'build', '--workspace', 'standalone']);
} catch {
  console.error('build: stopped at the step above; its own output says why.');
  process.exitCode = 1;
}
