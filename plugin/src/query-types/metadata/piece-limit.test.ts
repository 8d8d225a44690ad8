import { limitPieces } from './piece-limit.js';

it.each<[string, number, number, number | undefined, number]>([
  ['a panel of unknown width', 5, 1, undefined, 16_000],
  ['a few keys', 5, 1, 1000, 16_000],
  ['a narrow panel', 5, 1, 300, 16_000],
  ['a wide panel', 5, 1, 2400, 38_400],
  ['very wide panels', 5, 1, 10_000, 64_000],
  ['20 keys', 20, 1, 1000, 8000],
  ['100 keys', 100, 1, 1000, 4000],
  ['100 keys in a wide panel', 100, 1, 2000, 8000],
  ['8 tables', 5, 8, 1000, 8000],
  ['100 tables', 5, 100, 1000, 1000],
])('limits the pieces of a table: %s', (_case, keys, tables, widthPx, pieces) => {
  expect(limitPieces(keys, tables, widthPx)).toBe(pieces);
});
