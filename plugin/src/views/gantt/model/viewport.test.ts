import { fitSpans } from './viewport.js';

const DAY = { min: 1_700_000_000_000, max: 1_700_086_400_000 };
const at = (from: number, to: number) => ({ startMs: DAY.min + from, endMs: DAY.min + to });

it.each([
  ['the two minutes of a job in a day', [at(600_000, 700_000), at(650_000, 720_000)], [597_600, 722_400]],
  ['a job that began before the range', [at(-3_600_000, 100_000)], [-2000, 102_000]],
  ['a job of some seconds, however many spans it has', Array<object>(200_000).fill(at(0, 1000)), [-20, 1020]],
] as const)('shows %s large', (_name, spans, [from, to]) => {
  const fitted = fitSpans(spans as ReadonlyArray<ReturnType<typeof at>>, DAY);
  expect(fitted && [fitted.min - DAY.min, fitted.max - DAY.min]).toEqual([from, to]);
});

it.each([
  ['spans that take much of the range', [at(0, 8_640_000)]],
  ['an open span, which goes on to the end of the range', [at(1000, Infinity)]],
  ['spans outside the range', [at(-5000, -1000)]],
  ['spans that take no time', [at(1000, 1000)]],
  ['no spans', []],
])('keeps the range for %s', (_name, spans) => {
  expect(fitSpans(spans, DAY)).toBeUndefined();
});
