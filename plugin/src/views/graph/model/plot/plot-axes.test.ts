import uPlot from 'uplot';
import type { Column } from '../../../parts/components/tables.js';
import { STEPS } from '../scales/axis-steps.js';
import { createAxes, createRightPadding } from './plot-axes.js';
import { createPlotLines } from './plot-lines.js';
import type { YScale } from '../scales/scale.js';

function createYAxis(unit: string | undefined, yScale: YScale): uPlot.Axis | undefined {
  const config = unit === undefined ? {} : { unit };
  const column = { name: 'wait', title: 'wait', isNumeric: true, field: { config } } as unknown as Column;
  const model = { name: 'wait', owner: '', column, xs: [0], ys: [1], extremes: [1], nonFinite: [] };
  const times = { timesMs: undefined, timesNs: undefined };
  const lines = createPlotLines(
    [{ ...model, ...times }],
    new Map([['wait', { colour: 'red', isDashed: false }]]),
    yScale,
    0
  );
  const look = { text: '', grid: '', font: '', timeZone: 'utc', resolveColour: String };
  const [, y] = createAxes(
    {
      lines: lines.map((line) => ({ ...line, isVisible: true })),
      xKind: 'key',
      yScale,
      xRange: undefined,
      annotations: [],
    },
    look
  );
  return y;
}

it.each<[string | undefined, YScale['kind'] & ('linear' | 'log'), unknown]>([
  ['s', 'linear', expect.arrayContaining([0.5, 30, 900, 1800, 3600, 43_200])],
  ['ms', 'linear', expect.arrayContaining([500, 900_000, 3_600_000])],
  ['s', 'log', STEPS],
  ['bytes', 'linear', expect.arrayContaining([1, 1024, 512 * 1024 ** 2])],
  [undefined, 'linear', STEPS],
])('divides an axis in %s, %s, as people count that unit', (unit, kind, steps) => {
  expect(createYAxis(unit, { kind })?.incrs).toEqual(steps);
});

it.each<[string | undefined, YScale['kind'] & ('linear' | 'log'), readonly (number | null)[], readonly string[]]>([
  ['s', 'linear', [0, 2700, 3600, 4500, 5400], ['0', '45m', '1h', '1h 15m', '1h 30m']],
  ['ms', 'linear', [0, 500, 1000, 1500], ['0 ms', '500 ms', '1 s', '1.5 s']],
  ['h', 'linear', [0, 12, 24, 36], ['0', '12h', '1d', '1d 12h']],
  ['s', 'linear', [-60, 0, 60], ['-1m', '0', '1m']],
  // Less than a minute is for Grafana.
  ['s', 'linear', [0, 0.0005], ['0 s', '500 µs']],
  ['s', 'log', [1, null, 100], ['1s', '', '1m 40s']],
  ['bytes', 'linear', [0, 1024, 1536], ['0 B', '1 KiB', '1.5 KiB']],
  ['bytes', 'linear', [0, 1024, 2048], ['0 B', '1 KiB', '2 KiB']],
  ['bytes', 'linear', [1024 ** 3, 1024 ** 3 + 1024], ['1.000000 GiB', '1.000001 GiB']],
  ['s', 'linear', [3600, 3601], ['1h', '1h 1s']],
  [undefined, 'linear', [-1234567.8905, -1234567.89], ['-1234567.8905', '-1234567.8900']],
  [undefined, 'log', [0.001, null, 1000], ['0.001', '', '1000']],
  ['percentunit', 'linear', [0, 1 / 3], ['0%', '33.3%']],
])('labels an axis in %s, %s, at %j', (unit, kind, ticks, labels) => {
  const { values } = createYAxis(unit, { kind }) ?? {};
  const format = values as unknown as (plot: unknown, ticks: readonly (number | null)[]) => string[];
  expect(format(undefined, ticks)).toEqual(labels);
});

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const CHAR_PX = 7;

it.each<['time' | 'relative', number, number, number]>([
  ['time', 2 * DAY_MS, DAY_MS / 8, 1400],
  ['time', 2 * DAY_MS, DAY_MS / 3, 400],
  ['time', 3 * DAY_MS, DAY_MS, 300],
  ['time', 400 * DAY_MS, 30 * DAY_MS, 1400],
  ['time', 10 * MINUTE_MS, MINUTE_MS, 1400],
  ['time', 500, 50, 1400],
  ['relative', 2.5 * DAY_MS, DAY_MS / 2, 400],
  ['relative', 90 * MINUTE_MS, 15 * MINUTE_MS, 600],
])(
  'leaves room for half of the last label of an axis: %s, %d ms, a step of %d ms, %d px',
  (xKind, max, step, width) => {
    const look = { text: '', grid: '', font: '', timeZone: 'utc', resolveColour: String };
    const yScale = { kind: 'linear' } as const;
    const state = { lines: [], xKind, yScale, xRange: undefined, annotations: [] };
    const ctx = { save: () => undefined, restore: () => undefined, measureText: measureLabel, font: '' };
    const plot = { ctx, width, axes: [{}], scales: { x: { min: 0, max } } } as unknown as uPlot;
    const [x] = createAxes(state, look);
    const format = x?.values as unknown as (...parts: readonly unknown[]) => string[];
    const ticks = Array.from({ length: Math.floor(max / step) + 1 }, (_, at) => at * step);
    const last = format(plot, ticks, 0, 80, step).at(-1) ?? '';
    const padding = createRightPadding(state) as unknown as (plot: uPlot) => number;
    expect(last).not.toBe('');
    expect(padding(plot)).toBeGreaterThanOrEqual((last.length * CHAR_PX) / 2);
  }
);

function measureLabel(label: string): { readonly width: number } {
  return { width: label.length * CHAR_PX * uPlot.pxRatio };
}
