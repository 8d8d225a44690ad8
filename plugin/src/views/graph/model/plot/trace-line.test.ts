import { findTurns } from '@joblens/core/rows/segments';
import fc from 'fast-check';
import { traceLine } from './trace-line.js';

type Command = ['M' | 'L', number, number];

function trace(xs: readonly number[], ys: readonly number[]): { commands: Command[]; alone: readonly number[] } {
  const commands: Command[] = [];
  const alone = traceLine(
    { moveTo: (x, y) => commands.push(['M', x, y]), lineTo: (x, y) => commands.push(['L', x, y]) },
    {
      toX: (index) => xs[index] ?? NaN,
      toY: (index) => ys[index] ?? NaN,
      count: xs.length,
      isBreak: findTurns(xs),
    }
  );
  return { commands, alone };
}

it('starts a new segment at a gap and where X falls back', () => {
  const { commands } = trace([10, 20, 30, 40, 5, 15], [1, 2, NaN, 4, 5, 6]);
  expect(commands).toEqual([
    ['M', 10, 1],
    ['L', 20, 2],
    ['M', 40, 4],
    ['M', 5, 5],
    ['L', 15, 6],
  ]);
});

it('draws a long countdown as one line with few vertices', () => {
  const xs = Array.from({ length: 5000 }, (_, row) => 500 - row / 10);
  const { commands, alone } = trace(
    xs,
    xs.map((_, row) => row % 7)
  );
  expect(alone).toEqual([]);
  expect(commands.filter(([kind]) => kind === 'M')).toHaveLength(1);
  expect(commands.length).toBeLessThanOrEqual(4 * 501);
});

it('names the points that stand alone', () => {
  expect(trace([1, 2, 3, 1, 2], [1, NaN, 3, 1, 2]).alone).toEqual([0, 2]);
  expect(trace([1], [1]).alone).toEqual([0]);
  expect(trace([], []).alone).toEqual([]);
});

it('keeps the spike among many points of one pixel column', () => {
  const ys = [1, 1, 99, -7, 2, 3];
  const { commands } = trace([5.0, 5.1, 5.2, 5.3, 5.4, 6.5], ys);
  expect(commands.map(([, , y]) => y)).toEqual([1, -7, 99, 2, 3]);
});

it('draws at most four vertices a column, reaches every extreme and ends where the line ends', () => {
  const point = fc.tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.integer({ min: -100, max: 100 }));
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 200 }), (points) => {
      const sorted = [...points].sort((a, b) => a[0] - b[0]);
      const { commands } = trace(
        sorted.map(([x]) => x),
        sorted.map(([, y]) => y)
      );
      const byColumn = new Map<number, number[]>();
      for (const [, x, y] of commands) byColumn.set(Math.floor(x), [...(byColumn.get(Math.floor(x)) ?? []), y]);
      for (const [column, ys] of byColumn) {
        const printed = sorted.filter(([x]) => Math.floor(x) === column).map(([, y]) => y);
        expect(ys.length).toBeLessThanOrEqual(4);
        expect([Math.min(...ys), Math.max(...ys), ys[0], ys[ys.length - 1]]).toEqual([
          Math.min(...printed),
          Math.max(...printed),
          printed[0],
          printed[printed.length - 1],
        ]);
      }
      expect(byColumn.size).toBe(new Set(sorted.map(([x]) => Math.floor(x))).size);
    })
  );
});
