import { NO_METADATA } from './metadata-line.js';

it.each<[string, boolean]>([
  ['{"epoch": 1, "loss (a-b)": 0.5}', true],
  ['  { "a.b" : {"c": []} }\t', true],
  ['{"a": "}"}', true],
  ['', false],
  ['   ', false],
  ['{}', false],
  ['{', false],
  ['{"epoch": 1,', false],
  ['{"epoch": 1} done', false],
  ['loss {"a": 1}', false],
  ['[{"a": 1}]', false],
  ["{'a': 1}", false],
  ['"a": 1}', false],
])('tells whether a line is metadata: %j', (line, isMetadata) => {
  expect(NO_METADATA.isMatch(line, '')).toBe(!isMetadata);
});

it('takes linear time', () => {
  const line = `{"${' '.repeat(200_000)}x`;
  expect(NO_METADATA.isMatch(line, '')).toBe(true);
});
