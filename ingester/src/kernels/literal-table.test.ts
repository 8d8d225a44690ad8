import { BUILT_IN_SIGNALS, listLiterals } from '@joblens/core';
import { GROUPED_WINDOWS } from './grouped-windows.js';
import { createLiteralTable } from './literal-table.js';

const BUCKET_TABLES_BYTES = 128;

it('has grouped windows for all built-in signals: run npm run build:kernels -w ingester if not', () => {
  const windows = GROUPED_WINDOWS.flat();
  const missing = listLiterals(BUILT_IN_SIGNALS).filter((text) => !windows.some((window) => text.includes(window)));
  expect(missing).toEqual([]);
  expect(windows.filter((window) => !listLiterals(BUILT_IN_SIGNALS).some((text) => text.includes(window)))).toEqual([]);
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
