import { fitWholeRows } from './use-whole-rows.js';

it.each([
  ['cuts no row', 300, 24, 100, 284],
  ['takes all where the rows fit', 300, 24, 3, 300],
  ['takes all where they fit exactly', 284, 24, 10, 284],
  ['takes all where not one fits', 40, 24, 5, 40],
])('%s', (_name, heightPx, otherPx, rows, found) => {
  expect(fitWholeRows(heightPx, otherPx, rows, 26)).toBe(found);
});
