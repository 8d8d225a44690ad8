import { createKindReader } from '../../kind-reader.js';
import { compileNative } from '../../testing/compile-native.js';

function readAuto(text: string): unknown[] {
  const reader = createKindReader({ kinds: [{ preset: 'auto' }], nonfinite: 'log', compile: compileNative });
  return text.split('\n').flatMap((line) => {
    const row = reader.read(line);
    return row === undefined ? [] : [Object.fromEntries(row)];
  });
}

const SETTINGS: ReadonlyArray<readonly [string, string]> = [
  [
    'YAML',
    'ROI_HEAD:\n  REG_LOSS_TYPE: smooth_l1\n  REG_LOSS_WEIGHT: 1.0\n  REG_LOSS: 0.5\nloss:\n  label_smoothing: 0.1',
  ],
  ['JSON over several lines', '{\n  "layernorm_epsilon": 1e-05,\n  "aux_loss": 0.5,\n  "seq (len)": 2048\n}'],
  ['a constructor', 'TrainingArguments(\nlearning_rate=5e-05,\nmax_grad_norm=1.0,\nlabel_loss = 0.5,\n)'],
  ['a dict over several lines', "{'lr': 0.1,\n 'loss': {'weight': 0.5,\n 'dice_loss': 0.5},\n 'acc': 1.0}"],
  ['a dict', "{'learning_rate': 5e-05, 'epoch': 3, 'train_batch_size': 8, 'aux_loss': 0.5, 'output_dir': 'out (1)'}"],
  [
    'settings with their names',
    'loss_weight: 0.5\nloss_weight: 0.25\nmax_grad_norm: 1.0\nmax_grad_norm: 2.0\naccumulate: 4.0',
  ],
  [
    'a box of parameters',
    '+----------+------------+\n|  Modules | Parameters |\n+----------+------------+\n| enc.0.w  |    729     |\n| enc.0.b  |     24     |\n+----------+------------+',
  ],
  ['a summary', 'wandb: Run summary:\nwandb:         train_grad_norm 0.61\nwandb:     best_val_loss 0.41'],
  ['a variable of the environment', 'Set the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.'],
  ['numbers of all', 'Total steps: 3746, num_warmup_steps: 0\nDONE: epochs=50, alpha=1.0, noise=0.5'],
  ['a dict with the name of a loss', "{'lr': 0.001, 'loss': 'mse', 'reward_scale': 0.1, 'n (m)': 3}"],
  ['a threshold and a hash', 'iou_thr: 0.7\niou_thr: 0.5\nacc commit: 1e10\nacc commit: 2e10'],
  [
    'thresholds of COCO',
    ' Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.123\n Average Recall     (AR) @[ IoU=0.75      | area= small | maxDets=  1 ] = 0.143',
  ],
  ['what LightGBM begins with', '[LightGBM] [Info] [binary:BoostFromScore]: pavg=0.500000 -> initscore=0.25 (a-b)'],
  [
    'a bar over a longer one',
    ' 50%|███  | 5/10 [00:01<00:01, 5.0it/s, acc=0.5], loss=0.75]\n 1/2 [00:01<00:01, 5.0it/s]t/s, loss=0.5]',
  ],
];

describe('settings are no rows', () => {
  it.each(SETTINGS)('%s', (_kind, text) => expect(readAuto(text)).toEqual([]));

  it.each(SETTINGS)('nor below a count: %s', (_kind, text) => {
    const rows = readAuto(`Epoch 1/3\nloss: 0.5\n${text}\nEpoch 2/3\nloss: 0.25\n${text}`);
    expect(rows).toEqual([
      { epoch: 1, loss: 0.5 },
      { epoch: 2, loss: 0.25 },
    ]);
  });

  it('nor is a value that stays the same where nothing counts', () => {
    expect(readAuto('score: 0.5\nscore: 0.5\nscore: 0.5')).toEqual([]);
    expect(readAuto('score: 0.5\nscore: 0.5\nscore: 0.75')).toEqual([{ 'table row': 3, score: 0.75 }]);
  });

  it('but measures of the same form are', () => {
    const rows = readAuto('Epoch 1\n    Accuracy: 0.5\nEpoch 2\n    Accuracy: 0.75');
    expect(rows).toEqual([
      { epoch: 1, Accuracy: 0.5 },
      { epoch: 2, Accuracy: 0.75 },
    ]);
  });
});
