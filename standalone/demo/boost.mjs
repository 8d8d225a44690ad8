// A job without JSON: boosts small trees on two moons, for real, and prints what XGBoost and LightGBM print.
// Usage: node boost.mjs [SEED] [SECONDS]
import { setTimeout as sleep } from 'node:timers/promises';
import { print } from './console.mjs';
import { createRandom, drawSample } from './two-moons.mjs';

const ROUNDS = 160;
const SAMPLES = 700;
const NOISE = 0.3;
const LEARNING_RATE = 0.12;
const DEPTH = 2;
const CANDIDATES = 12;

const sigmoid = (value) => 1 / (1 + Math.exp(-value));

/** The best step of a leaf against the logistic loss (Newton), and how much it gains. */
function fitLeaf(samples) {
  let slope = 0;
  let curve = 1;
  for (const { score, label } of samples) {
    const probability = sigmoid(score);
    slope += label - probability;
    curve += probability * (1 - probability);
  }
  return { step: slope / curve, gain: (slope * slope) / curve };
}

/** A tree that splits at the best of some thresholds, drawn from its samples. */
function growTree(samples, depth, random) {
  const leaf = fitLeaf(samples);
  if (depth === 0 || samples.length < 10) return () => leaf.step;
  let best;
  for (let candidate = 0; candidate < CANDIDATES; candidate += 1) {
    const axis = candidate % 2;
    const threshold = samples[Math.floor(random() * samples.length)].inputs[axis];
    const low = samples.filter(({ inputs }) => inputs[axis] < threshold);
    const high = samples.filter(({ inputs }) => inputs[axis] >= threshold);
    if (low.length === 0) continue;
    const gain = fitLeaf(low).gain + fitLeaf(high).gain;
    if (gain > (best?.gain ?? leaf.gain)) best = { axis, threshold, low, high, gain };
  }
  if (best === undefined) return () => leaf.step;
  const [low, high] = [best.low, best.high].map((part) => growTree(part, depth - 1, random));
  return (inputs) => (inputs[best.axis] < best.threshold ? low(inputs) : high(inputs));
}

/** The mean logistic loss. */
function measureLoss(samples) {
  const losses = samples.map(({ score, label }) => -Math.log(sigmoid(label === 1 ? score : -score)));
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

const [seedText = '1', secondsText = '80'] = process.argv.slice(2);
const random = createRandom(3000 + Number(seedText));
const draw = (count) => Array.from({ length: count }, () => ({ ...drawSample(random, NOISE), score: 0 }));
const [training, validation] = [draw(SAMPLES), draw(SAMPLES)];

print(`Boosting ${ROUNDS} trees of depth ${DEPTH} on ${SAMPLES} samples, noise ${NOISE}`);
print('No line of this output is JSON. The option "metadata" of the opt-in file says what counts:');
print('    metadata: [json, { preset: auto }]');
print();
for (let round = 0; round < ROUNDS; round += 1) {
  const tree = growTree(training, DEPTH, random);
  for (const sample of [...training, ...validation]) sample.score += LEARNING_RATE * tree(sample.inputs);
  const [train, valid] = [training, validation].map((samples) => measureLoss(samples).toFixed(5));
  print(`[${round}]\ttrain-logloss:${train}\tvalid-logloss:${valid}`);
  await sleep((1000 * Number(secondsText)) / ROUNDS);
}
print(`Stopped after ${ROUNDS} rounds`);
