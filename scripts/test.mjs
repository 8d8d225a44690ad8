// The one gate: types, build and tests, and beside them formatting, layers, exports and lint. Ends with the figures of
// the tests alone on the last line.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LARGE_YOUNG_HEAP, printFigures, runJest } from './run-jest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages whose folders have an order (.dependency-cruiser.mjs). */
const LAYERED = ['client/src', 'core/src', 'ingester/src', 'plugin/src', 'standalone/src'];

const tsc = ['types', 'node_modules/typescript/bin/tsc', ['--build']];
const prettier = ['formatting', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']];
const build = ['build', 'scripts/build.mjs', []];
const layers = ['layers', 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs', LAYERED];
const knip = ['exports', 'node_modules/knip/bin/knip.js', ['--include', 'exports']];
/** With all types in memory, lint comes near the limit that Node sets, where it would collect garbage again and again. */
const LARGE_HEAP = [...LARGE_YOUNG_HEAP, '--max-old-space-size=8192'];
const eslint = ['lint', 'node_modules/eslint/bin/eslint.js', ['--max-warnings', '0', '.'], LARGE_HEAP];

/** Runs a step to its end, shows then what it printed, and returns whether it passed. */
function run([title, script, args, nodeOptions = []]) {
  const startedMs = Date.now();
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(0);
      console.log(`test: ${title} ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
      resolve(code === 0);
    });
  });
}

/** Runs steps one after the other, all of them; returns the titles of those that failed. */
async function runInTurn(steps) {
  const failed = [];
  for (const step of steps) if (!(await run(step))) failed.push(step[0]);
  return failed;
}

/** Runs the checks beside the build and the tests, lint once there are types. Returns the titles of those that failed. */
async function check(typing) {
  const failed = await runInTurn([prettier, layers, knip]);
  return (await typing) ? [...failed, ...(await runInTurn([eslint]))] : failed;
}

const typing = run(tsc);
const checking = check(typing);
if ((await typing) && (await run(build))) {
  const figures = await runJest(process.argv.slice(2), checking);
  const failed = await checking;
  for (const title of failed) console.error(`\ntest: ${title} FAILED; what it found is above, among the tests.`);
  printFigures(figures);
  process.exitCode = failed.length === 0 && figures.isSuccess ? 0 : 1;
} else {
  await checking;
  console.error('test: the tests were not run, because a step above failed.');
  process.exitCode = 1;
}
