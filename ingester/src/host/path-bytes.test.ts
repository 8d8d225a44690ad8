import fc from 'fast-check';
import { showPath, toPathBytes, toPathText } from './path-bytes.js';

const path = fc.oneof(
  fc.uint8Array(),
  fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text))
);

describe('a path as text', () => {
  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.array(path), (parts) => {
        const bytes = Buffer.concat(parts);
        expect(Buffer.from(toPathBytes(toPathText(bytes)) as string)).toEqual(bytes);
      })
    );
  });

  it.each([
    ['plain (a).out', 'plain (a).out'],
    ['caf\xe9-1.out', 'caf\\xe9-1.out'],
    ['\xff\xc3\xa9\xc3', '\\xff\xe9\\xc3'],
    ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
  ])('shows the bytes that are no UTF-8: %j', (bytes, shown) => {
    expect(showPath(toPathText(Buffer.from(bytes, 'latin1')))).toBe(shown);
  });
});
