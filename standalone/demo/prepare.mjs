// A job that succeeds soon: draws the two moons in shards, and says what is in each.
// Usage: node prepare.mjs [SEED] [SECONDS]
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, formatBar, green, print } from './console.mjs';
import { createRandom, drawSample } from './two-moons.mjs';

const SHARDS = 24;
const SAMPLES_PER_SHARD = 5000;
const NOISE = 0.15;

const [seedText = '1', secondsText = '12'] = process.argv.slice(2);
const random = createRandom(1000 + Number(seedText));
const round = (value) => Number(value.toPrecision(4));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

print(bold('Preparing two moons') + `: ${SHARDS} shards of ${SAMPLES_PER_SHARD} samples, noise ${NOISE}`);
for (let shard = 1; shard <= SHARDS; shard += 1) {
  const samples = Array.from({ length: SAMPLES_PER_SHARD }, () => drawSample(random, NOISE));
  const [meanX, meanY] = [0, 1].map((axis) => mean(samples.map(({ inputs }) => inputs[axis])));
  const ofLabel1 = mean(samples.map(({ label }) => label));
  print(JSON.stringify({ shard, mean_x: round(meanX), mean_y: round(meanY), label_1: round(ofLabel1) }));
  process.stderr.write(`\r${formatBar('shards', shard, SHARDS)}`);
  await sleep((1000 * Number(secondsText)) / SHARDS);
}
process.stderr.write('\n');
print(green(`done: ${SHARDS * SAMPLES_PER_SHARD} samples`));
