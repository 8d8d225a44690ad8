import fc from 'fast-check';
import { createProgressEstimator, type ProgressEstimator } from './progress-estimator.js';

const BAR = '█'.repeat(5);
const START_MS = 1_700_000_000_000;

/** Lines with the share of the whole run, 0 to 1, at which they are printed. */
type Script = ReadonlyArray<readonly [number, string]>;

const bar = (done: number, total: number, label = ''): string =>
  `${label}${Math.floor((100 * done) / total)}%|${BAR}| ${done}/${total} [00:12<00:15,  3.60it/s]`;

const steps = (count: number, line: (i: number) => string): Script =>
  Array.from({ length: count }, (_, i) => [(i + 1) / count, line(i + 1)] as const);

const nest = (outer: number, inner: number, lines: (i: number, j: number) => readonly string[]): Script =>
  Array.from({ length: outer * inner }, (_, at) => [at, Math.floor(at / inner) + 1, (at % inner) + 1] as const).flatMap(
    ([at, i, j]) => lines(i, j).map((line) => [(at + 1) / (outer * inner), line] as const)
  );

/** Programs that go on steadily. */
const STEADY: Readonly<Record<string, Script>> = {
  'a bar': steps(200, (i) => bar(i, 200)),
  'nested bars': nest(5, 40, (i, j) => [bar(i - 1, 5, 'epochs: '), bar(j, 40, `epoch ${i}: `)]),
  'a heading for each epoch, and a bar that begins again': nest(10, 20, (i, j) => [
    ...(j === 1 ? [`Epoch ${i}/10`] : []),
    `${j}/20 [====>....................] - ETA: 12s - loss: 0.3`,
  ]),
  'a bar that names its epoch': nest(8, 25, (i, j) => [bar(j, 25, `Epoch ${i}/8: `)]),
  'a bar as long as the epochs that it names': nest(10, 10, (i, j) => [bar(j, 10, `Epoch ${i}/10: `)]),
  'a bar that names its epoch, from 0': nest(8, 25, (i, j) => [bar(j, 25, `Epoch ${i - 1}/8: `)]),
  'epoch and step in one line': nest(8, 25, (i, j) => [`Epoch [${i}/8], Step [${j}/25], Loss: 0.31`]),
  'a line for each epoch': steps(50, (i) => `Epoch ${i}/50 loss=${1 / i}`),
  'iterations of Megatron': steps(100, (i) => ` iteration ${i * 10}/ 1000 | lm loss: 9.1E+00 |`),
  'a download before the training': [
    ...steps(20, (i) => bar(i, 20, 'model.bin: ')).map(([at, line]) => [at * 0.01, line] as const),
    ...steps(200, (i) => bar(i, 200)).map(([at, line]) => [0.01 + at * 0.99, line] as const),
  ],
  'ranks that print out of order': steps(200, (i) => `step ${Math.max(1, i - (i % 3))}/200 loss 0.3`),
};

function play(script: Script, durationMs: number, check: (estimator: ProgressEstimator, share: number) => void): void {
  const estimator = createProgressEstimator();
  for (const [share, line] of script) {
    estimator.noteLine(line, START_MS + share * durationMs);
    check(estimator, share);
  }
}

