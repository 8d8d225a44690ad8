import { createTableStats, foldRow } from '../table/table-stats.js';
import { createNonfiniteSignal, findNonfiniteMetrics } from './nonfinite-metric.js';

describe('metrics that are no longer finite', () => {
  it('are the keys that had numbers before', () => {
    const stats = createTableStats();
    const texts = { never: 'NaN', text: 'a' };
    foldRow(stats, new Map(Object.entries({ loss: 1, norm: 2, rate: 3, ...texts })));
    foldRow(stats, new Map(Object.entries({ loss: 'NaN', norm: 'null', rate: 4, ...texts })));
    const row = new Map(Object.entries({ loss: 'NaN', norm: '-Infinity', rate: 5, other: 'NaN', ...texts }));
    expect(findNonfiniteMetrics(row, stats)).toEqual([
      { key: 'loss', value: 'NaN' },
      { key: 'norm', value: '-Infinity' },
    ]);
  });

  it.each([
    ['train/loss', 'NaN', 'error loss-nan: loss is NaN'],
    ['val_loss', 'NaN', 'error loss-nan: val_loss is NaN'],
    ['loss', 'Infinity', 'warning metric-nonfinite: loss is Infinity'],
    ['grad/norm', 'NaN', 'warning metric-nonfinite: grad/norm is NaN'],
    ['lossless', 'NaN', 'warning metric-nonfinite: lossless is NaN'],
    ['k'.repeat(200), 'NaN', `warning metric-nonfinite: ${'k'.repeat(100)}… is NaN`],
  ])('%s: %s', (key, value, expected) => {
    const { severity, name, message } = createNonfiniteSignal({ key, value });
    expect(`${severity} ${name}: ${message}`).toBe(expected);
  });
});
