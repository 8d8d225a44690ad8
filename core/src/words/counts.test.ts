import { countOf } from './counts.js';

it.each([
  [0, '0 jobs'],
  [1, '1 job'],
  [12_345, '12,345 jobs'],
])('%i are %s', (count, words) => {
  expect(countOf(count, 'job')).toBe(words);
});