describe('createProgressEstimator', () => {
  it.each(Object.keys(STEADY))('estimates the end of %s within a fifth from the middle on', (name) => {
    const durationMs = 600_000;
    let told = 0;
    let late = 0;
    play(STEADY[name] ?? [], durationMs, (estimator, share) => {
      const found = estimator.estimate(START_MS + share * durationMs);
      if (share < 0.5 || found?.progress === 1) return;
      late += 1;
      if (found?.remainingS === undefined) return;
      told += 1;
      const whole = share * durationMs + found.remainingS * 1000;
      expect(Math.abs(whole / durationMs - 1)).toBeLessThan(0.2);
      expect(Math.abs(found.progress - share)).toBeLessThan(0.13);
    });
    expect(told / late).toBeGreaterThan(0.9);
  });

  it('does so with steps of uneven length', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 70, max: 130 }), { minLength: 100, maxLength: 100 }), (lengths) => {
        const durationMs = lengths.reduce((sum, ms) => sum + ms * 100, 0);
        const estimator = createProgressEstimator();
        let timeMs = 0;
        lengths.forEach((ms, i) => {
          timeMs += ms * 100;
          estimator.noteLine(bar(i + 1, 100), START_MS + timeMs);
          if (i < 50 || i === 99) return;
          const remainingS = estimator.estimate(START_MS + timeMs)?.remainingS ?? NaN;
          expect(Math.abs((timeMs + remainingS * 1000) / durationMs - 1)).toBeLessThan(0.2);
        });
      })
    );
  });

  it.each<readonly [string, Script]>([
    ['a bar that begins again and again, with no end in sight', nest(6, 30, (i, j) => [bar(j, 30, `Epoch ${i}: `)])],
    ['the few parts of a file', steps(4, (i) => bar(i, 4, 'Loading checkpoint shards: '))],
    [
      'a short bar in the course of a training that counts nothing',
      [
        ...steps(200, (i) => `loss: ${i}.5`).map(([at, line]) => [at * 0.6, line] as const),
        ...steps(117, (i) => `[====>.....] ${i}/117`).map(([at, line]) => [0.6 + at * 0.1, line] as const),
        ...steps(117, (i) => bar(i, 117)).map(([at, line]) => [0.7 + at * 0.1, line] as const),
        [0.99, 'loss: 0.5'],
      ],
    ],
    ['dates', steps(20, (i) => `11/${10 + Math.floor(i / 5)} 10:00 starting`)],
    ['scores', steps(20, (i) => `${i % 5}/5 stars`)],
    ['tests that passed', steps(20, () => 'passed 19/20')],
    ['accuracies', steps(20, (i) => `accuracy: ${i}% (${i}/100)`)],
  ])('says nothing of %s', (_, script) => {
    play(script.slice(Math.floor(script.length / 3)), 600_000, (estimator, share) => {
      if (share > 0.6) expect(estimator.estimate(START_MS + share * 600_000)?.remainingS).toBeUndefined();
    });
  });

  it('tells no progress of a bar that comes after a longer time without one', () => {
    const estimator = createProgressEstimator();
    for (let i = 0; i < 100; i += 1) estimator.noteLine(`loss: ${i}.5`, START_MS + i * 1000);
    for (let i = 1; i <= 50; i += 1) estimator.noteLine(bar(i, 50), START_MS + 100_000 + i * 1000);
    expect(estimator.estimate(START_MS + 150_000)).toBeUndefined();
    const soon = createProgressEstimator();
    for (let i = 0; i < 10; i += 1) soon.noteLine(`loading part ${i}`, START_MS + i * 1000);
    for (let i = 1; i <= 25; i += 1) soon.noteLine(bar(i, 50), START_MS + 10_000 + i * 1000);
    expect(soon.estimate(START_MS + 35_000)?.progress).toBe(0.5);
  });

  it('says nothing of the end while the counter stands still', () => {
    const estimator = createProgressEstimator();
    for (let i = 1; i <= 50; i += 1) estimator.noteLine(bar(i, 100), START_MS + i * 1000);
    expect(estimator.estimate(START_MS + 51_000)).toEqual({ progress: 0.5, remainingS: expect.closeTo(49) as number });
    expect(estimator.estimate(START_MS + 50_000 + 3_600_000)).toEqual({ progress: 0.5, remainingS: undefined });
  });

  it('takes a column `progress`, as a fraction or as percent', () => {
    for (const scale of [1, 100]) {
      const estimator = createProgressEstimator();
      for (let i = 1; i <= 20; i += 1)
        estimator.noteValues(new Map([['progress', (scale * i) / 40]]), START_MS + i * 1000);
      expect(estimator.estimate(START_MS + 20_000)).toEqual({
        progress: 0.5,
        remainingS: expect.closeTo(20) as number,
      });
    }
  });

  it('takes the epoch of metadata against the total in the config', () => {
    const estimator = createProgressEstimator();
    estimator.noteValues(new Map([['num_train_epochs', 4]]), START_MS);
    for (let i = 1; i <= 20; i += 1) estimator.noteValues(new Map([['epoch', i / 10]]), START_MS + i * 1000);
    expect(estimator.estimate(START_MS + 20_000)?.progress).toBe(0.5);
  });

  it('takes the time left that a program tells without a counter', () => {
    const estimator = createProgressEstimator();
    for (let i = 0; i <= 50; i += 1)
      estimator.noteLine(`eta: 0:00:${String(99 - i).padStart(2, '0')}  iter: ${i}`, START_MS + i * 1000);
    const found = estimator.estimate(START_MS + 50_000);
    expect(found?.remainingS).toBe(49);
    expect(found?.progress).toBeCloseTo(0.505, 2);
  });

  it('continues from its state', () => {
    const lines = STEADY['nested bars'] ?? [];
    const whole = createProgressEstimator();
    let cut = createProgressEstimator();
    lines.forEach(([share, line], i) => {
      whole.noteLine(line, START_MS + share * 600_000);
      if (i % 7 === 0) cut = createProgressEstimator(JSON.parse(JSON.stringify(cut.state)) as typeof cut.state);
      cut.noteLine(line, START_MS + share * 600_000);
    });
    expect(cut.estimate(START_MS + 600_000)).toEqual(whole.estimate(START_MS + 600_000));
  });

  it('stays within bounds and never falls while one counter is chosen, whatever is printed', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(12), fc.nat(12)).map(([i, n]) => `Epoch ${i}/${n}`),
      fc.tuple(fc.nat(12), fc.nat(12), fc.constantFrom('', 'a: ')).map(([i, n, label]) => bar(i, n, label))
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5000), piece)), (lines) => {
        const estimator = createProgressEstimator();
        let timeMs = START_MS;
        for (const [ms, line] of lines) {
          timeMs += ms;
          estimator.noteLine(line, timeMs);
          const { progress = 0, remainingS = 0 } = estimator.estimate(timeMs) ?? {};
          expect(progress >= 0 && progress <= 1).toBe(true);
          expect(remainingS >= 0).toBe(true);
        }
      })
    );
  });
});
