import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE } from '../../ingester/bundle.mjs';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';
import { preparePlainLines } from './shared/plain-lines.mjs';

const SEARCH = fileURLToPath(new URL('../../ingester/src/rules/lines/stream-signals.ts', import.meta.url));

/** In place of the search: a stream in which nothing is looked for. */
const NO_SEARCH = `export class StreamSignals { state = undefined; look() {} lookAtLine() {} noteRow() {} noteRun() {} }`;

/**
 * The search, which prints the time that it took at the end. It waits for nothing, so this is its CPU time, or more where
 * others hold the processor meanwhile. The kernel is there without the search too, so its start does not count.
 */
const TIMED_SEARCH = `
import { writeSync } from 'node:fs';
import { openLineKernel } from '../../kernels/line-kernel.js';
import { StreamSignals as Search } from './stream-signals.js?search';
let searchMs = 0;
function time(work) {
  openLineKernel();
  const startMs = performance.now();
  work();
  searchMs += performance.now() - startMs;
}
process.once('exit', () => writeSync(1, JSON.stringify({ searchMs })));
export class StreamSignals extends Search {
  look(...args) { time(() => super.look(...args)); }
  lookAtLine(...args) { time(() => super.lookAtLine(...args)); }
  noteRun(...args) { time(() => super.noteRun(...args)); }
}`;

export const signals = {
  name: 'signals',
  work: 'plain log lines, searched for what went wrong: joblens pipe --out FILE < file',
  peer: 'the same command, built without the search',
  bar: { by: 'cpu', speedAtLeast: 0.95 },

  async prepare(context) {
    const { path, lineCount, megabytes } = preparePlainLines(context);
    const out = join(context.folder, 'points.lp');
    const [, ...args] = joblens('pipe', ['--out', out]);
    const measure = async (command) => {
      const cost = await measureProcess([process.execPath, command, ...args], {
        stdin: path,
        env: environmentOf(context.folder),
      });
      checkPoints(out, lineCount);
      return cost;
    };
    const peer = await buildWith(NO_SEARCH, join(context.folder, 'without.mjs'));
    const ours = await buildWith(TIMED_SEARCH, join(context.folder, 'with.mjs'));
    const runs = [];
    return {
      amount: megabytes,
      unit: 'MB',
      measurePeer: () => measure(peer),
      async measureOurs() {
        const cost = await measure(ours);
        const { searchMs } = JSON.parse(cost.stdout);
        runs.push({ searchMs, cpuMs: cost.cpuMs });
        return cost;
      },
      measuredFigure: () => median(runs.map(({ cpuMs, searchMs }) => 1 - searchMs / cpuMs)),
      note: () => describe(runs),
    };
  },
};

/** Both commands are built alike. */
async function buildWith(contents, outfile) {
  await build({ ...BUNDLE, outfile, plugins: [replaceSearch(contents)] });
  return outfile;
}

/** A plugin of esbuild that gives the search another text, which may import the search itself. */
function replaceSearch(contents) {
  return {
    name: 'replace the search',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\?search$/ }, () => ({ path: SEARCH, suffix: '?search' }));
      onLoad({ filter: /\.ts$/ }, ({ path, suffix }) =>
        path === SEARCH && suffix === '' ? { contents, loader: 'ts' } : undefined
      );
    },
  };
}

function describe(runs) {
  const shares = runs.map(({ cpuMs, searchMs }) => 1 - searchMs / cpuMs);
  const searchMs = median(runs.map((run) => run.searchMs)).toFixed(0);
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(3));
  return `the search took ${searchMs} ms; without it, ${least} to ${most} of the time of its own run`;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
}
