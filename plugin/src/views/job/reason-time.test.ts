import { findReasonTime } from './use-reason-time.js';

it.each([
  ['exit code 1: KeyError: 3 (a.py:2)', ['Killed', 'KeyError: 3 (a.py:2), 48 times', 'Killed'], 20n],
  ['exit code 1: Killed', ['Killed', 'KeyError: 3 (a.py:2)', 'Killed'], 30n],
  ['time limit of 1h', ['time limit'], 10n],
  ['cancelled by ann', ['KeyError: 3'], undefined],
  ['exit code 1', [], undefined],
])('takes %p to its line', (reason, texts, timeNs) => {
  expect(findReasonTime(reason, texts, ['10/a/j/u', '20/b/j/u', '30/a/j/u'])).toBe(timeNs);
});
