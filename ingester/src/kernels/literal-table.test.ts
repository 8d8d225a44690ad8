import { BUILT_IN_SIGNALS } from '@joblens/core/signals/built-in-patterns';
import { listLiterals } from '@joblens/core/signals/signal-detector';
import { GROUPED_WINDOWS } from './grouped-windows.js';
import { createLiteralTable, listWindows, PARITIES } from './literal-table.js';

const BUCKET_TABLES_BYTES = 128;

it('has grouped windows for all built-in signals: run npm run build:kernels -w ingester if not', () => {
  const grouped = GROUPED_WINDOWS.flat();
  const needed = listLiterals(BUILT_IN_SIGNALS).flatMap((text) =>
    PARITIES.map((parity) => listWindows(text, parity).map(({ bytes }) => bytes))
  );
  expect(needed.filter((windows) => !windows.some((window) => grouped.includes(window)))).toEqual([]);
  expect(grouped.filter((window) => !needed.some((windows) => windows.includes(window)))).toEqual([]);
});

it('takes texts that are in no group', () => {
  const built = createLiteralTable(listLiterals(BUILT_IN_SIGNALS)).subarray(0, BUCKET_TABLES_BYTES);
  const more = createLiteralTable([...listLiterals(BUILT_IN_SIGNALS), 'zzzz~']).subarray(0, BUCKET_TABLES_BYTES);
  expect(Buffer.from(more).equals(built)).toBe(false);
  expect(more.every((bits, at) => (bits & (built[at] ?? 0)) === built[at])).toBe(true);
});

it('refuses a text that is too short', () => {
  expect(() => createLiteralTable(['abc'])).toThrow('A text to search for must have 4 characters');
});
