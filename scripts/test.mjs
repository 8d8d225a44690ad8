// The one gate: formatting, lint, layers, types and build, tests. Ends with jest's own figures alone on the last line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages whose folders have an order (.dependency-cruiser.mjs). */
const LAYERED = ['core/src', 'ingester/src', 'plugin/src', 'standalone/src'];

function run(title, script, args) {
  const startedMs = Date.now();
  console.log(`\ntest: ${title}`);
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  console.log(
    `test: ${title} ${status === 0 ? 'passed' : 'FAILED'} in ${((Date.now() - startedMs) / 1000).toFixed(0)} s`
  );
  return status === 0;
}

function runJest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-jest-'));
  const outputFile = join(folder, 'results.json');
  run('tests', 'node_modules/jest/bin/jest.js', ['--json', `--outputFile=${outputFile}`, ...args]);
  try {
    return JSON.parse(readFileSync(outputFile, 'utf8'));
  } catch (cause) {
    throw new Error(`Cannot read jest's figures from ${outputFile}: jest did not finish`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isGateClean = [
  () => run('formatting', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']),
  () => run('lint', 'node_modules/eslint/bin/eslint.js', ['--max-warnings', '0', '.']),
  () => run('layers', 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs', LAYERED),
  () => run('types and build', 'scripts/build.mjs', []),
].every((step) => step());

if (!isGateClean) {
  console.error('\ntest: the tests were not run, because the step above failed.');
  process.exitCode = 1;
} else {
  const results = runJest(process.argv.slice(2));
  // A suite that did not even load has no tests to count; it counts as one failure.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  if (results.numPendingTests > 0)
    console.log(`\n${results.numPendingTests} tests skipped: their names above say what to install.`);
  console.log(`\n${results.numPassedTests} passed, ${failed} failed`);
  process.exitCode = results.success && results.numPassedTests > 0 ? 0 : 1;
}
