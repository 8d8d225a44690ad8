import { act, render } from '@testing-library/react';
import React from 'react';
import type { Column } from '../parts/tables.js';
import { alignLines } from './align.js';
import { Plot } from './Plot.js';
import { createPlotLines } from './plot-lines.js';

/** A canvas context that takes everything, draws nothing, and counts how often it is cleared. */
function mockContext(): { readonly clearRect: jest.Mock } {
  const clearRect = jest.fn();
  const state: Record<string | symbol, unknown> = { clearRect, measureText: () => ({ width: 40 }) };
  const context = new Proxy(state, { get: (target, name) => target[name] ?? (() => undefined) });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => context) as never);
  return { clearRect };
}

afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'Path2D');
});

function createPlot(ys: readonly number[]): React.ReactElement {
  const column = { name: 'loss', title: 'loss', isNumeric: true, field: { config: {} } } as unknown as Column;
  const times = { timesMs: undefined, timesNs: undefined };
  const model = { name: 'loss', owner: '', column, xs: ys.map((_, at) => at), ys, nonFinite: [], ...times };
  const looks = new Map([['loss', { colour: 'red', isDashed: false }]]);
  const lines = createPlotLines([model], looks, { kind: 'linear' }, 0).map((line) => ({ ...line, isVisible: true }));
  return (
    <Plot
      {...{
        lines,
        data: alignLines(lines),
        width: 400,
        height: 200,
        timeZone: 'utc',
        label: 'Graph',
        focused: undefined,
      }}
      {...{ xKind: 'key', yScale: LINEAR, xRange: undefined, annotations: [], onPlot: () => undefined }}
      events={{ onCursor: () => undefined, onZoomX: () => undefined, onClick: () => undefined }}
    />
  );
}

const LINEAR = { kind: 'linear' } as const;

it('is drawn once when rows, lines and annotations come together, as at each refresh', async () => {
  Object.assign(globalThis, {
    Path2D: class {
      moveTo = jest.fn();
      lineTo = jest.fn();
      arc = jest.fn();
      rect = jest.fn();
    },
  });
  const { clearRect } = mockContext();
  const { rerender } = render(createPlot([1, 2, 3]));
  await act(() => Promise.resolve());
  clearRect.mockClear();
  rerender(createPlot([1, 2, 3, 4]));
  await act(() => Promise.resolve());
  expect(clearRect).toHaveBeenCalledTimes(1);
});
