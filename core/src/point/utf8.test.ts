import fc from 'fast-check';
import { compareCodePoints, cutUtf8, encodeUtf8, toWellFormed, utf8Length } from './utf8.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units))
);

describe('UTF-8', () => {
  it('utf8Length counts the bytes that an encoder writes', () => {
    fc.assert(fc.property(anyText, (text) => expect(utf8Length(text)).toBe(Buffer.byteLength(text))));
  });

  it('encodeUtf8 writes the bytes that any encoder writes', () => {
    fc.assert(fc.property(anyText, (text) => expect([...encodeUtf8(text)]).toEqual([...Buffer.from(text)])));
  });

  it('cutUtf8 takes as many whole characters as fit', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 20 }), (text, maxBytes) => {
        const end = cutUtf8(text, 0, maxBytes);
        expect(Buffer.byteLength(text.slice(0, end))).toBeLessThanOrEqual(maxBytes);
        const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
        expect(end === text.length || Buffer.byteLength(text.slice(0, end) + next) > maxBytes).toBe(true);
      })
    );
  });

  it('toWellFormed gives what a trip through UTF-8 gives', () => {
    fc.assert(fc.property(anyText, (text) => expect(toWellFormed(text)).toBe(Buffer.from(text).toString())));
  });

  it('compareCodePoints orders as the UTF-8 bytes do', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      })
    );
  });
});
