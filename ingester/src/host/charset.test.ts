import { readCharset, showOwnText, showUnknown } from './charset.js';
import { showOnTerminal } from './show-on-terminal.js';

it.each<[Record<string, string>, 'utf-8' | 'ascii']>([
  [{}, 'utf-8'],
  [{ LC_ALL: '', LC_CTYPE: '', LANG: '' }, 'utf-8'],
  [{ LC_ALL: 'C' }, 'ascii'],
  [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, 'ascii'],
  [{ LC_CTYPE: 'C', LANG: 'en_US.UTF-8' }, 'ascii'],
  [{ LC_ALL: '', LC_CTYPE: 'POSIX', LANG: 'C.UTF-8' }, 'ascii'],
  [{ LANG: 'C' }, 'ascii'],
  [{ LANG: 'de_DE.ISO-8859-15@euro' }, 'ascii'],
  [{ LANG: 'de_DE' }, 'ascii'],
  [{ LANG: 'C.UTF-8' }, 'utf-8'],
  [{ LC_ALL: 'C.utf8', LANG: 'C' }, 'utf-8'],
  [{ LC_CTYPE: 'UTF-8', LANG: 'C' }, 'utf-8'],
  [{ LC_MESSAGES: 'C', LANG: 'de_DE.UTF-8' }, 'utf-8'],
])('the locale %j has the charset %s', (environment, charset) => {
  expect(readCharset(environment)).toBe(charset);
});

it('shows what others have written on a terminal of ASCII in as many columns as it has', () => {
  expect(showOnTerminal('caf\u00e9 日本 e\u0301 🚀 \x1b[31m-(.\n', 'ascii')).toBe('caf? ???? e ?? \x1b[31m-(.\n');
  expect(showOnTerminal('café', 'utf-8')).toBe('café');
});

it('changes in its own texts what is its own', () => {
  expect(showOwnText('{regex: …} é \ufffd', 'ascii')).toBe('{regex: ...} é ?');
  expect(showUnknown('… é \ufffd', 'ascii')).toBe('… é ?');
  expect([showOwnText('…', 'utf-8'), showUnknown('\ufffd', 'utf-8')]).toEqual(['…', '\ufffd']);
});
