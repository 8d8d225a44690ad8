import { findError } from './use-last-error.js';

it.each([
  [['a', '\u001b[01;31mValueError: x\u001b[0m', 'bye'], ['', 'error', ''], 'ValueError: x'],
  [['a', ' core dumped ', ''], ['', '', ''], 'core dumped'],
  [['', '  '], ['', ''], undefined],
  [[], [], undefined],
])('finds in %j the line that says why', (lines, severities, expected) => {
  expect(findError(lines, severities)).toBe(expected);
});
