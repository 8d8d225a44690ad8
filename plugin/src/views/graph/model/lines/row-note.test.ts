import { describeRowsShortly } from './row-note.js';

type Graph = Parameters<typeof describeRowsShortly>[0];

const graph = (shownRows: number, totalRows: number, folded?: object): Graph =>
  ({ shownRows, totalRows, tables: [{ folded }] }) as unknown as Graph;

it.each([
  ['all rows', graph(10, 10), undefined],
  ['some of the rows', graph(4478, 9925), '45 % of rows'],
  ['buckets', graph(1e6, 1e6, { rowsPerPoint: 32, isAggregated: false }), '32 a point'],
  ['aggregates', graph(1e6, 1e6, { rowsPerPoint: 1, isAggregated: true }), 'many a point'],
])('says in few words that a graph shows %s', (_name, shown, expected) => {
  expect(describeRowsShortly(shown)).toBe(expected);
});
