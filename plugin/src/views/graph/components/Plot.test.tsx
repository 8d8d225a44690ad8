import { act, render } from '@testing-library/react';
import React from 'react';
import type { Column } from '../../parts/components/tables.js';
import { alignLines } from '../model/scales/align.js';
import { Plot } from './Plot.js';
import { createPlotLines } from '../model/plot/plot-lines.js';
import { resolveYScale, type YScaleChoice } from '../model/scales/scale.js';

/** A canvas context that takes everything, draws nothing, and remembers the labels of the axes. */
function mockContext(): {
  readonly clearRect: jest.Mock;
  readonly labels: { readonly x: string[]; readonly y: string[] };
} {
  const clearRect = jest.fn(() => {
    labels.x.length = 0;
    labels.y.length = 0;
  });
  const labels: { x: string[]; y: string[] } = { x: [], y: [] };
  const state: Record<string | symbol, unknown> = {
    clearRect,
    measureText: (text: string) => ({ width: 7 * text.length }),
    // uPlot writes the labels of Y to the left of the axis.
    fillText: (text: string) => labels[state['textAlign'] === 'right' ? 'y' : 'x'].push(text),
  };
  const context = new Proxy(state, { get: (target, name) => target[name] ?? (() => undefined) });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => context) as never);
  return { clearRect, labels };
}

/** The numbers that paths are drawn at. */
function mockPaths(): readonly number[] {
  const places: number[] = [];
  const take = (...numbers: number[]): void => void places.push(...numbers);
  Object.assign(globalThis, {
    Path2D: class {
      moveTo = take;
      lineTo = take;
      arc = take;
      rect = take;
    },
  });
  return places;
}

afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'Path2D');
});

interface Drawn {
  readonly xs?: readonly number[];
  readonly choice?: YScaleChoice;
  readonly width?: number;
}

function createPlot(ys: readonly number[], { xs, choice = 'auto', width = 400 }: Drawn = {}): React.ReactElement {
  const column = { name: 'loss', title: 'loss', isNumeric: true, field: { config: {} } } as unknown as Column;
  const times = { timesMs: undefined, timesNs: undefined };
  const model = {
    name: 'loss',
    owner: '',
    column,
    xs: xs ?? ys.map((_, at) => at),
    ys,
    extremes: ys,
    nonFinite: [],
    ...times,
  };
  const looks = new Map([['loss', { colour: 'red', isDashed: false }]]);
  const yScale = resolveYScale(choice, [ys]);
  const lines = createPlotLines([model], looks, yScale, 0).map((line) => ({ ...line, isVisible: true }));
  return (
    <Plot
      {...{
        lines,
        data: alignLines(lines),
        width,
        height: 200,
        timeZone: 'utc',
        label: 'Graph',
        focused: undefined,
      }}
      {...{ xKind: 'key', yScale, xRange: undefined, annotations: [], onPlot: () => undefined }}
      events={{ onCursor: () => undefined, onZoomX: () => undefined, onClick: () => undefined }}
    />
  );
}

it('is drawn once when rows, lines and annotations come together, as at each refresh', async () => {
  mockPaths();
  const { clearRect } = mockContext();
  const { rerender } = render(createPlot([1, 2, 3]));
  await act(() => Promise.resolve());
  clearRect.mockClear();
  rerender(createPlot([1, 2, 3, 4]));
  await act(() => Promise.resolve());
  expect(clearRect).toHaveBeenCalledTimes(1);
});

const FROM_0_TO_9 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const ENERGIES = FROM_0_TO_9.map((at) => -1234567.891 - 0.004 * (1 - 2 ** -at));

it.each<[string, readonly number[], Drawn]>([
  ['X in unix seconds', [1, 5, 2], { xs: [1795598870, 1795598900, 1795598930] }],
  ['X in unix seconds with fractions', [1, 5, 2], { xs: [1795598870.25, 1795598870.5, 1795598870.75] }],
  ['X in unix nanoseconds', [1, 5, 2], { xs: [1795598870e9, 1795598900e9, 1795598930e9] }],
  ['an energy that converges', ENERGIES, {}],
  ['an energy that converges, logarithmic', ENERGIES.map(Math.abs), { choice: 'log' }],
  ['a logarithmic axis within a decade', [3.1, 3.5, 3.9], { choice: 'log' }],
  ['a logarithmic axis without 1, 2 and 5', [6.1, 7, 9.3], { choice: 'log' }],
  ['a logarithmic axis through zero', [-3e5, 0, 1e-4], { choice: 'log' }],
  ['a logarithmic axis of one value', [7, 7], { choice: 'log' }],
  ['large values', [2e32, 5e40], {}],
  ['small values', [2e-45, 5e-40], {}],
  ['small values on both axes', [2e-45, 5e-40], { xs: [1e-60, 3e-60] }],
  ['values of 1e308', [0, 1e308], {}],
  ['values to both sides of 1e308', [-1.7e308, 3, 1.7e308], {}],
  ['values to both sides of 1e308, logarithmic', [-1.7e308, 3, 1.7e308], { choice: 'log' }],
  ['X to both sides of 1e308', [1, 2, 3], { xs: [-1.7e308, 3, 1.7e308] }],
  ['the largest value alone', [1.7e308, 1.7e308], { xs: [1.7e308, 1.7e308] }],
  ['the smallest numbers', [5e-324, 1e-320], {}],
  ['the smallest numbers, logarithmic', [5e-324, 1e-320], { choice: 'log' }],
  ['the smallest and zero, logarithmic', [5e-324, 0, -1e-320], { choice: 'log' }],
  ['all sizes, logarithmic', [1e-300, 1, 1e300], { choice: 'log' }],
  ['shares of large values', [-1.7e308, 0, 1.7e308], { choice: 'share' }],
  ['differences of rounding alone', [89.7, 89.69999999999999], {}],
  ['a constant', [0, 0], {}],
  ['a narrow graph', ENERGIES, { xs: FROM_0_TO_9.map((at) => 1795598870 + at), width: 320 }],
])('keeps both axes readable: %s', async (_name, ys, drawn) => {
  const places = mockPaths();
  const { labels } = mockContext();
  render(createPlot(ys, drawn));
  await act(() => Promise.resolve());
  for (const own of [labels.x, labels.y]) {
    const written = own.filter((label) => label !== '');
    expect(written.length).toBeGreaterThan(1);
    expect(new Set(written).size).toBe(written.length);
    expect(written.join(' ')).not.toMatch(/NaN|Infinity|undefined/);
  }
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((place) => !Number.isFinite(place))).toEqual([]);
});
