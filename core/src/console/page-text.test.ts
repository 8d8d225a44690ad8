import { readPageText } from './page-text.js';

describe('readPageText', () => {
  it.each([
    ['<html><b>502</b> Bad Gateway</html>', '  502  Bad Gateway '],
    ['no tags', 'no tags'],
    ['1 > 0 <b>', '1 > 0  '],
    ['<a <b>x', ' x'],
    ['x <open', 'x <open'],
    ['', ''],
  ])('reads %j', (html, text) => {
    expect(readPageText(html)).toBe(text);
  });

  it('looks once at each sign of a page that never closes one', () => {
    const html = '<'.repeat(1_000_000);
    expect(readPageText(html)).toBe(html);
  });
});
