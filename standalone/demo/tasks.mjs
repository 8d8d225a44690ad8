// A job of many tasks: some workers load blocks of numbers, sort them and merge them in rounds. It tells each task as a span.
// Usage: node tasks.mjs [SEED] [SECONDS]
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, green, print } from './console.mjs';
import { createRandom } from './two-moons.mjs';

const WORKERS = 4;
const BLOCKS = 24;
const ROUNDS = 6;
const NUMBERS_PER_BLOCK = 2000;

const [seedText = '1', secondsText = '90'] = process.argv.slice(2);
const random = createRandom(2000 + Number(seedText));
const meanTaskMs = (1000 * Number(secondsText) * WORKERS) / (ROUNDS * BLOCKS * 3);
const command = (value) => print(`/LOGCOMMAND ${JSON.stringify(value)}`);
const nowS = () => Date.now() / 1000;

/** Does something, tells how long it took, and gives its result. */
async function withSpan(span, work) {
  const start = nowS();
  await sleep(meanTaskMs * (0.2 + 1.6 * random() ** 2));
  const result = work();
  command({ span: { ...span, start, finish: nowS(), data: { numbers: result.length } } });
  return result;
}

/** One block, from its numbers to its place among the sorted ones. */
async function runBlock(round, block, worker, sorted) {
  const key = `${round}-${block}`;
  const numbers = await withSpan({ id: `load-${key}`, name: 'load', category: 'input', worker }, () =>
    Array.from({ length: NUMBERS_PER_BLOCK }, random)
  );
  await withSpan({ id: `sort-${key}`, name: 'sort', category: 'compute', worker }, () => numbers.sort((a, b) => a - b));
  await withSpan({ id: `merge-${key}`, name: 'merge', category: 'compute', worker }, () => {
    sorted.push(...numbers);
    return sorted.sort((a, b) => a - b);
  });
}

async function runWorker(round, blocks, worker, sorted) {
  for (let block = blocks.pop(); block !== undefined; block = blocks.pop())
    await runBlock(round, block, worker, sorted);
}

print(bold('Sorting numbers') + `: ${ROUNDS} rounds of ${BLOCKS} blocks, ${WORKERS} workers`);
for (let round = 1; round <= ROUNDS; round += 1) {
  const span = { id: `round-${round}`, category: 'round' };
  command({ span: { ...span, name: `round ${round}`, start: nowS() } });
  const blocks = Array.from({ length: BLOCKS }, (_, i) => BLOCKS - i);
  const sorted = [];
  const workers = Array.from({ length: WORKERS }, (_, i) => `worker-${i + 1}`);
  await Promise.all(workers.map((worker) => runWorker(round, blocks, worker, sorted)));
  command({ span: { ...span, finish: nowS() } });
  print(JSON.stringify({ round, median: Number(sorted[sorted.length / 2].toPrecision(4)) }));
}
print(green(`done: ${ROUNDS * BLOCKS * NUMBERS_PER_BLOCK} numbers`));
