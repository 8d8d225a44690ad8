import { inferXAxis } from '../../axis/x-axis.js';
import { createTableStats, foldRow, type TableStats } from '../../table/table-stats.js';
import { createKindReader } from '../kind-reader.js';
import type { MetadataKind } from '../metadata-kind.js';
import { compileNative } from '../testing/compile-native.js';

/** X of each table that is found in a text, by the names of its columns in printed order. */
function findX(
  text: string,
  kinds: readonly MetadataKind[] = [{ preset: 'auto' }]
): Record<string, string | undefined> {
  const tables = new Map<string, TableStats>();
  const reader = createKindReader({ kinds, nonfinite: 'log', compile: compileNative });
  for (const line of text.split('\n')) {
    const row = reader.read(line);
    if (row === undefined) continue;
    const names = [...row.keys()].join();
    const stats = tables.get(names) ?? { ...createTableStats(), counters: reader.counters(row) };
    foldRow(stats, row);
    tables.set(names, stats);
  }
  return Object.fromEntries(Array.from(tables, ([names, stats]) => [names, inferXAxis(stats)?.key]));
}

const BOX = (length: number, steps: number): string =>
  ['-------', `| ep_len_mean | ${length} |`, `| total_timesteps | ${steps} |`, '-------'].join('\n');

