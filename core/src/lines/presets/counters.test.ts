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
  ])('is %s', (_case, text, tables) => expect(findX(text)).toEqual(tables));

  it('is the group that counts, of a pattern', () => {
    const text = 'acc 1 at step 2\nacc 2 at step 1';
    const regex = 'acc (?<acc>\\d+) at step (?<step>\\d+)';
    expect(findX(text, [{ regex }])).toEqual({ 'acc,step': 'step' });
    expect(findX(text, [{ regex: `(?<row>)acc (?<acc>\\d+)` }])).toEqual({ 'row,acc': 'row' });
  });
});
