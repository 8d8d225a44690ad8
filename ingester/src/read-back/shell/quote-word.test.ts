import { execFileSync } from 'node:child_process';
import { quoteLastWord, quoteWord } from './quote-word.js';

it.each([
  '123_4',
  'alpha/123',
  'fail-1.(a) b',
  "it's",
  '',
  '$HOME `id` "x" \\ * ! ; & | < > # ~',
  'é',
  "a\n'b\\\t\x1b\x7f",
])('a shell reads %j as one word', (text) => {
  expect(execFileSync('bash', ['-c', `printf %s ${quoteWord(text)}`], { env: { LC_ALL: 'C.UTF-8' } }).toString()).toBe(
    text
  );
});

it('leaves plain ids as they are, and tells what looks like an option', () => {
  expect([quoteLastWord('alpha/123_4'), quoteLastWord('-x (1)')]).toEqual(['alpha/123_4', "-- '-x (1)'"]);
});
