import { createMeasurement, createSelect } from '../../influxql/build.js';
import { printStatement } from '../../influxql/print.js';
import { createDataSearch } from './data-search.js';

it.each([
  ['out of', '("data" =~ /o(?i:ut of)/ OR "data" =~ /O(?i:ut of)/)'],
  ['"step":1', '("data" =~ /"(?i:step":1)/ OR "data" =~ /\\\\(?i:"step\\\\":1)/)'],
  ['a"b', '("data" =~ /a(?i:"b)/ OR "data" =~ /A(?i:"b)/ OR "data" =~ /a(?i:\\\\"b)/ OR "data" =~ /A(?i:\\\\"b)/)'],
  ['x', '("data" =~ /x/ OR "data" =~ /X/)'],
  ['.5', '"data" =~ /\\.(?i:5)/'],
  ['日本', '"data" =~ /日(?i:本)/'],
  ['Σa', '"data" =~ /(?i)Σa/'],
  ['ßa', '"data" =~ /(?i)ßa/'],
])('a search for %p begins each expression with one letter', (text, condition) => {
  const where = createDataSearch(text);
  const statement = createSelect({
    columns: [{ expression: { kind: 'wildcard' } }],
    from: [createMeasurement('m')],
    ...(where && { where }),
  });
  expect(printStatement(statement).replace(/.* WHERE /, '')).toBe(condition.replace(/^\((.*)\)$/, '$1'));
});
