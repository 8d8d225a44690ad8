import { columnsOfText } from '@joblens/core/console/column-width';
import { splitWideText } from './wide-text.js';

it.each([
  ['plain text', ['plain text']],
  ['', []],
  ['名前 | ok', ['[名]', '[前]', ' | ok']],
  ['done ✅ 3/4', ['done ', '[✅]', ' 3/4']],
  ['e\u0301tat', ['e\u0301tat']],
  ['か\u3099x', ['[か\u3099]', 'x']],
  ['\u0301x', ['\u0301x']],
  ['🇩🇪🇫🇷!', ['[🇩🇪]', '[🇫🇷]', '!']],
  ['Привет ├─ █▏', ['Привет ├─ █▏']],
  // As a terminal that has no joined glyph: each in two columns.
  ['👩\u200d💻', ['[👩\u200d]', '[💻]']],
])('divides %p where a terminal gives two columns', (text, expected) => {
  const stretches = splitWideText(text);
  expect(stretches.map((stretch) => (stretch.isWide ? `[${stretch.text}]` : stretch.text))).toEqual(expected);
  const columns = stretches.map((stretch) => (stretch.isWide ? 2 : columnsOfText(stretch.text)));
  expect(columns.reduce((sum, each) => sum + each, 0)).toBe(columnsOfText(text));
});
