import * as fc from 'fast-check';
import { columnsOfText } from './column-width.js';
import type { ControlIndex } from './control-index.js';
import { INDEX_BYTES, indexControls, indexPlainly } from './control-index.js';

const part = fc.oneof(
  fc.constantFrom(
    '\r',
    '\n',
    '\x1b',
    '\x7f',
    '\x1f',
    '\0',
    '█',
    '⣿',
    '─',
    '◼',
    '世',
    'é',
    '😀',
    ' ',
    'x',
    '█'.repeat(20)
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 })
);
const bytesOf = fc.oneof(
  fc.array(part, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
);

function list(index: ControlIndex): readonly number[] {
  return [index.count, index.kinds, ...index.records.subarray(0, 2 * (index.count + 1))];
}

describe('controls of a text', () => {
  it('are the same by sixteen bytes and by one, whatever was indexed before', () => {
    fc.assert(
      fc.property(bytesOf, fc.nat(40), (bytes, offset) => {
        indexControls(Buffer.alloc(bytes.length + offset, '\x1b█'));
        const part = bytes.subarray(Math.min(offset, bytes.length));
        expect(list(indexControls(part))).toEqual(list(indexPlainly(part)));
      }),
      { numRuns: 3000 }
    );
  });

  it('come with their offsets, their kinds and no fewer columns than there are', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        const { count, kinds, records } = indexControls(bytes);
        const offsets = [...bytes.keys()].filter((i) => (bytes[i] ?? 0) < 0x20 || bytes[i] === 0x7f);
        expect(Array.from({ length: count + 1 }, (_, k) => records[2 * k])).toEqual([...offsets, bytes.length]);
        expect(kinds).toBe(offsets.reduce((bits, at) => bits | (1 << ((bytes[at] ?? 0) & 31)), 0));
        for (let k = 0; k <= count; k++) {
          const before = bytes
            .subarray(0, records[2 * k])
            .toString()
            .replace(/\p{Cc}/gu, ' ');
          expect(columnsOfText(before)).toBeLessThanOrEqual(records[2 * k + 1] ?? 0);
        }
      }),
      { numRuns: 1000 }
    );
  });

  it('may be as many as there are bytes', () => {
    const bytes = Buffer.alloc(INDEX_BYTES, '\n');
    expect(indexControls(bytes)).toMatchObject({ count: INDEX_BYTES, kinds: 1 << 10 });
    expect(indexControls(bytes).records[2 * INDEX_BYTES]).toBe(INDEX_BYTES);
  });
});
