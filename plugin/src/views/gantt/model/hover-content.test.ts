import { FieldType, toDataFrame } from '@grafana/data';
import { createFold, createSpan } from '../testing/spans.js';
import { describeMany, describeSpan } from './hover-content.js';
import { createLane } from './lanes.js';
import { formatSpanDuration } from './span-words.js';
import { readSpans } from './spans.js';

const START_MS = 1_700_000_000_000;
const WHEN = { timeZone: 'utc', presentMs: START_MS + 5000 };

it('says all that is known of a span: its data in parts, other fields with their units', () => {
  const field = (name: string, type: FieldType, value: unknown) => ({ name, type, values: [value], config: {} });
  const frame = toDataFrame({
    fields: [
      field('start', FieldType.time, START_MS + 0.25),
      field('duration', FieldType.number, 1.5),
      field('name', FieldType.string, 'a-(b).c'),
      field('category', FieldType.string, 'io'),
      field('id', FieldType.string, '7'),
      field('data', FieldType.string, '{"bytes": 12, "key": "x \\"y\\"", "of": [1, 2]}'),
      field('broken', FieldType.string, '{"cut'),
      field('empty', FieldType.string, ''),
    ],
  });
  const [span] = readSpans([frame]).spans;
  expect(span && describeSpan(span, WHEN)).toEqual({
    title: 'a-(b).c',
    rows: [
      { name: 'Category', value: 'io' },
      { name: 'Start', value: '2023-11-14 22:13:20.000250' },
      { name: 'End', value: '2023-11-14 22:13:20.001750' },
      { name: 'Duration', value: '1.5ms' },
      { name: 'id', value: '7' },
      { name: 'bytes', value: '12' },
      { name: 'key', value: 'x "y"' },
      { name: 'of', value: '[1,2]' },
      { name: 'broken', value: '{"cut' },
    ],
    more: 0,
  });
});

it('says of an open span how long it has run, and of a slot how many ran', () => {
  const open = describeSpan(createSpan({ startMs: START_MS, endMs: Infinity, name: 'x' }), WHEN);
  expect(open.rows.map(({ value }) => value)).toEqual(['2023-11-14 22:13:20.000', 'still open', '5s so far']);
  const fold = createFold({ busy: 0.1234, running: 2.5, count: 1200 });
  const slot = describeSpan(createSpan({ startMs: START_MS, endMs: START_MS + 2, category: 'io', fold }), WHEN);
  expect(slot.title).toBe('Folded spans');
  expect(slot.rows.slice(-3).map(({ value }) => value)).toEqual([
    ...['1,200 spans', '2.5 at once, in the mean', '12.3% of the time'],
  ]);
});

it('sums up spans that share a pixel', () => {
  const lane = createLane([
    createSpan({ startMs: START_MS, endMs: START_MS + 1, name: 'short' }),
    createSpan({ startMs: START_MS + 4, endMs: START_MS + 8, name: 'long' }),
  ]);
  const { title, rows } = describeMany(lane, 0, 2, WHEN);
  expect(title).toBe('2 spans');
  expect(rows).toContainEqual({ name: 'Busy', value: '5ms of 8ms' });
  expect(rows).toContainEqual({ name: 'Longest', value: 'long, 4ms' });
});

it.each([
  [0, '0'],
  [0.0123, '12.3µs'],
  [4.5678, '4.57ms'],
  [1500, '1.5s'],
  [7_500_000, '2h 5m'],
])('writes %p ms as %s', (durationMs, text) => {
  expect(formatSpanDuration(durationMs)).toBe(text);
});
