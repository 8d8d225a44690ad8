import { createSpanPoint } from '../../schema/span-point.js';
import { answerAll } from '../testing/model-store.js';
import { answerReading } from '../testing/answer-reading.js';
import { readSpanSummaries } from './span-summary.js';

const OWNER = { job: '1', user: 'ann' };

/** Spans of two lanes, several at each time. */
const POINTS = Array.from({ length: 40 }, (_, i) => {
  const lane = { category: i % 2 === 0 ? 'a (b)' : '', worker: `w${i % 4}` };
  const span = { ...OWNER, ...lane, id: String(i), name: 'x', startNs: BigInt(1 + Math.floor(i / 4)), durationMs: i };
  return createSpanPoint(span);
});

it.each([1, 3, 4, 5, 40, 1000])('sums up in pages of %d what it sums up at once', (page) => {
  const summaries = answerReading(readSpanSummaries({ job: '1' }, {}, page), (asked) => answerAll(POINTS, asked));
  expect(summaries).toEqual([
    { category: '', name: 'x', spans: 20, halves: 0, minMs: 1, maxMs: 39, sumMs: 400 },
    { category: 'a (b)', name: 'x', spans: 20, halves: 0, minMs: 0, maxMs: 38, sumMs: 380 },
  ]);
});
