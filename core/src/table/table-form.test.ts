import { createTableForm } from './table-form.js';
import { createTableStats, foldRow, formatTableStats, parseTableStats, type TableStats } from './table-stats.js';

const BIG = '1795598874123456789';

function fold(...rows: ReadonlyArray<readonly [value: number | string, isJson?: boolean]>): TableStats {
  const stats = createTableStats();
  for (const [value, isJson] of rows) foldRow(stats, new Map([['a', value]]), new Set(isJson === true ? ['a'] : []));
  return stats;
}

const form = (...runs: ReadonlyArray<TableStats | undefined>): unknown => createTableForm(['a'], new Map(), runs);

it.each([
  ['numbers', [fold([1])], []],
  ['strings', [fold(['x'], ['y'])], [['a', { texts: 'strings' }]]],
  ['numbers and strings', [fold([1], ['x'])], [['a', { texts: 'strings', hasNumbers: true }]]],
  ['other values', [fold(['null', true], [1])], [['a', { texts: 'json', hasNumbers: true }]]],
  ['both in one run', [fold(['null', true], ['x'])], [['a', { texts: 'both' }]]],
  ['both in two runs', [fold(['null', true]), fold([1]), fold(['x'])], [['a', { texts: 'both', hasNumbers: true }]]],
  ['integers beyond 2^53', [fold([BIG, true])], [['a', { texts: 'json', hasNumbers: true, hasInexact: true }]]],
  [
    'such integers and strings',
    [fold([BIG, true], [1], ['x'])],
    [['a', { texts: 'both', hasNumbers: true, hasInexact: true }]],
  ],
  ['digits that were printed as a string', [fold([BIG])], [['a', { texts: 'strings' }]]],
  ['a run of which nothing is known', [fold([1]), undefined], [['a', { texts: 'both', hasNumbers: true }]]],
])('knows keys with %s', (_name, runs, expected) => {
  expect(form(...runs)).toEqual(expected);
});

it('does not know the texts of a store that was written before they were counted, also when it is continued', () => {
  const older = formatTableStats(fold([1], ['x'])).replace('"json":0,', '');
  const stats = parseTableStats(older);
  expect(form(stats)).toEqual([['a', { texts: 'both', hasNumbers: true }]]);
  foldRow(stats ?? createTableStats(), new Map([['a', 'null']]), new Set(['a']));
  expect(form(stats)).toEqual([['a', { texts: 'both', hasNumbers: true }]]);
});

it('writes nothing of the texts of a column of numbers', () => {
  expect(formatTableStats(fold([1], [2]))).not.toContain('json');
});
