import fc from 'fast-check';
import { arbitrarySpans, createFold, createSpan } from '../testing/spans.js';
import { createRows, filterRows, ROW_CHOICES } from './rows.js';

const SPANS = [
  createSpan({ worker: 'worker-10', category: 'compute', name: 'a' }),
  createSpan({ worker: 'worker-9', category: 'move', name: 'b' }),
  createSpan({ worker: 'worker-9', category: 'compute', name: 'a' }),
];

it.each([
  [
    'lane',
    [
      ['worker-9', 'compute'],
      ['worker-9', 'move'],
      ['worker-10', 'compute'],
    ],
  ],
  ['worker', [['worker-9'], ['worker-10']]],
  ['category', [['compute'], ['move']]],
  ['name', [['a'], ['b']]],
  ['job', [[]]],
] as const)('makes rows by %s', (choice, titles) => {
  expect(createRows(SPANS, choice).map((row) => row.titles)).toEqual(titles);
});

it('keeps the workers of several jobs apart', () => {
  const spans = ['8', '9'].map((job) => createSpan({ job, worker: '0' }));
  expect(createRows(spans, 'lane').map(({ titles }) => titles)).toEqual([
    ['8', '0'],
    ['9', '0'],
  ]);
});

it('makes rows by name where there is neither a worker nor a category', () => {
  const spans = ['f(x)', 'a-b'].map((name) => createSpan({ name }));
  expect(createRows(spans, 'lane').map(({ titles }) => titles)).toEqual([['a-b'], ['f(x)']]);
});

it('keeps the slots of each lane together, and stands them by their categories for want of names', () => {
  const slots = [0, 1, 2].flatMap((startMs) =>
    ['x', 'y'].map((category) => createSpan({ startMs, worker: 'w', category, fold: createFold({}) }))
  );
  const [row] = createRows(slots, 'worker');
  expect(row?.lanes.map(({ spans }) => new Set(spans.map(({ category }) => category)).size)).toEqual([1, 1]);
  expect(createRows(slots, 'name').map(({ titles }) => titles)).toEqual([['x'], ['y']]);
});

it('loses no span, by any choice, and keeps the lanes when it filters', () => {
  fc.assert(
    fc.property(arbitrarySpans({ maxMs: 30, hasOpen: true }), fc.constantFrom(...ROW_CHOICES), (spans, choice) => {
      const rows = createRows(spans, choice);
      expect(new Set(rows.flatMap(({ lanes }) => lanes.flatMap((lane) => lane.spans)))).toEqual(new Set(spans));
      const filtered = filterRows(rows, ({ name }) => name === '-');
      expect(filtered.map(({ lanes }) => lanes.length)).toEqual(rows.map(({ lanes }) => lanes.length));
      const kept = filtered.reduce((sum, { spanCount }) => sum + spanCount, 0);
      expect(kept).toBe(spans.filter(({ name }) => name === '-').length);
    })
  );
});
