// Measures the speed of joblens as ratios, each against a peer in the same run: npm run bench. See README.md here.
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES } from './cases/index.mjs';
import { stopChildren } from './children.mjs';
import { describeMachine } from './machine.mjs';
import { measureCase } from './measure-case.mjs';
import { printMachine, printResult, printTable } from './table.mjs';

const USAGE = `Usage: npm run bench -- [--short] [--only NAME]... [--json FILE]
  --short       a tenth of the work: shows that the bench runs; small ratios suffer from the start of the processes
  --only NAME   only the rows whose name begins with NAME: ${CASES.map(({ name }) => name).join(', ')}
  --json FILE   the figures as JSON, also`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`bench: ${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const options = readOptions();
const cases = CASES.filter(
  ({ name }) => options.only.length === 0 || options.only.some((only) => name.startsWith(only))
);
if (options.help || cases.length === 0) {
  console.log(USAGE);
  process.exit(options.help ? 0 : 2);
}

/** As for the tests: CI may not skip anything because a program is missing. */
const isAllRequired = process.env['JOBLENS_REQUIRE_ALL'] === '1';

const folder = await mkdtemp(join(tmpdir(), 'joblens-bench-'));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopChildren();
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
}

const machine = await describeMachine();
const results = [];
try {
  printMachine(machine, options.short);
  for (const benchCase of cases) {
    const context = { folder, isShort: options.short, isAllRequired };
    let result = await measureCase(benchCase, context);
    printResult(result);
    if (result.kind === 'failed') {
      // What fails once and then works is told, but only what fails twice fails the bench.
      result = await measureCase(benchCase, context);
      printResult(result);
    }
    results.push(result);
  }
  printTable(results);
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ machine, isShort: options.short, results }, null, 2)}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
// A slow row does not fail the bench; a row that could not be measured in two tries does.
if (results.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
