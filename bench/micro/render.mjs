// Speed of console rendering, in CPU-time MB/s (2^20 bytes), against @xterm/headless. Run: node bench/micro/render.mjs
// [--no-xterm]
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chunksOf } from '../programs/chunks.mjs';
import { runXterm } from '../programs/run-xterm.mjs';

const INPUT_BYTES = 32 * 1024 * 1024;

const bar = (name, n, total) => {
  const eighths = Math.floor((n * 320) / total);
  const blocks = '█'.repeat(eighths >> 3) + (eighths & 7 ? String.fromCodePoint(0x2590 - (eighths & 7)) : '');
  const percent = String(Math.floor((n * 100) / total)).padStart(3);
  return `${name}: ${percent}%|${blocks.padEnd(40)}| ${n}/${total} [00:${String(n % 60).padStart(2, '0')}<00:12, ${(n % 97) + 0.13}it/s]`;
};
const repeat = (create) => {
  const parts = [];
  for (let i = 0, bytes = 0; bytes < INPUT_BYTES; i++) {
    const part = Buffer.from(create(i));
    parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts);
};
const INPUTS = {
  plain: () =>
    repeat(
      (i) =>
        `2026-11-21 12:00:00,123 INFO train.py:123 step ${i} loss 0.123456 lr 0.0001 grad norm 1.234 tokens per second 12345\n`
    ),
  'plain UTF-8': () =>
    repeat((i) => `12:00:00 Schritt ${i} Verlust 0.123 größer als früher, 精度 0.91 ✓ tokens per second 12345\n`),
  'tqdm, one bar': () => repeat((i) => `\r${bar('train', i % 1000, 1000)}${i % 1000 === 999 ? '\n' : ''}`),
  'tqdm, one ASCII bar': () =>
    repeat((i) => `\r${bar('train', i % 1000, 1000).replace(/[^\0-\x7f]/g, '#')}${i % 1000 === 999 ? '\n' : ''}`),
  'tqdm, nested': () =>
    repeat((i) => `\n\r${bar('inner', i % 100, 100)}\x1b[A${i % 10 === 0 ? `\r${bar('outer', i % 1000, 1000)}` : ''}`),
  'SGR colours': () =>
    repeat(
      (i) =>
        `\x1b[32mINFO\x1b[0m \x1b[1;34mtrain.py:123\x1b[0m step ${i} loss \x1b[33m0.123456\x1b[0m lr 0.0001 tokens per second 12345\n`
    ),
};

/** Best of five, in MB per CPU second. */
async function measure(bytes, run) {
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    await run(bytes);
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, bytes.length / 2 ** 20 / ((user + system) / 1e6));
  }
  return best;
}

async function createRunner(bundle) {
  const { ConsoleRenderer } = await import(pathToFileURL(bundle).href);
  const sink = { update: () => {}, addLines: () => {} };
  return (bytes) => {
    const renderer = new ConsoleRenderer();
    for (const chunk of chunksOf(bytes)) {
      renderer.write(chunk, sink);
      renderer.takeChangedRows();
    }
    renderer.end();
  };
}

/** A process for each figure, because the compiler's expectations from one input slow down the next. */
function measureAlone(...parameters) {
  return Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'alone', ...parameters]));
}

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'render-bench-'));
  try {
    const bundle = join(folder, 'renderer.mjs');
    const entry = fileURLToPath(new URL('../../ingester/src/render/console-renderer.ts', import.meta.url));
    await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: bundle });
    for (const name of Object.keys(INPUTS)) {
      const ours = measureAlone(name, bundle);
      const theirs = process.argv.includes('--no-xterm') ? NaN : measureAlone(name);
      console.log(
        `${name.padEnd(20)} ${ours.toFixed(0).padStart(6)} MB/s   xterm ${theirs.toFixed(0).padStart(4)} MB/s   ${(ours / theirs).toFixed(1)} times`
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [, , mode, name, bundle] = process.argv;
if (mode === 'alone') {
  const bytes = INPUTS[name]();
  const small = bytes.subarray(0, bytes.length >> 2);
  console.log(
    bundle === undefined
      ? await measure(small, async (bytes) => (await runXterm(bytes)).dispose())
      : await measure(bytes, await createRunner(bundle))
  );
} else await main();