describe('X of what was found', () => {
  it.each<[string, string, Record<string, string | undefined>]>([
    [
      'the steps of a box, though an episode may grow longer',
      `${BOX(134, 2048)}\n${BOX(143, 4096)}`,
      { 'ep_len_mean,total_timesteps': 'total_timesteps' },
    ],
    [
      'the epoch within a trial',
      `Trial: 0 Epoch: 0, loss: 9.5\nTrial: 0 Epoch: 1, loss: 8.5\nTrial: 1 Epoch: 0, loss: 9.25`,
      { 'trial,epoch,loss': 'epoch' },
    ],
    [
      'the step of a job',
      `step=600/2500, epoch=1, loss: 2.5\nstep=601/2500, epoch=1, loss: 2.25`,
      { 'step,whole epoch,loss': 'step' },
    ],
    [
      'time where the step stands still',
      `Step 00462 | Validation bpb: 1.577\nStep 00462 | Validation bpb: 1.591`,
      { 'step,Validation bpb': undefined },
    ],
    [
      'an own one for each phase',
      [
        ...['TRAINING - Epoch: [0][0/90]\tLoss 2.5 (2.5)', 'TRAINING - Epoch: [0][45/90]\tLoss 2.25 (2.5)'],
        ...['EVALUATING - Epoch: [0][0/20]\tLoss 1.5 (1.5)', 'EVALUATING - Epoch: [0][10/20]\tLoss 1.25 (1.5)'],
        ...['Validating - Epoch: [0][0/20]\tLoss 1.5 (1.5)', 'Validating - Epoch: [0][10/20]\tLoss 1.25 (1.5)'],
      ].join('\n'),
      { 'epoch,Loss': 'epoch', 'epoch,eval Loss': 'epoch', 'epoch,val Loss': 'epoch' },
    ],
    [
      'the epoch of a value below its batches',
      [1, 2].map((epoch) => `Epoch ${epoch}\nBatch 0, Loss: 0.5\nBatch 9, Loss: 0.25\nVal Acc: 0.75`).join('\n'),
      { 'whole epoch,batch,steps in all,Loss': 'steps in all', 'whole epoch,batch,Val Acc': 'whole epoch' },
    ],
    [
      'the steps of a value below each of its batches',
      [0, 1, 2, 9]
        .map((iter) => `epoch:${iter > 2 ? 1 : 0} || iter:${iter} || Loss:0.5\n->> (a) loc loss:${iter}.5`)
        .join('\n'),
      {
        'whole epoch,iter,steps in all,Loss': 'steps in all',
        'whole epoch,iter,loc loss': 'whole epoch',
        'whole epoch,iter,steps in all,loc loss': 'steps in all',
      },
    ],
    [
      'the time of a simulation, though a Courant number rises too',
      [1, 2].map((i) => `Courant Number mean: ${i} max: ${i}\nTime = ${i}\nExecutionTime = ${i} s`).join('\n'),
      { 'courant mean,courant max,Time,execution time': 'Time' },
    ],
    [
      'the epoch of two fractions, of which none is named',
      `[0/25][0/1583]\tLoss_D: 1.5\tLoss_G: 4.5\n[0/25][50/1583]\tLoss_D: 1.25\tLoss_G: 4.25`,
      { 'epoch,Loss_D,Loss_G': 'epoch' },
    ],
    [
      'the step of a bar, whose share has its name',
      [1, 2].map((i) => `Steps:  ${i}%| | ${i}0/1000 [00:1${i}<16:30,  1.00s/it, step_loss=0.${i}]`).join('\n'),
      { 'step,step_loss': 'step' },
    ],
    [
      'an own one for a test that no epoch begins, and for its sum',
      [0, 1]
        .map((epoch) =>
          [
            ...[0, 50].map((i) => `Epoch: [${epoch}][ ${i}/100]\tTime 7.2 ( 7.2)\tLoss 2.5 (2.5)\tAcc@1  0.39 ( 0.39)`),
            ...[0, 10].map((i) => `Test: [ ${i}/20]\tTime  3.2 ( 3.2)\tLoss 4.5e+00 (4.5e+00)\tAcc@1 20.39 ( 20.39)`),
            ' *   Acc@1 19.716 Acc@5 42.186',
          ].join('\n')
        )
        .join('\n'),
      {
        'epoch,Time,Loss,Acc@1': 'epoch',
        'epoch,Test,test Time,test Loss,test Acc@1': 'epoch',
        'epoch,test Acc@1,test Acc@5': 'epoch',
      },
    ],
    [
      'an own one for what is tested at the end',
      [1, 2].map((i) => `Epoch ${i}/2\nloss: 0.${i} accuracy: 0.7\n`).join('') +
        'Testing the model...\nloss: 0.55 accuracy: 0.72',
      { 'epoch,loss,accuracy': 'epoch', 'epoch,test loss,test accuracy': 'epoch' },
    ],
    [
      'the step of a bar whose values come behind other numbers',
      [1, 2]
        .map(
          (i) =>
            `warmup: 5${i}%|██ | ${i}00/900 [00:05<00:05, 9.1it/s, ${i} steps of size ${i}.5e-01. acc. prob=0.${i}]`
        )
        .join('\n'),
      { 'step,acc. prob': 'step' },
    ],
    [
      'none of a validation whose value is not there',
      [1, 2].map((i) => `Epoch 1 | iter ${i} | loss train: 2.${i}, val: n/a | iter time: 5.${i} ms`).join('\n'),
      { 'whole epoch,iter,steps in all,loss train,iter time': 'steps in all' },
    ],
    [
      'the iteration beside a time in letters',
      [1, 2].map((i) => `Iteration ${i}0 / LogL: -12.${i} / Time: 0h:${i}m:3s (0h:1m:12s left)`).join('\n'),
      { 'iteration,LogL': 'iteration' },
    ],
    [
      'the epoch beside a rate and its mean',
      [0, 50]
        .map((i) => `Train: 0 [ ${i}/100 (  0%)]  Loss: 6.94 (6.94)  Time: 5.312s,  192.77/s  (5.312s,  192.77/s)`)
        .join('\n'),
      { 'epoch,Loss,Time': 'epoch' },
    ],
  ])('is %s', (_case, text, tables) => expect(findX(text)).toEqual(tables));

  it('is the group that counts, of a pattern', () => {
    const text = 'acc 1 at step 2\nacc 2 at step 1';
    const regex = 'acc (?<acc>\\d+) at step (?<step>\\d+)';
    expect(findX(text, [{ regex }])).toEqual({ 'acc,step': 'step' });
    expect(findX(text, [{ regex: `(?<row>)acc (?<acc>\\d+)` }])).toEqual({ 'row,acc': 'row' });
  });
});
