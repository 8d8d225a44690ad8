import uPlot from 'uplot';
import type { Column } from '../../../parts/components/tables.js';
import { alignLines } from '../scales/align.js';
import { createPlotLines, type PlotLine } from './plot-lines.js';
import { createPlotOptions } from './plot-options.js';
import type { PlotState } from './plot-state.js';
import { resolveYScale, type YScale, type YScaleChoice } from '../scales/scale.js';

type Command = readonly ['move' | 'line' | 'dot', number, number];

/** A Path2D of which one can ask what it draws. */
class RecordedPath {
  readonly commands: Command[] = [];
  moveTo(x: number, y: number): void {
    this.commands.push(['move', x, y]);
  }
  lineTo(x: number, y: number): void {
    this.commands.push(['line', x, y]);
  }
  arc(x: number, y: number): void {
    this.commands.push(['dot', x, y]);
  }
  rect(): void {
    // uPlot's clips are no part of what is drawn.
  }
}

/** A canvas context that takes everything and draws nothing. */
function createContext(): CanvasRenderingContext2D {
  const state: Record<string | symbol, unknown> = { measureText: () => ({ width: 40 }) };
  return new Proxy(state, {
    get: (target, name) => target[name] ?? (() => undefined),
  }) as unknown as CanvasRenderingContext2D;
}

beforeAll(() => {
  Object.assign(globalThis, { Path2D: RecordedPath });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(createContext as never);
});
afterAll(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'Path2D');
});

interface Drawing {
  readonly stroke: readonly Command[];
  readonly dots: readonly Command[];
  readonly toX: (row: number) => number;
  readonly toY: (row: number) => number;
}

function createLine(printed: readonly number[], yScale: YScale): PlotLine {
  const xs = printed.map((_, index) => index);
  const column = { name: 'loss', title: 'loss', isNumeric: true, field: { config: {} } } as unknown as Column;
  const times = { timesMs: undefined, timesNs: undefined };
  const model = { name: 'loss', owner: '', column, xs, ys: printed, extremes: printed, nonFinite: [], ...times };
  const [line] = createPlotLines([model], new Map([['loss', { colour: 'red', isDashed: false }]]), yScale, 0);
  if (line === undefined) throw new Error('no line');
  return { ...line, isVisible: true };
}

/** Draws one line with our path builder on uPlot's own plot. Returns the drawing, and where the values belong. */
async function draw(printed: readonly number[], choice: YScaleChoice): Promise<Drawing> {
  const yScale = resolveYScale(choice, [printed]);
  const line = createLine(printed, yScale);
  const state: PlotState = { lines: [line], xKind: 'key', yScale, xRange: undefined, annotations: [] };
  const ignore = (): void => undefined;
  const options = createPlotOptions(
    () => state,
    { width: 900, height: 300 },
    { text: 'black', grid: 'grey', font: 'sans-serif', timeZone: 'utc', resolveColour: String },
    { onCursor: ignore, onZoomX: ignore, onClick: ignore }
  );
  const plot = new uPlot(options, alignLines([line]), document.createElement('div'));
  await Promise.resolve();
  const paths = options.series[1]?.paths?.(plot, 1, 0, printed.length - 1);
  const { stroke, fill } = paths as unknown as { stroke: RecordedPath; fill: RecordedPath };
  return {
    stroke: stroke.commands,
    dots: fill.commands,
    toX: (row) => plot.valToPos(row, 'x', true),
    toY: (row) => plot.valToPos(line.ys[row] ?? NaN, 'y', true),
  };
}

const ROWS = 1743;
const GAP = { from: 700, to: 760 };

describe.each<YScaleChoice>(['linear', 'log', 'share', 'auto'])('a missing value on the scale %s', (choice) => {
  it.each([
    ['positive values', 0.5],
    ['values around zero', -0.9],
  ])('is a gap of a line with more rows than pixels: %s', async (_name, shift) => {
    const ys = Array.from({ length: ROWS }, (_, row) =>
      row >= GAP.from && row < GAP.to ? NaN : shift + Math.exp(-row / 400)
    );
    const { stroke, dots, toX, toY } = await draw(ys, choice);
    expect(stroke.filter(([kind]) => kind === 'move')).toHaveLength(2);
    expect(stroke.filter(([, x]) => x > toX(GAP.from - 1) && x < toX(GAP.to))).toEqual([]);
    const drawnYs = stroke.map(([, , y]) => y);
    expect([Math.min(...drawnYs), Math.max(...drawnYs)]).toEqual([toY(0), toY(ROWS - 1)]);
    expect(dots).toEqual([]);
  });

  it('has no dot where the rows are few', async () => {
    const { stroke, dots, toX, toY } = await draw([8, NaN, 2, 1], choice);
    expect(stroke.map(([kind]) => kind)).toEqual(['move', 'move', 'line']);
    expect(dots.filter(([kind]) => kind === 'dot')).toEqual([0, 2, 3].map((row) => ['dot', toX(row), toY(row)]));
  });
});
