import type { Column } from '../../../parts/components/tables.js';
import { isCounter } from '../lines/counters.js';
import type { GraphLine } from '../lines/graphs.js';
import { measureMovement } from '../scales/movement.js';
import { layOutPanes, MIN_PANE_HEIGHT_PX } from './pane-grid.js';
import { createPanes, fitTogether, pickPanes, type PaneLayout } from './panes.js';

function createLine(
  title: string,
  ys: readonly number[],
  { owner = '', unit }: { owner?: string; unit?: string } = {}
): GraphLine {
  const column = { title, name: title, field: { config: { unit } } } as unknown as Column;
  const times = { timesMs: undefined, timesNs: undefined };
  return {
    name: `${owner}${title}`,
    owner,
    column,
    xs: ys.map((_, x) => x),
    ys,
    extremes: ys,
    nonFinite: [],
    ...times,
  };
}

it.each<[string, number[][], boolean]>([
  [
    'lines of one size',
    [
      [3, 1],
      [1, 0.2],
    ],
    true,
  ],
  [
    'a learning rate beside a loss',
    [
      [3, 1],
      [1e-3, 1e-4],
    ],
    false,
  ],
  [
    'a throughput beside a norm',
    [
      [1000, 1100],
      [0.5, 3],
    ],
    false,
  ],
  [
    'a level beside small changes',
    [
      [1000, 1000],
      [0.5, 3],
    ],
    false,
  ],
  [
    'a constant among lines',
    [
      [0, 10],
      [5, 5],
    ],
    true,
  ],
  [
    'a constant learning rate beside a loss',
    [
      [3, 1],
      [1e-4, 1e-4],
    ],
    false,
  ],
  ['a single point of another size', [[3, 1], [2e-4]], false],
  ['no values', [[NaN], []], true],
  ['no lines', [], true],
])('tells whether they fit together: %s', (_name, lines, fits) => {
  expect(fitTogether(lines.map((ys, index) => createLine(`k${index}`, ys)))).toBe(fits);
});

const LOSS = createLine('loss', [3, 1]);
const ACCURACY = createLine('accuracy', [0.2, 0.9]);
const RATE = createLine('lr', [1e-3, 1e-4]);
const FIXED = createLine('lr', [1e-4, 1e-4]);
const TRAIN = createLine('train/loss', [3, 1], { unit: 'nats' });
const VALID = createLine('val/loss', [3, 2], { unit: 'nats' });
const SPEED = createLine('speed', [900, 1000], { unit: 'hertz' });

it.each<[string, GraphLine[], PaneLayout, Record<string, string[]>]>([
  ['one where all can be read', [LOSS, ACCURACY], 'auto', { '': ['loss', 'accuracy'] }],
  ['one a key where one would lie flat', [LOSS, RATE], 'auto', { loss: ['loss'], lr: ['lr'] }],
  ['one a key where a constant would make the axis logarithmic', [LOSS, FIXED], 'auto', { loss: ['loss'], lr: ['lr'] }],
  ['groups together', [TRAIN, SPEED, VALID], 'auto', { loss: ['train/loss', 'val/loss'], speed: ['speed'] }],
  [
    'one a key although they have a group',
    [TRAIN, VALID],
    'key',
    { 'train/loss': ['train/loss'], 'val/loss': ['val/loss'] },
  ],
  ['one by choice', [LOSS, RATE], 'one', { '': ['loss', 'lr'] }],
  [
    'one a unit',
    [TRAIN, SPEED, VALID, LOSS],
    'unit',
    { nats: ['train/loss', 'val/loss'], speed: ['speed'], loss: ['loss'] },
  ],
  [
    'the same key of two jobs',
    [createLine('loss', [3, 1], { owner: 'a ' }), RATE, createLine('loss', [2, 1], { owner: 'b ' })],
    'auto',
    { loss: ['a loss', 'b loss'], lr: ['lr'] },
  ],
  [
    'keys of one path that fit together',
    [createLine('loss/box', [3, 1]), createLine('loss/cls', [2, 1]), SPEED],
    'auto',
    { loss: ['loss/box', 'loss/cls'], speed: ['speed'] },
  ],
  [
    'keys of one path apart where one would lie flat',
    [createLine('sys/rate', [3, 1]), createLine('sys/memory', [2e9, 1e9])],
    'auto',
    { 'sys/rate': ['sys/rate'], 'sys/memory': ['sys/memory'] },
  ],
  [
    'constants and the keys of numbered paths apart',
    [
      SPEED,
      createLine('a/x', [0, 1]),
      createLine('a/y', [1, 1]),
      createLine('b0/p', [0, 1]),
      createLine('b0/q', [0, 1]),
    ],
    'auto',
    { speed: ['speed'], 'a/x': ['a/x'], 'a/y': ['a/y'], 'b0/p': ['b0/p'], 'b0/q': ['b0/q'] },
  ],
  [
    'one a key where a group of many jobs has too many lines',
    ['a', 'b', 'c', 'd', 'e'].flatMap((owner) => [
      createLine('train/loss', [3, 1], { owner }),
      createLine('val/loss', [3, 1], { owner }),
    ]),
    'auto',
    {
      'train/loss': ['a', 'b', 'c', 'd', 'e'].map((owner) => `${owner}train/loss`),
      'val/loss': ['a', 'b', 'c', 'd', 'e'].map((owner) => `${owner}val/loss`),
    },
  ],
  ['nothing', [], 'auto', {}],
])('draws %s', (_name, lines, layout, panes) => {
  const found = createPanes(lines, layout).map((pane) => [pane.title, pane.lines.map(({ name }) => name)]);
  expect(Object.fromEntries(found)).toEqual(panes);
});

