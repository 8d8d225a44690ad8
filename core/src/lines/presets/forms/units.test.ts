import { createKindReader } from '../../kind-reader.js';
import { compileNative } from '../../testing/compile-native.js';

/** The values of one column, in each row that has it. */
function readColumn(lines: readonly string[], key: string): unknown[] {
  const reader = createKindReader({ kinds: [{ preset: 'auto' }], nonfinite: 'log', compile: compileNative });
  return lines.flatMap((line) => reader.read(line)?.get(key) ?? []);
}

describe('the unit of a column', () => {
  it.each<[string, readonly string[], readonly unknown[]]>([
    ['is that of its first value', ['98.5ms', '1.25s', '2 min'], [98.5, 1250, 120_000]],
    ['tells thousands', ['950', '12.5k', '1.2M'], [950, 12_500, 1_200_000]],
    ['tells thousands from the largest', ['1.2M', '980k', '500'], [1.2, 0.98, 0.0005]],
    ['comes behind a zero', ['0', '98.5ms', '1.25s'], [0, 98.5, 1250]],
    ['may be missing', ['1.5s', '0', '2.5s'], [1.5, 0, 2.5]],
    ['is known of memory', ['512MiB', '1.5 GiB'], [512, 1536]],
    ['is the same', ['17.9GB', '44.8 GB', '97.5GB'], [17.9, 44.8, 97.5]],
    ['gives no value that nobody can tell', ['900MB', '1.25GB', '2.5it/s', '950MB'], [900, 950]],
    ['holds a rate', ['2.5it/s', '1.25s/it', '3.5it/s'], [2.5, 3.5]],
  ])('%s', (_case, texts, values) => {
    expect(
      readColumn(
        texts.map((text, i) => `step ${i + 1}, loss: 0.5, used: ${text}`),
        'used'
      )
    ).toEqual(values);
    expect(
      readColumn(
        texts.map((text) => `loss: 0.5, acc: 0.25, used: ${text}`),
        'used'
      )
    ).toEqual(values);
  });

  it('is kept for names that objects have', () => {
    expect(
      readColumn(['step 1, loss: 0.5, constructor: 5ms', 'step 2, loss: 0.5, constructor: 1s'], 'constructor')
    ).toEqual([5, 1000]);
  });

  it('is that of a count, too', () => {
    expect(readColumn(['step: 950, loss: 0.5', 'step: 1k, loss: 0.5'], 'step')).toEqual([950, 1000]);
  });
});
