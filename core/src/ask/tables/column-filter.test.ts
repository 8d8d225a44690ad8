import fc from 'fast-check';
import { createMeasurement, createSelect } from '../../influxql/build.js';
import { parseQuery } from '../../influxql/parse.js';
import { printStatement } from '../../influxql/print.js';
import { compileColumnFilter, createFilterCondition, parseColumnFilter, type RowHalf } from './column-filter.js';

type Cell = number | string | null;

it.each<[string, readonly Cell[], readonly Cell[]]>([
  ['>0.5', [0.5, 0.6, null, 2, '7', 'Infinity', 'NaN', 'null'], [0.6, 2, 'Infinity']],
  ['< 1', [1, 0, '-Infinity', 'Infinity'], [0, '-Infinity']],
  ['<=1e-3', [0.001, 0.01], [0.001]],
  ['0.1..0.5', [0, 0.1, 0.3, 0.5, 0.6, '0.2'], [0.1, 0.3, 0.5]],
  ['-2 .. -1', [-3, -2, -1.5, 0], [-2, -1.5]],
  ['a..b', ['a..b', 'ab'], ['a..b']],
  ['=3', [3, 30, '3', '30'], [3, '3']],
  ['=12345678901234567890', ['12345678901234567890', '12345678901234567891'], ['12345678901234567890']],
  ['!=3', [3, 30, '3', 'x', 'null', null], [30, 'x']],
  ['!=x', [3, 'x', 'xy', 'null'], [3, 'xy']],
  ['=null', [3, 'null'], ['null']],
  ['=NaN', [3, 'NaN', 'null'], ['NaN']],
  ['3', [3, 30, '4', 'run 3'], [3, 'run 3']],
  ['-0', [0, 1], [0]],
  ['ÄB.', ['xäb.y', 'äbc'], ['xäb.y']],
  ['>b', ['x >B', 'c', 5], ['x >B']],
])('%p keeps the cells that it says', (typed, cells, expected) => {
  const filter = parseColumnFilter(typed);
  expect(filter).toBeDefined();
  expect(cells.filter(compileColumnFilter(filter ?? {}))).toEqual(expected);
});

it.each(['', '  ', '>', ' != '])('%p is no filter yet', (typed) => {
  expect(parseColumnFilter(typed)).toBeUndefined();
});

it('prints whatever was typed as a condition that InfluxQL reads back', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.constantFrom('=', '!=', '<', '>=', ''), fc.double()).map(([operator, value]) => `${operator}${value}`),
    fc.constantFrom(`it's "quoted" \\`, 'a/b\\', '(?i)x[', '=\\', "!='")
  );
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('time', 'user', 'a"b\\'));
  fc.assert(
    fc.property(typed, key, fc.constantFrom<RowHalf>('numbers', 'texts'), (text, name, half) => {
      const filter = parseColumnFilter(text.replaceAll(/[\r\0]/g, ''));
      const where =
        filter === undefined ? undefined : createFilterCondition(name.replaceAll(/[\r\0]/g, ''), half, filter);
      fc.pre(where !== undefined);
      const statement = createSelect({
        columns: [{ expression: { kind: 'wildcard' } }],
        from: [createMeasurement('m')],
        where,
      });
      const read = parseQuery(printStatement(statement));
      expect(read.ok && read.value.map(printStatement)).toEqual([printStatement(statement)]);
    })
  );
});
