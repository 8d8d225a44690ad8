import { FieldType } from '@grafana/data';
import type { Column } from '../../../parts/components/tables.js';
import { readFieldStyle } from './field-style.js';
import { createPlotLines, type HideableLine } from './plot-lines.js';
import { createStepPen } from './plot-paths.js';
import { hasStack, stackLines } from './stack-lines.js';

const XS = [0, 10, 20];

function createLines(columns: Readonly<Record<string, readonly number[]>>, mode = 'normal'): readonly HideableLine[] {
  const models = Object.entries(columns).map(([name, ys]) => {
    const custom = { stacking: { mode, group: 'A' } };
    const field = { name, type: FieldType.number, values: ys, config: { custom } };
    const column = { name, title: name, field, values: ys, isNumeric: true } as unknown as Column;
    return { name, owner: '', column, xs: XS, ys, extremes: ys, timesMs: undefined, timesNs: undefined, nonFinite: [] };
  });
  return createPlotLines(models, new Map(), { kind: 'linear' }, 0);
}

describe('stackLines', () => {
  const lines = createLines({ running: [1, 2, 3], waiting: [4, NaN, 1], failed: [1, 1, 1] });

  it('puts each line on the one before, and a gap adds nothing', () => {
    expect(hasStack(lines)).toBe(true);
    expect(stackLines(lines, new Set()).map(({ ys, baseYs }) => [ys, baseYs])).toEqual([
      [[1, 2, 3], undefined],
      [
        [5, 2, 4],
        [1, 2, 3],
      ],
      [
        [6, 3, 5],
        [5, 2, 4],
      ],
    ]);
  });

  it('keeps the values that were printed, for the tooltip', () => {
    expect(stackLines(lines, new Set()).map(({ values }) => values)).toEqual([
      [1, 2, 3],
      [4, NaN, 1],
      [1, 1, 1],
    ]);
  });

  it('gives a hidden line no room', () => {
    const [, hidden, top] = stackLines(lines, new Set(['waiting']));
    expect(hidden).toBe(lines[1]);
    expect(top?.ys).toEqual([2, 3, 4]);
  });

  it('leaves lines that nobody stacks as they are', () => {
    const plain = createLines({ a: [1, 2, 3], b: [1, 2, 3] }, 'none');
    expect(hasStack(plain)).toBe(false);
    expect(stackLines(plain, new Set())).toEqual(plain);
  });
});

describe('steps', () => {
  it('hold a value until the next one', () => {
    const commands: [string, number, number][] = [];
    const pen = createStepPen({
      moveTo: (x, y) => commands.push(['M', x, y]),
      lineTo: (x, y) => commands.push(['L', x, y]),
    });
    pen.moveTo(0, 5);
    pen.lineTo(10, 5);
    pen.lineTo(20, 7);
    expect(commands).toEqual([
      ['M', 0, 5],
      ['L', 10, 5],
      ['L', 20, 5],
      ['L', 20, 7],
    ]);
  });

  it('are asked for as in Grafana’s own time series', () => {
    const field = (lineInterpolation: string) =>
      ({ name: 'a', type: FieldType.number, values: [], config: { custom: { lineInterpolation } } }) as never;
    expect(readFieldStyle(field('stepAfter')).isStep).toBe(true);
    expect(readFieldStyle(field('smooth')).isStep).toBe(false);
  });
});
