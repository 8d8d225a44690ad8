import { guessDirection } from './metric-direction.js';

it.each([
  ['loss', 'lower'],
  ['val/loss (mean)', 'lower'],
  ['trainLoss', 'lower'],
  ['error_rate', 'lower'],
  ['reward_loss', 'lower'],
  ['ppl', 'lower'],
  ['epoch.time', 'lower'],
  ['step_ms', 'lower'],
  ['acc', 'higher'],
  ['val-acc@1', 'higher'],
  ['macro F1', 'higher'],
  ['eval_AUC', 'higher'],
  ['mean_reward', 'higher'],
  ['acc_min', 'higher'],
  ['throughput', 'higher'],
  ['samples_per_s', 'higher'],
  ['tokens/sec', 'higher'],
  ['lr', undefined],
  ['step', undefined],
  ['accelerator', undefined],
  ['glossary', undefined],
  ['', undefined],
])('says of %j: %s', (name, direction) => {
  expect(guessDirection(name)).toBe(direction);
});
