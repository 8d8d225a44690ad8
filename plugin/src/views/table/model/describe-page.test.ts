import { describeDownload, describePage, type PageScope } from './describe-page.js';

const LONG = { loadedRows: 1000, totalRows: 48_210, from: 0, rows: 100, isLoading: false, problem: undefined };
const sorted = (part: 'all' | 'extreme' | 'newest', isFiltered = false): PageScope => ({
  ...{ kind: 'sorted', part, isFiltered },
});

it.each<[PageScope, Partial<typeof LONG>, number | undefined, string]>([
  [{ kind: 'all' }, {}, 48_210, '1–100 of 48,210 rows'],
  [{ kind: 'all' }, { from: 48_200, rows: 10 }, 48_210, '48,201–48,210 of 48,210 rows'],
  [{ kind: 'all' }, { rows: 1, loadedRows: 1, totalRows: 1 }, 1, '1 row'],
  [{ kind: 'all' }, {}, 1000, '1–100 of 1,000 of 48,210 rows'],
  [{ kind: 'loaded', isSorted: true }, {}, 1000, '1–100 · sorted the 1,000 loaded rows of 48,210'],
  [{ kind: 'loaded', isSorted: false }, {}, 400, '1–100 of 400 found in the 1,000 loaded rows of 48,210'],
  [{ kind: 'found' }, {}, undefined, '1–100, counting …'],
  [{ kind: 'found' }, {}, 1234, '1–100 of 1,234 found in 48,210 rows'],
  [{ kind: 'found' }, {}, 50_000, '1–100 of 50,000 found in 50,000 rows'],
  [{ kind: 'found' }, { rows: 7 }, 7, '7 found in 48,210 rows'],
  [{ kind: 'found' }, { rows: 0 }, 0, 'None of 48,210 rows'],
  [{ kind: 'found' }, { isLoading: true }, undefined, 'Searching …'],
  [sorted('all'), {}, 48_210, '1–100 · sorted all 48,210 rows'],
  [sorted('all'), {}, 40_000, '1–100 · sorted 40,000 of 48,210 rows'],
  [sorted('all', true), {}, 1234, '1–100 · sorted all 1,234 found in 48,210 rows'],
  [sorted('extreme'), { totalRows: 1_000_000 }, 31_024, '1–100 · sorted the first 31,024 of 1,000,000 rows'],
  [sorted('newest'), { totalRows: 1_000_000 }, 100_000, '1–100 · sorted the newest 100,000 of 1,000,000 rows'],
  [sorted('newest', true), {}, 40_000, '1–100 · sorted the newest 40,000 found in 48,210 rows'],
  [sorted('all'), { isLoading: true }, 0, 'Sorting …'],
])('says of %j with %j and a total of %p: %s', (scope, changes, total, text) => {
  expect(describePage({ ...LONG, ...changes, scope, total })).toBe(text);
});

it.each<[PageScope['kind'], boolean, string | undefined, number | undefined, string]>([
  ['all', false, undefined, 48_210, 'All 48,210 rows'],
  ['all', true, undefined, 7, '7 rows that match'],
  ['all', true, 'loss', 7, '7 rows that match, sorted by loss'],
  ['found', true, undefined, 12_345, '12,345 rows that match'],
  ['found', true, undefined, 1, '1 row that matches'],
  ['found', true, undefined, undefined, 'Rows that match'],
  ['sorted', false, 'loss', 40_000, 'All 48,210 rows, sorted by loss'],
  ['sorted', true, 'loss', 40_000, 'Rows that match, sorted by loss'],
])('names a download of %p, filtered: %p, sorted by %p, of %p rows', (kind, isFiltered, sortedBy, total, text) => {
  const scope = kind === 'sorted' ? sorted('all') : ({ kind } as PageScope);
  expect(describeDownload({ scope, isFiltered, sortedBy, total, totalRows: 48_210 })).toBe(text);
});
