// A job to look at: trains a small network on two moons, for real, and prints what such programs print.
// Usage: node train.mjs CONFIG.json [SEED]
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, formatBar, green, orange, print, runBar, runNestedBars, yellow } from './console.mjs';
import { Network } from './network.mjs';
import { createRandom, drawSample, shuffle } from './two-moons.mjs';

const STEPS_PER_ROW = 50;
const EPOCHS_PER_CHECKPOINT = 30;

/** Prints a metadata line: one JSON object alone on its line. */
const printMetadata = (row) => print(JSON.stringify(row));
const round = (value, digits) => Number(value.toPrecision(digits));

async function loadData(config, random) {
  print(bold('Two moons') + ` with ${orange(String(config.samples))} samples, noise ${config.noise}`);
  print();
  print();
  print();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    print('waiting for the data loader ...');
    await sleep(150);
  }
  await runBar('drawing samples', 40, 40);
  const samples = Array.from({ length: config.samples }, () => drawSample(random, config.noise));
  const trained = Math.round(0.8 * samples.length);
  print(`${trained} samples to train on, ${samples.length - trained} to validate`);
  process.stderr.write(yellow('warning: no GPU found, training on one CPU core') + '\n');
  return { training: samples.slice(0, trained), validation: samples.slice(trained) };
}

/** One pass over the training samples; returns their mean loss. */
function trainEpoch(network, samples, settings, progress) {
  let loss = 0;
  for (let start = 0; start < samples.length; start += settings.batchSize) {
    const batch = samples.slice(start, start + settings.batchSize);
    const batchLoss = batch.reduce((sum, sample) => sum + network.backward(sample), 0);
    loss += batchLoss;
    const gradNorm = network.step(batch.length, settings);
    progress.step += 1;
    if (progress.step % STEPS_PER_ROW === 0) {
      printMetadata({
        step: progress.step,
        batch_loss: round(batchLoss / batch.length, 4),
        grad_norm: round(gradNorm, 4),
      });
    }
  }
  return loss / samples.length;
}

async function train(network, { training, validation }, config, random) {
  const progress = { step: 0 };
  // Training takes a second or two. The pauses between epochs make it worth watching.
  const pauseMs = (1000 * config.durationSeconds) / config.epochs;
  for (let epoch = 1; epoch <= config.epochs; epoch += 1) {
    const learningRate = config.learningRate * config.decay ** (epoch - 1);
    shuffle(training, random);
    const loss = trainEpoch(network, training, { ...config, learningRate }, progress);
    const validated = network.evaluate(validation);
    printMetadata({
      epoch,
      loss: round(loss, 5),
      val_loss: round(validated.loss, 5),
      accuracy: round(validated.accuracy, 4),
      lr: round(learningRate, 4),
    });
    process.stderr.write(`\r${formatBar('training', epoch, config.epochs)} loss ${loss.toFixed(4)}`);
    if (epoch % EPOCHS_PER_CHECKPOINT === 0) await runBar(`writing checkpoint ${epoch}`, 20, 20);
    await sleep(pauseMs);
  }
  process.stderr.write('\n');
}

async function main() {
  const [configPath = 'config.json', seedText = '1'] = process.argv.slice(2);
  const config = JSON.parse(readFileSync(configPath, 'utf8'));
  const random = createRandom(7000 + Number(seedText));
  const data = await loadData(config, random);
  const network = new Network([2, ...config.hidden, 1], random);
  await train(network, data, config, random);
  print();
  await runNestedBars('folds', 'batches', 4, 12, 60);
  const { loss, accuracy } = network.evaluate(data.validation);
  print(green(`done: accuracy ${(100 * accuracy).toFixed(1)} %, loss ${loss.toFixed(4)}`));
}

await main();
