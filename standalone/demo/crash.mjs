// A job that dies: prints what a Python program prints that evaluates a model, and meets a sample that does not fit.
// Usage: node crash.mjs [SEED] [SECONDS]
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, print, yellow } from './console.mjs';
import { createRandom } from './two-moons.mjs';

const BATCHES = 60;
const BAD_BATCH = 41;

const TRACEBACK = `Traceback (most recent call last):
  File "/home/ann/moons/evaluate.py", line 58, in <module>
    main(parse_args())
  File "/home/ann/moons/evaluate.py", line 44, in main
    scores = [evaluate(model, batch) for batch in loader]
  File "/home/ann/moons/evaluate.py", line 21, in evaluate
    return model(batch.inputs)
  File "/home/ann/moons/model.py", line 33, in __call__
    raise ValueError(f"expected {self.n_inputs} values a sample, found {inputs.shape[1]}")
ValueError: expected 2 values a sample, found 3
`;

const [seedText = '1', secondsText = '20'] = process.argv.slice(2);
const random = createRandom(5000 + Number(seedText));

print(bold('Evaluating two-moons') + ' on held-out shards');
process.stderr.write(yellow('warning: checkpoint is 3 epochs old') + '\n');
let right = 0;
for (let batch = 1; batch < BAD_BATCH; batch += 1) {
  const accuracy = 0.94 + 0.05 * random();
  right += accuracy;
  print(JSON.stringify({ batch, accuracy: Number(accuracy.toFixed(4)), mean: Number((right / batch).toFixed(4)) }));
  if (batch % 10 === 0) print(`batch ${batch}/${BATCHES} ok`);
  await sleep((1000 * Number(secondsText)) / BAD_BATCH);
}
process.stderr.write(TRACEBACK);
process.exitCode = 1;
