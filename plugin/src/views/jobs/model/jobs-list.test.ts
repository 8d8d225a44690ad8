import { type JobRow, splitTags } from '../../parts/job-rows.js';
import { countKinds, searchJobs, sortJobs } from './jobs-list.js';

const NOTHING = { from: '', to: '1', user: 'ann', tags: [], lastValues: [] } as unknown as JobRow;
const JOBS: readonly JobRow[] = [
  { ...NOTHING, job: '5', state: 'PENDING', submittedMs: 50 },
  { ...NOTHING, job: '4', state: 'FAILED', exitCode: 137, user: 'bob', startedMs: 40, durationMs: 7, nodes: 2 },
  { ...NOTHING, job: '3', state: 'RUNNING', startedMs: 30, durationMs: 9, tags: ['model=unet'], nodes: 8 },
  { ...NOTHING, job: '2', state: 'COMPLETED', startedMs: 20, durationMs: 1, command: 'python Train.py' },
  { ...NOTHING, job: '1', state: 'RUNNING', startedMs: 10, durationMs: 30, values: 'loss 0.25' },
];
const ids = (rows: readonly JobRow[]): string => rows.map(({ job }) => job).join('');

it.each([
  ['', '54321'],
  ['  ', '54321'],
  ['BOB', '4'],
  ['sigkill', '4'],
  ['unet', '3'],
  ['train.py ann', '2'],
  ['train.py bob', ''],
  ['running', '31'],
  ['0.25', '1'],
])('finds with %p the jobs %p', (search, expected) => {
  expect(ids(searchJobs(JOBS, search))).toBe(expected);
});

it.each([
  [undefined, '31542'],
  [{ key: 'started', isDescending: false }, '12345'],
  [{ key: 'duration', isDescending: true }, '13425'],
  [{ key: 'user', isDescending: false }, '53214'],
  [{ key: 'nodes', isDescending: true }, '34521'],
  [{ key: 'state', isDescending: false }, '24531'],
] as const)('sorts by %p', (order, expected) => {
  expect(ids(sortJobs(JOBS, order))).toBe(expected);
});

it('sorts ids as a person counts, whatever signs are in them', () => {
  const names = ['job-10', 'a (2).b', 'job-9', "it's 3", 'a (11).b', 'job-9_2'];
  const rows = names.map((job) => ({ ...NOTHING, job }));
  const sorted = sortJobs(rows, { key: 'job', isDescending: false }).map(({ job }) => job);
  expect(sorted).toEqual(['a (2).b', 'a (11).b', "it's 3", 'job-9', 'job-9_2', 'job-10']);
});

it('counts the kinds of states that there are', () => {
  expect(countKinds(JOBS)).toEqual([
    ['running', 2],
    ['waiting', 1],
    ['failed', 1],
    ['completed', 1],
  ]);
});

it.each([
  [undefined, []],
  ['a=1', ['a=1']],
  ['a=1, b=x, y, c=', ['a=1', 'b=x, y', 'c=']],
])('splits the tags %p', (text, expected) => {
  expect(splitTags(text)).toEqual(expected);
});
