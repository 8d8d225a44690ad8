// Runs the suites in two turns: first all that can share the machine, several at a time; then, each by itself, those that say in a line
// `// Runs alone: REASON` that they need it for themselves. node scripts/run-jest.mjs [OPTIONS OF JEST]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Many suites wait for processes that they start rather than compute, so two more than there are processors. */
const WORKERS = availableParallelism() + 2;
const ORDER = `--testSequencer=${path('order-suites.cjs')}`;
const OPTIONS = { sharing: [`--maxWorkers=${WORKERS}`, ORDER], alone: ['--runInBand'] };

/** Of Node, for what creates very many objects: it collects garbage more seldom. Jest gives them to its workers. */
export const LARGE_YOUNG_HEAP = ['--max-semi-space-size=64'];

/** Runs one turn; returns jest's figures. */
async function runTurn(suites, args) {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-results-'));
  const outputFile = join(folder, 'results.json');
  const options = [
    '--json',
    `--outputFile=${outputFile}`,
    '--passWithNoTests',
    `--filter=${path('choose-suites.cjs')}`,
  ];
  const jest = [...LARGE_YOUNG_HEAP, path('../node_modules/jest/bin/jest.js')];
  const all = [...jest, ...options, ...OPTIONS[suites], ...args];
  const env = { ...process.env, JOBLENS_SUITES: suites };
  const child = spawn(process.execPath, all, { cwd: path('..'), env, stdio: 'inherit' });
  await new Promise((resolve) => child.once('close', resolve));
  try {
    return JSON.parse(readFileSync(outputFile, 'utf8'));
  } catch (cause) {
    throw new Error(`Cannot read jest's figures from ${outputFile}: jest did not finish`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs both turns, the second one once nothing else runs, as `untilQuiet` says; returns the figures of both. */
export async function runJest(args, untilQuiet = Promise.resolve()) {
  const sharing = await runTurn('sharing', args);
  await untilQuiet;
  const results = [sharing, await runTurn('alone', args)];
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const [passed, skipped] = [sum('numPassedTests'), sum('numPendingTests')];
  // A suite that did not even load has no tests to count; it counts as one failure.
  const failed = sum('numFailedTests') + sum('numRuntimeErrorTestSuites');
  const unsteady = results.flatMap(findUnsteady);
  return { passed, failed, skipped, unsteady, isSuccess: passed > 0 && results.every(({ success }) => success) };
}

/** The names of the tests that failed first and passed when tried again (JOBLENS_SECOND_TRY). */
function findUnsteady({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests
    .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
    .map(({ fullName }) => fullName);
}

/** Prints which tests passed only when tried again, and how many passed and failed, on a line of their own. */
export function printFigures({ passed, failed, skipped, unsteady }) {
  for (const name of unsteady)
    console.error(`\nUNSTEADY: "${name}" failed and passed when tried again; its failure is above.`);
  if (skipped > 0) console.log(`\n${skipped} tests skipped: their names above say what to install.`);
  console.log(`\n${passed} passed, ${failed} failed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await runJest(process.argv.slice(2));
  printFigures(figures);
  process.exitCode = figures.isSuccess ? 0 : 1;
}
