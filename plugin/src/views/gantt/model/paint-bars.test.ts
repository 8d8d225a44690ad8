import { createFold, createSpan } from '../testing/spans.js';
import { stackRows } from './boxes.js';
import { paintBars } from './paint-bars.js';
import { createRows } from './rows.js';
import type { Span } from './spans.js';

interface Painted {
  readonly rects: ReadonlyArray<readonly [leftPx: number, widthPx: number, alpha: number]>;
  readonly texts: readonly string[];
}

/** A canvas whose letters are 6 pixels wide, and what is drawn of 100 ms on 300 pixels. */
function paint(spans: readonly Span[], presentMs = 1000): Painted {
  const [rects, texts]: [Array<readonly [number, number, number]>, string[]] = [[], []];
  const context = {
    ...{ globalAlpha: 1, fillStyle: '', font: '' },
    fillRect(left: number, _top: number, width: number) {
      rects.push([left, width, Math.round(context.globalAlpha * 100) / 100]);
    },
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const looks = [{ fill: 'red', text: 'black' }];
  paintBars(context as unknown as CanvasRenderingContext2D, stackRows(createRows(spans, 'lane'), false), {
    ...{ viewport: { min: 0, max: 100, widthPx: 300 }, scrollPx: 0, heightPx: 200, looks, presentMs },
    ...{ background: 'white', font: '11px sans', alpha: 1 },
  });
  return { rects, texts };
}

it('draws slots next to each other without stripes, as strongly as they are busy, and none that is not', () => {
  const slots = Array.from({ length: 30 }, (_, at) =>
    createSpan({
      startMs: (at * 100) / 30,
      endMs: ((at + 1) * 100) / 30,
      fold: createFold({ busy: at < 20 ? 0.5 : 0 }),
    })
  );
  expect(paint(slots).rects).toEqual([[0, 200, 0.65]]);
});

it('writes as much of a name on a bar as there is room for, and tears the end of an open one off', () => {
  const name = 'train-step (1)';
  const painted = paint(
    [
      createSpan({ startMs: 0, endMs: 40, name }),
      createSpan({ startMs: 40, endMs: 55, name }),
      createSpan({ startMs: 55, endMs: 60, name }),
      createSpan({ startMs: 60, endMs: Infinity, name: 'x' }),
    ],
    90
  );
  expect(painted.texts).toEqual([name, 'train…', 'x']);
  expect(painted.rects).toEqual([
    ...[
      [0, 119, 1],
      [120, 44, 1],
      [165, 14, 1],
      [180, 89, 1],
    ],
    ...[
      [266, 1, 1],
      [263, 1, 1],
    ],
  ]);
});

it('draws spans in a pixel as one, the stronger the busier', () => {
  const spans = Array.from({ length: 600 }, (_, at) =>
    createSpan({ startMs: at / 6 + 0.01, endMs: at / 6 + 0.01 + 1 / 12 })
  );
  const { rects } = paint(spans);
  expect(rects.length).toBeLessThanOrEqual(300);
  expect(new Set(rects.map(([, , alpha]) => alpha))).toEqual(new Set([0.65]));
});
