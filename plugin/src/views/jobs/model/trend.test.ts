import { formatPath } from '../../parts/components/Sparkline.js';
import { createTableFrame } from '../../testing/frames.js';
import { readTrends } from './trend.js';

const rows = [1, 2, 3].map((at) => ({ step: at, grad_norm: 9, loss: 3 - at, acc: [0, 0.1, 0.3, 0.2][at] ?? 0 }));

it.each([
  ['the loss', rows, ['loss', [2, 1, 0]]],
  [
    'what tells how good it is',
    rows.map(({ step, acc, grad_norm }) => ({ step, grad_norm, acc })),
    ['acc', [0.1, 0.3, 0.2]],
  ],
  ['the first other number', rows.map(({ step, grad_norm }) => ({ step, grad_norm })), ['grad_norm', [9, 9, 9]]],
  ['the only number', rows.map(({ loss }) => ({ loss, note: 'a' })), ['loss', [2, 1, 0]]],
  ['numbers beside a text', [...rows, { step: 4, loss: 'n/a' }], ['loss', [2, 1, 0]]],
  ['finite values alone', [...rows, { step: 4, loss: NaN }], ['loss', [2, 1, 0]]],
])('takes %s', (_name, table, [key, values]) => {
  const trends = readTrends([createTableFrame({ rows: table })]);
  expect([...trends]).toEqual([['["7","ann"]', { key, values }]]);
});

it('takes the better key of two tables', () => {
  const [timing, training] = [
    [
      { i: 1, ms: 5 },
      { i: 2, ms: 6 },
    ],
    rows,
  ].map((table) => createTableFrame({ rows: table }));
  const frames = [timing, training].filter((frame) => frame !== undefined);
  for (const order of [frames, [...frames].reverse()]) expect(readTrends(order).get('["7","ann"]')?.key).toBe('loss');
});

it('takes what the job prints, and never what it used', () => {
  const [used, printed] = [
    [
      { 'system.age_s': 1, 'system.cpu_cores': 5 },
      { 'system.age_s': 2, 'system.cpu_cores': 6 },
    ],
    rows.map(({ step, grad_norm }) => ({ step, grad_norm })),
  ].map((table) => createTableFrame({ rows: table }));
  const keysOf = (...frames: ReadonlyArray<typeof used>): unknown =>
    [...readTrends(frames.flatMap((frame) => frame ?? [])).values()].map(({ key }) => key);
  for (const order of [keysOf(used, printed), keysOf(printed, used)]) expect(order).toEqual(['grad_norm']);
  expect(keysOf(used)).toEqual([]);
});

it('takes the table that began last where two have the key, as the last values do', () => {
  const frames = [3, 5].map((factor) =>
    createTableFrame({ rows: rows.map(({ step, loss }) => ({ step, loss: factor * loss })) })
  );
  expect(readTrends(frames).get('["7","ann"]')?.values).toEqual([10, 5, 0]);
});

it('takes the table of the main graph where two with other X have the key', () => {
  const [epochs, steps] = [
    [3, 4].map((epoch) => ({ epoch, loss: 10 * epoch })),
    rows.map(({ step, loss }) => ({ step, loss })),
  ].map((table) => createTableFrame({ rows: table }));
  const frames = [epochs, steps].flatMap((frame) => frame ?? []);
  for (const order of [frames, [...frames].reverse()]) {
    expect(readTrends(order).get('["7","ann"]')?.values).toEqual([2, 1, 0]);
  }
});

it('needs two values', () => {
  expect(readTrends([createTableFrame({ rows: rows.slice(0, 1) })]).size).toBe(0);
});

it.each([
  [[0, 1], 'M0.0 18.5L96.0 1.5'],
  [[5, 5, 5], 'M0.0 10.0L48.0 10.0L96.0 10.0'],
])('draws %j', (values, path) => {
  expect(formatPath(values)).toBe(path);
});

it.each([[[-1.7e308, 0, 1.7e308]], [[0, 1.7e308]], [[5e-324, 1e-323]], [[1e-40, 3e-40]], [[1.7e308, 1.7e308]]])(
  'draws a course of any size with numbers alone: %j',
  (values) => {
    expect(formatPath(values)).toMatch(/^M\d+\.\d \d+\.\d(?:L\d+\.\d \d+\.\d)+$/);
  }
);
