import { inferLinePattern } from './infer-line-pattern.js';
import { readPatternRow } from './line-pattern.js';
import { compileNative } from './testing/compile-native.js';

/** The row that the pattern of one line finds in another. `^` marks the chosen number. */
function readOther(line: string, mark: string, other: string, before: readonly string[] = []): unknown {
  const pattern = inferLinePattern(line, line.indexOf(mark), before);
  const compiled = compileNative(pattern?.regex ?? '');
  const row = compiled.ok ? readPatternRow(compiled.value, other) : undefined;
  return [pattern?.name, row && Object.fromEntries(row)];
}

describe('inferLinePattern', () => {
  it.each<[string, string, string, unknown]>([
    [
      'Epoch 1/10, lm loss: 1.5E+00 | grad norm: 0.25 (3.5 s)',
      '1.5E',
      'Epoch 10/10, lm loss: nan | grad norm: -2e-3 (12 s)',
      ['lm_loss', { epoch: 10, lm_loss: 'NaN', grad_norm: -0.002 }],
    ],
    [
      '2024-03-04 10:04:08,424 - run - INFO - step=10 loss=0.5',
      '0.5',
      '2025-01-01 00:00:00,001 - run - INFO - step=2000 loss=1e-9',
      ['loss', { step: 2000, loss: 1e-9 }],
    ],
    [
      ' iteration       10/ 9155273 | consumed samples:          480 | lm loss: 1.09E+01 |',
      '480',
      ' iteration  1234567/ 9155273 | consumed samples: 123456789480 | lm loss: 9.0E+00 |',
      ['consumed_samples', { iteration: 1234567, consumed_samples: 123456789480, lm_loss: 9 }],
    ],
    ['took 0.5 and 0.75', '0.75', 'took 1.5 and 2.5', ['value', { took: 1.5, value: 2.5 }]],
    ['Baseline: 84.4%', '84', 'Baseline: 9%', ['Baseline', { Baseline: 9 }]],
    ['v_loss 4.5e+00  v_t2m/R01 1.32%', '1.32', 'v_loss 1  v_t2m/R01 2%', ['v_t2m_R01', { v_loss: 1, v_t2m_R01: 2 }]],
    ['10 0.5 0.25', '0.25', '20 1 0.5', ['value_3', { value: 20, value_2: 1, value_3: 0.5 }]],
    ['100 loss: 0.25', '0.25', '200 loss: 1e-3', ['loss', { value: 200, loss: 0.001 }]],
    ['E=-1.5+0.25j (7 s)', '-1.5', 'E=2e-05-1e-06j (8 s)', ['E', { E: 2e-5 }]],
    ['20181031_074123 forward: -4.5', '-4.5', '20181101_000000 forward: 2', ['forward', { forward: 2 }]],
    ['a=1 a=2', '2', 'a=3 a=4', ['a_2', { a: 3, a_2: 4 }]],
  ])('of %s takes %s by name, and reads the next line', (line, mark, other, found) => {
    expect(readOther(line, mark, other)).toEqual(found);
  });

  it.each<[string, string, boolean]>([
    ['took 0.5 and 0.75', '0.75', false],
    ['step=10 loss=0.5', '0.5', true],
    ['10 0.5 0.25', '0.25', true],
    ['E=-1.5 (7 s)', '-1.5', false],
  ])('of %s at %s has a count: %s', (line, mark, hasCount) => {
    expect(inferLinePattern(line, line.indexOf(mark))?.hasCount).toBe(hasCount);
  });

  it('does not take other lines', () => {
    const { regex = '' } = inferLinePattern('train loss=0.5', 11) ?? {};
    const compiled = compileNative(regex);
    expect(compiled.ok && readPatternRow(compiled.value, 'valid loss=0.5')).toBeUndefined();
  });

  it('names columns by the heading before', () => {
    const before = ['run 20000', 'Step Temp E_pair Press'];
    const found = readOther('       0          2.4            0    3.59', '2.4', '  1000 2.5 -3 4', before);
    expect(found).toEqual(['Temp', { Step: 1000, Temp: 2.5, E_pair: -3, Press: 4 }]);
  });

  it.each([
    ['no number here', 3],
    ['loss 5', 1],
    ['model_10 at 5', 2],
  ])('finds none in %j at %i', (line, column) => {
    expect(inferLinePattern(line, column)).toBeUndefined();
  });
});