it('draws more than eight lines apart, however alike', () => {
  const names = 'a b c d e f g h i'.split(' ');
  expect(
    createPanes(
      names.map((name) => createLine(name, [0, 1])),
      'auto'
    )
  ).toHaveLength(9);
});

const noise = (seed: number): number[] => Array.from({ length: 500 }, (_, n) => Math.sin(n * n * 12.9898 + seed));
const trend = Array.from({ length: 500 }, (_, n) => 3 * Math.exp(-n / 100) + 0.01);

it('orders lines by how they move: a trend, a slight trend, noise, a constant', () => {
  const slight = trend.map((y) => 10 + y);
  const lines = [[5, 5, 5], noise(1), slight, trend];
  const byMovement = [...lines].sort((a, b) => measureMovement(b) - measureMovement(a));
  expect(byMovement.map((line) => lines.indexOf(line))).toEqual([3, 2, 1, 0]);
  expect([measureMovement([]), measureMovement([NaN])]).toEqual([0, 0]);
  expect(measureMovement(trend.map((y) => y * 1e6))).toBeCloseTo(measureMovement(trend));
});

it('shows of many keys the groups and the dozen that move most, in their own order', () => {
  const still = Array.from({ length: 80 }, (_, n) => createLine(`still${'x'.repeat(n + 1)}`, [1, 1]));
  const moving = Array.from({ length: 12 }, (_, n) => createLine(`moving${'x'.repeat(n + 1)}`, trend));
  const group = [createLine('train/loss', [1, 1]), createLine('val/loss', [1, 1])];
  const panes = createPanes([...still.slice(0, 40), ...moving, ...still.slice(40), ...group], 'auto');
  expect(panes).toHaveLength(93);
  expect(pickPanes(panes).map(({ title }) => title)).toEqual([...moving.map(({ name }) => name), 'loss']);
  expect(pickPanes(panes.slice(0, 16))).toHaveLength(16);
});

it.each<[count: number, width: number, height: number, columns: number, isScrolled: boolean]>([
  [1, 600, 400, 1, false],
  [2, 600, 400, 1, false],
  [4, 1200, 500, 2, false],
  [7, 620, 420, 2, true],
  [7, 1900, 420, 4, false],
  [7, 3800, 420, 7, false],
  [20, 340, 400, 1, true],
  [20, 560, 500, 2, true],
  [24, 1200, 600, 3, true],
  [0, 600, 400, 1, false],
  [3, 0, 0, 1, true],
])('lays out %p panes in %p×%p as %p columns', (count, width, height, columns, isScrolled) => {
  const grid = layOutPanes(count, width, height);
  expect(grid.columns).toBe(columns);
  expect(grid.rowHeightPx).toBeGreaterThanOrEqual(MIN_PANE_HEIGHT_PX);
  expect(grid.heightPx > height).toBe(isScrolled);
});

const OVER = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

it.each<[string, number[], boolean]>([
  ['step', OVER, true],
  ['train/global_step', [10, 20, 25, 90, 95], true],
  ['seen (items)', OVER.map((at) => at * 4096), true],
  ['tokens', OVER.map((at) => at * at), true],
  ['elapsed_s', OVER.map((at) => at * 1.37), true],
  ['errors', [0, 0, 0, 1, 1, 8], false],
  ['accuracy', OVER.map((at) => at / 10), false],
  ['loss', OVER.map((at) => 10 - at), false],
  ['lr', OVER.map((at) => at * 1e-5), false],
  ['time_per_step', [1.5, 1.6, 1.7], false],
  // Two points are always a straight line, and a constant counts nothing.
  ['step', [1, 2], false],
  ['step', [5, 5, 5], false],
  ['step', [NaN, NaN], false],
])('tells what only counts on: %s %j', (title, ys, found) => {
  expect(isCounter(createLine(title, ys))).toBe(found);
});

it('counts on across a restart', () => {
  const line = createLine('step', [0, 5, 10, 0, 5, 10]);
  expect(isCounter({ ...line, xs: [0, 1, 2, 0, 1, 2] })).toBe(true);
});

it('shows the loss first, then what moves, then constants, and last what only counts on', () => {
  const lines = [
    createLine('step', OVER),
    createLine(
      'batch',
      OVER.map(() => 4096)
    ),
    createLine('speed', [900, 950, 910, 990, 905, 950, 910, 990, 905, 950]),
    createLine(
      'accuracy',
      OVER.map((at) => 1 - 0.9 ** at)
    ),
    createLine(
      'train/loss',
      OVER.map((at) => 2 * 0.8 ** at)
    ),
  ];
  for (const layout of ['auto', 'key'] as const) {
    const panes = createPanes(lines, layout);
    expect(panes.map(({ title }) => title)).toEqual(['train/loss', 'accuracy', 'speed', 'batch', 'step']);
    expect(panes.map((pane) => pane.isCounter === true)).toEqual([false, false, false, false, true]);
  }
  expect(createPanes(lines, 'one')).toHaveLength(1);
});

it('shows what only counts on where there is nothing else', () => {
  const panes = createPanes(
    [
      createLine('step', OVER),
      createLine(
        'tokens',
        OVER.map((at) => at * 4096)
      ),
    ],
    'auto'
  );
  expect(panes.map(({ title, isCounter: folded }) => [title, folded])).toEqual([
    ['step', undefined],
    ['tokens', undefined],
  ]);
});

it('measures the movement of values of any size', () => {
  expect(measureMovement([-1.7e308, 0, 1.7e308])).toBeCloseTo(measureMovement([-1, 0, 1]));
  expect(measureMovement([1e-310, 2e-310, 3e-310])).toBeCloseTo(measureMovement([1, 2, 3]));
});
