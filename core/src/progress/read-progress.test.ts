import { parseDuration, readProgress } from './read-progress.js';

const BAR = '█'.repeat(5);

/** Lines as programs print them, and what they say: label, fraction, time left in seconds. */
const ROWS: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, number, number?]>]> = [
  [` 45%|${BAR}▌     | 45/100 [00:12<00:15,  3.60it/s]`, [['', 0.45, 15]]],
  [`Epoch 3:  45%|${BAR}     | 9/20 [00:12<00:15,  3.60it/s, v_num=0, loss=0.3]`, [['part of epoch', 0.45, 15]]],
  [
    `Epoch 3/10:  45%|${BAR}     | 9/20 [00:12<00:15,  3.60it/s, loss=0.3]`,
    [
      ['epoch', 0.3],
      ['', 0.45, 15],
    ],
  ],
  [`model.safetensors:  50%|${BAR}| 1.21G/2.42G [01:02<1:01:02, 33.0MB/s]`, [['model safetensors', 0.5, 3662]]],
  [`  0%|          | 0/3 [00:00<?, ?it/s]`, [['', 0]]],
  [`100%|${BAR}| 3/3 [1 day, 2:03:04<00:00, 3.2s/it]`, [['', 1, 0]]],
  [`{'loss': 0.5}  10%|█   | 10/100 [00:12<01:48,  1.20s/it]`, [['loss', 0.1, 108]]],
  ['Working... ━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━━━━━━━━━━━━  45% 0:00:12', [['working', 0.45, 12]]],
  ['Working... ━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━━━━━━━━━━━━   5% -:--:--', [['working', 0.05]]],
  ['     ━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━━ 12.0/48.0 MB 3.2 MB/s eta 0:00:12', [['', 0.25, 12]]],
  ['data.tar  45%[========>          ]  12.30M  3.1MB/s    eta 10s', [['data tar', 0.45, 10]]],
  ['45/100 [=========>....................] - ETA: 12s - loss: 0.30', [['', 0.45, 12]]],
  ['45/100 ━━━━━━━━━━━━━━━━━━━━ 1:02 300ms/step - accuracy: 0.91 - loss: 0.30', [['', 0.45, 62]]],
  ['Epoch 3/10', [['epoch', 0.3]]],
  [
    'Epoch [3/10], Step [100/500], Loss: 0.31',
    [
      ['epoch', 0.3],
      ['step', 0.2],
    ],
  ],
  [' iteration       10/     100 | consumed samples: 160 | lm loss: 9.1E+00 |', [['iteration', 0.1]]],
  ['Step: 100 of 1000 done', [['step', 0.1]]],
  ['12 of 48 steps (25%) done', [['step', 0.25]]],
  ['[45/100] Building CXX object foo.o', [['', 0.45]]],
  ['[ 45%] Building CXX object foo.o', [['', 0.45]]],
  ['Progress: 45.5 %', [['', 0.455]]],
  ['Epoch: [3][100/400]\tTime 0.3 (0.4)\tLoss 0.2', [['part of epoch', 0.25]]],
  ['Epoch 3:  45%|████▌     | 45/100 [00:12<00:15,  3.60it/s, loss=0.3]', [['part of epoch', 0.45, 15]]],
  ['Epoch 0 ━━━━━━━━━━━━━━━━━━━━━━━  45% 0:00:12', [['part of epoch', 0.45, 12]]],
  ['Downloading shard 3:  45%|████▌     | 45/100 [00:12<00:15,  3.60it/s]', [['downloading shard', 0.45, 15]]],
  // Nothing is said by these.
  ['loss 0.45 at step 45', []],
  ['2026/11/22 10:00:01 started', []],
  ['accuracy: 45%', []],
  ['see /usr/share/doc', []],
  ['epoch 12/10', []],
  ['1/1', []],
];

describe('readProgress', () => {
  it.each(ROWS)('%j', (line, expected) => {
    const { readings } = readProgress(line);
    expect(
      readings.map(({ label, fraction, remainingS }) =>
        remainingS === undefined ? [label, round(fraction)] : [label, round(fraction), remainingS]
      )
    ).toEqual(expected);
  });

  it.each([
    ['detectron2', ' eta: 0:12:34  iter: 1999  total_loss: 0.5', 754],
    ['mmcv', 'Epoch [3][100/400]  lr: 1.0e-02, eta: 1 day, 0:00:10, time: 0.1', 86_410],
    ['GROMACS', 'step 900, remaining wall clock time:    12 s', 12],
  ])('takes the time left of the whole from a line of %s', (_, line, remainingS) => {
    expect(readProgress(line).remainingS).toBe(remainingS);
  });

  it('tells a heading from a line with values', () => {
    const isHeading = (line: string): readonly boolean[] => readProgress(line).readings.map((found) => found.isHeading);
    expect(isHeading('Epoch 3/10')).toEqual([true]);
    expect(isHeading('Epoch 3/10 loss 0.3')).toEqual([false]);
    expect(isHeading('Epoch [3/10], Step [100/500], Loss: 0.31')).toEqual([true, false]);
  });
});

describe('parseDuration', () => {
  it.each([
    ['12s', 12],
    ['1:02', 62],
    ['1:02:03', 3723],
    ['2 days, 1:02:03', 176_523],
    ['1h 02m', 3720],
    ['?', undefined],
    ['-:--:--', undefined],
  ])('%s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });
});

const round = (value: number): number => Math.round(value * 1e6) / 1e6;
