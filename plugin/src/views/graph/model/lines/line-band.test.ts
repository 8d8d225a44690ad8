import { createPlotLines } from '../plot/plot-lines.js';
import { type PlotState, readYRange } from '../plot/plot-state.js';
import { createGraphCsv } from './graph-csv.js';
import { createGraphs, type GraphModel } from './graphs.js';
import { isCounter } from './counters.js';
import { traceBand } from './line-band.js';
import { summariseLine } from './line-summary.js';
import { alignLines } from '../scales/align.js';
import { resolveYScale } from '../scales/scale.js';
import { stackLines } from '../plot/stack-lines.js';
import { createTooltipContent } from '../plot/tooltip-content.js';
import { createTables } from '../../../parts/components/tables.js';
import { createFoldedFrame } from '../../../../query-types/metadata/folded-frame.js';

const KEYS = ['step', 'loss (a.b-c)'];
const T0 = 1_700_000_000_000_000_000n;

/** A job of buckets: the numbers of each are 1 with a spike in the third. */
function build(job: string, spike = 90): ReturnType<typeof createTables>[number] {
  const pieces = Array.from({ length: 5 }, (_, at) => ({
    ...{ timeNs: T0 + BigInt(at) * 32_000_000n, level: 1, rows: 32 },
    values: [32 * at, 32 * at + 31, 32 * at + 15.5, 32 * at + 31, 0.5, at === 2 ? spike : 2, 1 + at / 10, 1],
  }));
  const table = {
    ...{ job, user: 'ann', series: 's', keys: KEYS, rows: 160, timeNs: T0, runs: [{ timeNs: T0, rows: 160 }] },
  };
  const whole = { kind: 'pieces', pieces, level: 1, isAggregated: false } as const;
  const frame = createFoldedFrame({ refId: 'A', table, keys: KEYS, jobPrefix: '', executedQuery: '', whole });
  const [found] = createTables([frame]);
  if (found === undefined) throw new Error('no table');
  return found;
}

function draw(jobs: readonly string[], x: string | null = 'step'): GraphModel {
  const wish = x === null ? ({ kind: 'time' } as const) : ({ kind: 'key', key: x } as const);
  const [graph] = createGraphs(
    jobs.map((job) => build(job)),
    wish
  );
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

const MEANS = [1, 1.1, 1.2, 1.3, 1.4];

it('is of each job of a comparison', () => {
  const { lines } = draw(['a-1', 'b (2)']);
  expect(lines.map(({ ys, band }) => [ys, band?.maxes])).toEqual([
    [MEANS, [2, 2, 90, 2, 2]],
    [MEANS, [2, 2, 90, 2, 2]],
  ]);
});

it('has room on the axis, in the legend and in the export', () => {
  const graph = draw(['a-1']);
  const [line] = graph.lines;
  if (line === undefined) throw new Error('no line');
  const plotLines = createPlotLines(graph.lines, new Map(), { kind: 'linear' }, 0);
  const state: PlotState = {
    lines: plotLines.map((each) => ({ ...each, isVisible: true })),
    xKind: 'key',
    yScale: { kind: 'linear' },
    xRange: undefined,
    annotations: [],
  };
  expect(readYRange(state).max).toBeGreaterThan(90);
  expect(readYRange({ ...state, xRange: { min: 100, max: 150 } }).max).toBeLessThan(3);
  const { last, min, max } = summariseLine(line);
  expect([last?.value, min?.value, max?.value]).toEqual([1.4, 0.5, 90]);
  expect(createGraphCsv({ graph, lines: graph.lines, xRange: undefined, smoothing: 0 }).split('\r\n')).toEqual(
    expect.arrayContaining(['step,loss (a.b-c),loss (a.b-c) min,loss (a.b-c) max', '79.5,1.2,0.5,90'])
  );
});

it('is drawn as shares between its ends, and smoothing leaves it as it is', () => {
  const graph = draw(['a-1']);
  const [line] = createPlotLines(graph.lines, new Map(), { kind: 'share' }, 0.9);
  expect(line?.band?.maxes[2]).toBe(1);
  expect(Math.min(...(line?.band?.mins ?? []))).toBe(0);
  expect(line?.rawYs?.every((y) => y > 0 && y < 0.02)).toBe(true);
  const [plain] = createPlotLines(graph.lines, new Map(), { kind: 'linear' }, 0);
  expect(plain).toMatchObject({ ys: MEANS, band: graph.lines[0]?.band });
});

it('asks for a logarithmic axis as its ends do, with one through zero where they are not above it', () => {
  const [line] = draw(['a-1']).lines;
  expect(resolveYScale('log', [line?.extremes ?? []])).toEqual({ kind: 'log' });
  expect(resolveYScale('log', [[-1, ...(line?.extremes ?? [])]])).toMatchObject({ kind: 'symlog' });
});

it('is none of lines that are stacked', () => {
  const [line] = createPlotLines(draw(['a-1']).lines, new Map(), { kind: 'linear' }, 0);
  if (line === undefined) throw new Error('no line');
  const [stacked] = stackLines([{ ...line, style: { ...line.style, isStacked: true } }], new Set());
  expect(stacked?.band).toBeUndefined();
});

it('tells the range of the rows under the mouse', () => {
  const graph = draw(['a-1']);
  const lines = createPlotLines(graph.lines, new Map(), { kind: 'linear' }, 0).map((each) => ({
    ...each,
    isVisible: true,
  }));
  const hovered = { title: '', lines, data: alignLines(lines), measureDistance: () => 0, otherLines: [] };
  const [row] = createTooltipContent({ ...hovered, index: 2 }).rows;
  expect(row).toMatchObject({ value: '1.2', range: '0.5 – 90' });
});

it('lets a counter be one, whose means are no integers', () => {
  const { lines } = draw(['a-1'], null);
  expect(lines.map((line) => [line.name, isCounter(line)])).toEqual([
    ['step', true],
    ['loss (a.b-c)', false],
  ]);
});

describe('its area', () => {
  const trace = (xs: readonly number[], ends: ReadonlyArray<readonly [low: number, high: number]>, breaks = [-1]) => {
    const drawn: string[] = [];
    traceBand(
      {
        moveTo: (x, y) => drawn.push(`M${x},${y}`),
        lineTo: (x, y) => drawn.push(`L${x},${y}`),
        closePath: () => drawn.push('Z'),
      },
      {
        toX: (index) => xs[index] ?? NaN,
        toLow: (index) => ends[index]?.[0] ?? NaN,
        toHigh: (index) => ends[index]?.[1] ?? NaN,
        count: xs.length,
        isBreak: (index) => breaks.includes(index),
      }
    );
    return drawn.join(' ');
  };

  it('joins the points of a column of pixels, and keeps a spike at full height', () => {
    const ends = [9, 1, 8].map((high) => [10, high] as const);
    expect(trace([0.1, 0.5, 1.2], ends)).toBe('M0,1 L0,1 L1,1 L1,8 L2,8 L2,10 L1,10 L1,10 L0,10 Z');
  });

  it.each([
    [
      'a gap',
      [
        [10, 5],
        [NaN, NaN],
        [10, 5],
      ] as const,
      [-1],
    ],
    [
      'a turn of X',
      [
        [10, 5],
        [10, 5],
      ] as const,
      [1],
    ],
  ])('ends at %s', (_name, ends, breaks) => {
    const drawn = trace(
      ends.map((_, at) => 5 * at),
      ends,
      breaks
    );
    expect(drawn.match(/Z/g)).toHaveLength(2);
  });
});
