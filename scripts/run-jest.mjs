// Runs the suites in two turns: first all that can share the machine, several at a time; then, each by itself, those that say in a line
// `// Runs alone: REASON` that they need it for themselves. With JOBLENS_SECOND_TRY=1, suites that failed run once more, in a process
// of their own, where nothing is left over from the first time. node scripts/run-jest.mjs [OPTIONS OF JEST]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Many suites wait for processes that they start rather than compute, so two more than there are processors. */
const WORKERS = availableParallelism() + 2;
const ORDER = `--testSequencer=${path('order-suites.cjs')}`;
const OPTIONS = { sharing: [`--maxWorkers=${WORKERS}`, ORDER], alone: ['--runInBand'], again: ['--runInBand'] };

/** Where more suites fail, a second try would only take time. */
const MAX_AGAIN = 6;

/** Options of Node for what creates very many objects: it collects garbage less often. Jest gives them to its workers. */
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
  const turns = [sharing, await runTurn('alone', args)];
  const failing = turns.flatMap(({ testResults }) => testResults.filter(({ status }) => status === 'failed'));
  if (process.env.JOBLENS_SECOND_TRY === '1' && failing.length > 0 && failing.length <= MAX_AGAIN) {
    turns.push(await runTurn('again', [...args, '--runTestsByPath', ...failing.map(({ name }) => name)]));
  }
  // If a suite ran twice, the second time counts.
  const suites = new Map(turns.flatMap(({ testResults }) => testResults.map((suite) => [suite.name, suite])));
  const sum = (count) => [...suites.values()].reduce((total, suite) => total + count(suite), 0);
  const [passed, skipped] = [
    sum((suite) => find(suite, 'passed').length),
    sum((suite) => find(suite, 'pending').length),
  ];
  // What fails besides its tests, such as its loading, counts as one failure of the suite.
  const failed = sum((suite) => Math.max(find(suite, 'failed').length, suite.status === 'failed' ? 1 : 0));
  const isSuccess = passed > 0 && failed === 0 && !turns.some(({ wasInterrupted }) => wasInterrupted);
  return { passed, failed, skipped, unsteady: failing.flatMap((suite) => findUnsteady(suite, suites)), isSuccess };
}

function find({ assertionResults }, wanted) {
  return assertionResults.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
}

/** What failed in the suite at first and passed when it was tried again: its tests, or else the suite. */
function findUnsteady(suite, suites) {
  const again = suites.get(suite.name);
  const passed = new Set(find(again, 'passed'));
  const failed = find(suite, 'failed');
  if (failed.length > 0) return failed.filter((name) => passed.has(name));
  return again.status === 'passed' ? [suite.name] : [];
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
