import { toDataFrame } from '@grafana/data';
import { Vector95 } from '../../../../../test/grafana-9.5-host.js';
import { createTableFrame } from '../../../testing/frames.js';
import { createTables } from '../../../parts/components/tables.js';
import { findAnnotationsAt, placeAnnotations, readAnnotations, type Annotation } from './annotations.js';
import { createGraphs, type GraphModel } from './graphs.js';
import type { XWish } from './x-choice.js';

function at(timeMs: number, endMs?: number): Annotation {
  return { timeMs, endMs, title: '', text: `${timeMs}`, tags: [], colour: 'red' };
}

/** Ten rows, a second apart, at steps 10, 20, … */
function createGraph(wish: XWish): GraphModel {
  const rows = Array.from({ length: 10 }, (_, row) => ({ step: 10 * (row + 1), loss: 1 / (row + 1) }));
  const [graph] = createGraphs(createTables([createTableFrame({ rows })]), wish);
  if (graph === undefined) throw new Error('There is no graph');
  return graph;
}

describe('readAnnotations', () => {
  const fields = [
    { name: 'time', values: [1000, 2000, null] },
    { name: 'timeEnd', values: [1000, 5000, 3] },
    { name: 'text', values: ['a', '<b>b</b>', 'c'] },
    { name: 'tags', values: [['x', 'y'], 'p,q', []] },
    { name: 'color', values: ['#123456', undefined, ''] },
  ];
  const expected = [
    { timeMs: 1000, endMs: undefined, title: '', text: 'a', tags: ['x', 'y'], colour: '#123456' },
    { timeMs: 2000, endMs: 5000, title: '', text: '<b>b</b>', tags: ['p', 'q'], colour: 'rgba(0, 211, 255, 1)' },
  ];

  it('reads what Grafana gives a panel, and leaves out what has no time', () => {
    expect(readAnnotations([toDataFrame({ fields })])).toEqual(expected);
  });

  it('reads the vectors of Grafana 9.5', () => {
    const frame = toDataFrame({ fields });
    const vectors = frame.fields.map((field) => ({ ...field, values: new Vector95(field.values) }));
    expect(readAnnotations([{ ...frame, fields: vectors } as unknown as typeof frame])).toEqual(expected);
  });
});

describe('placeAnnotations', () => {
  const place = (wish: XWish, ...annotations: Annotation[]) =>
    placeAnnotations(annotations, createGraph(wish)).map(({ x, endX }) => [x, endX]);

  it('keeps the time where X is time', () => {
    expect(place({ kind: 'time' }, at(-5), at(500, 700))).toEqual([
      [-5, undefined],
      [500, 700],
    ]);
  });

  it('finds the X of the row nearest in time', () => {
    expect(place({ kind: 'auto' }, at(2400), at(2600), at(1000, 3000))).toEqual([
      [30, undefined],
      [40, undefined],
      [20, 40],
    ]);
    expect(place({ kind: 'relative' }, at(2400))).toEqual([[2000, undefined]]);
  });

  it('leaves out what happened far from all rows, and cuts regions that reach beyond them', () => {
    expect(place({ kind: 'auto' }, at(-2000), at(9400), at(12_000), at(-50_000, 2000), at(-9000, -8000))).toEqual([
      [100, undefined],
      [10, 30],
    ]);
  });
});

describe('findAnnotationsAt', () => {
  const placed = [
    { annotation: at(1), x: 100, endX: undefined },
    { annotation: at(2), x: 104, endX: undefined },
    { annotation: at(3), x: 50, endX: 300 },
  ];
  const find = (leftPx: number, abovePx = 100): string[] =>
    findAnnotationsAt(placed, { leftPx, abovePx, toLeft: (x) => x }).map(({ text }) => text);

  it('finds lines near the mouse, the nearest first', () => {
    expect(find(103)).toEqual(['2', '1']);
    expect(find(200)).toEqual([]);
  });

  it('finds a region at its ends, and by its bar', () => {
    expect(find(297)).toEqual(['3']);
    expect(find(200, 3)).toEqual(['3']);
  });
});
