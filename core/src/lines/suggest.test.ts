import { suggest } from './suggest.js';
import { compileNative } from './testing/compile-native.js';

const find = (lines: readonly string[]): ReturnType<typeof suggest> => suggest(lines, { compile: compileNative });

const repeat = (count: number, format: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => format(i));

describe('suggest', () => {
  it('finds the lines that differ in their numbers alone', () => {
    const lines = repeat(20, (i) => `[worker] residual: ${1 / (i + 1)} after ${i} sweeps (${i}:00)`);
    const [best, ...others] = find(['hello', ...lines, 'bye 1']);
    expect(others).toEqual([]);
    expect(best).toMatchObject({ example: lines[0], names: ['residual', 'after'] });
    expect(best?.rows).toHaveLength(20);
    expect([...(best?.rows[3] ?? [])]).toEqual([
      ['residual', 0.25],
      ['after', 3],
    ]);
  });

  it('shows the last line with text of a block that a blank line ends', () => {
    const block = (i: number): string[] => [
      ...['           Step           Time', `${i}`.padStart(15) + `${i}.00000`.padStart(15), ''],
      ...['   Energies (kJ/mol)', '           Bond          Angle', `    1.${i}0000e+03    2.${i}0000e+03`, ''],
    ];
    const [best] = find([0, 1, 2, 3].flatMap(block));
    expect(best).toMatchObject({ rule: { preset: 'gromacs' }, example: '    1.00000e+03    2.00000e+03' });
  });

  it('finds lines whose paths change, too', () => {
    const [best] = find(repeat(9, (i) => `wrote /out/part-${i}.bin: size=${i * i}.5`));
    expect(best?.rows).toHaveLength(9);
    expect(best?.names).toEqual(['size']);
  });

  it('captures numbers with commas, and none that only tell things apart', () => {
    const [best] = find(repeat(9, (i) => `(Worker pid=${i}77) tokens: ${i},000 loss: 0.${i}`));
    expect(best?.names).toEqual(['tokens', 'loss']);
    expect(best?.rows[2]?.get('tokens')).toBe(2000);
  });

  it('takes both 7 and 1,200 for a count', () => {
    const [best] = find(repeat(9, (i) => `seen: ${i < 5 ? i : `${i},200`} loss: 0.${i}`));
    expect(best?.rows.map((row) => row.get('seen')).slice(3, 6)).toEqual([3, 4, 5200]);
  });

  it('numbers the rows where no number would be X', () => {
    const [best] = find(repeat(9, (i) => `throughput:${(i * 7) % 5}.5 rl time: ${(i * 3) % 4}.25`));
    expect(best?.names).toEqual(['table_row', 'throughput', 'rl_time']);
    expect(best?.rows.map((row) => row.get('table_row'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('leaves the layers of a network alone', () => {
    const layers = repeat(9, (i) => `    (conv${i}): Conv2d(${i}, 32, kernel_size=(7, 7), stride=(${i}, 1))`);
    expect(find(layers)).toEqual([]);
  });

  it('takes no unit and no uncertainty for a name', () => {
    const [best] = find(
      repeat(9, (i) => `Time (mean ± σ):  1.${i}2 s ±  0.0${i} s    [User: 2.${i} s, System: 0.${i} s]`)
    );
    expect(best?.names).toEqual(['mean', 'User', 'System']);
  });

  it('takes numbers without a name where no measure has one', () => {
    const [best] = find(repeat(9, (i) => `CYC:   ${i}     -0.${i}7E+02    0.5${i}E-01`));
    expect(best?.names).toEqual(['CYC', 'value', 'value_2']);
    const [named] = find(repeat(9, (i) => `Train: ${i}  Loss: 0.${i}5 (0.${i}7)`));
    expect(named?.names).toEqual(['Train', 'Loss']);
  });

  it.each<[string, (i: number) => string, readonly string[]]>([
    ['glog', (i) => `I0315 10:00:0${i}.12 99 log.py:4] [${i}00] loss=0.${i}5`, ['value', 'loss']],
    [
      'names behind',
      (i) => `${i}: 2.${i}1, 3.${i}7 avg loss, 0.0${i} rate, 64${i} images`,
      ['avg_loss', 'rate', 'images'],
    ],
    ['a table of names', (i) => `|    ep_rew_mean     | 2${i}.3     |`, ['ep_rew_mean']],
    ['a logger', (i) => `INFO:tensorflow:loss = 0.${i}, size = ${i}`, ['table row', 'loss', 'size']],
    ['bare columns', (i) => `${i} 0.${i}5 ${i}.25`, ['value', 'value_2', 'value_3']],
  ])('names the numbers of %s', (_name, format, names) => {
    const [best] = find(repeat(9, format));
    expect([best?.rows.length, best?.names]).toEqual([9, names]);
  });

  it('takes no kind that reads few of the lines of a pattern', () => {
    const [best] = find(repeat(9, (i) => `Column=${i}84 Fraction=${i < 5 ? ' ' : ''}${i}.8% Gflops=${i}.5e+02`));
    expect([best?.rows.length, best?.names]).toEqual([9, ['Column', 'Fraction', 'Gflops']]);
  });

  it('puts known programs first, and leaves their lines out of other patterns', () => {
    const lines = repeat(5, (i) => `[${i}]\ttrain-rmse:${5 - i}.5\tvalid-rmse:${6 - i}.25`);
    const own = repeat(50, (i) => `memory used: ${i}.5 GB`);
    expect(find([...own, ...lines]).map(({ rule, rows }) => [rule, rows.length])).toEqual([
      [{ preset: 'xgboost' }, 5],
      [{ regex: '^\\s*memory\\s+used:\\s*(?<memory_used>[-+.\\w]+)\\s+GB' }, 50],
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['nothing', []],
    ['prose', ['hello', 'we have 3 of them', 'and 4 others']],
    ['lines that never change', repeat(9, () => 'loss: 0.5')],
    ['frames of a traceback', repeat(9, (i) => `  File "train.py", line ${i}, in <module>`)],
    ['ids', repeat(9, (i) => `Finished job ${i}`)],
    ['packages', repeat(9, (i) => `  Downloading a_b-${i}.1.0-py3-none (x).whl (${i}.7 MB)`)],
    ['bars of packages', repeat(9, (i) => `   ━━━━━━━━━━━━━━━━ ${i}.2/${i}.2 MB ${i * i}.3 MB/s eta 0:00:00`)],
    ['bars of files', repeat(9, (i) => `model-${i} (1).bin: 100%|████| 4.${i}G/4.${i}G [01:58<00:00, 4${i}.7MB/s]`)],
  ])('finds nothing in %s', (_name, lines) => expect(find(lines)).toEqual([]));

  it('takes time in proportion to the lines, whatever is on them', () => {
    const wide = repeat(200, (i) => `${'a1 '.repeat(2000)}${i}`);
    const words = repeat(3000, (i) => `${'x'.repeat(i % 500)}${i} y ${'9'.repeat(i % 300)}.${i}`);
    const started = performance.now();
    find([...wide, ...words, `${'a'.repeat(200_000)}!`, '[='.repeat(50_000), '1'.repeat(100_000)]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
