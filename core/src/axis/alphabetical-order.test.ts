import { compareAlphabetically } from './alphabetical-order.js';

it.each([
  [
    ['b', 'a', 'C', 'A'],
    ['A', 'a', 'b', 'C'],
  ],
  [
    ['zeta', '\u00c4', 'alpha', 'e\u0301b', '\u00e9a', 'Ec'],
    ['\u00c4', 'alpha', '\u00e9a', 'e\u0301b', 'Ec', 'zeta'],
  ],
  [
    ['loss', '(b.c)', '', 'l-2', '10', '"q"'],
    ['', '"q"', '(b.c)', '10', 'l-2', 'loss'],
  ],
])('sorts %j as people do', (names, sorted) => {
  expect([...names].sort(compareAlphabetically)).toEqual(sorted);
  expect([...names].reverse().sort(compareAlphabetically)).toEqual(sorted);
});
