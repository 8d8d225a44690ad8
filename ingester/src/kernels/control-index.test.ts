import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsOfText } from '@joblens/core/console/column-width';
import * as fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { type ControlIndex, INDEX_BYTES, indexControls, indexPlainly } from './control-index.js';
import { planFrames } from './frame-plan.js';

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
      { numRuns: randomCases(3000) }
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
      { numRuns: randomCases(1000) }
    );
  });

  it('may be as many as there are bytes', () => {
    const bytes = Buffer.alloc(INDEX_BYTES, '\n');
    expect(indexControls(bytes)).toMatchObject({ count: INDEX_BYTES, kinds: 1 << 10 });
    expect(indexControls(bytes).records[2 * INDEX_BYTES]).toBe(INDEX_BYTES);
  });
});

/** The plan of bars from row 3 and column 5 of a screen of 10 rows on. */
function plan(program: string | Buffer): unknown {
  const bytes = Buffer.from(program);
  const made = planFrames(indexControls(bytes), 3, 5, 10);
  if (made === undefined) return undefined;
  return { ...made, texts: made.texts.map(({ row, text, lastColumns }) => `${row} ${text} ${lastColumns}`) };
}

describe('frames of bars', () => {
  it.each([
    ['the last of a row', '\r 5%\r 10%\r 100%', { texts: ['3  100% 5'], end: 15, row: 3, column: 5, reach: -1 }],
    ['what longer ones before it leave', '\r█████ 99%\r██ 100\rdone', { texts: ['3 done0099% 4'], row: 3, column: 4 }],
    ['all rows, from top to bottom', '\ra\n\rb\x1b[A\rA\n\rB', { texts: ['3 A 1', '4 B 1'], row: 4, reach: 4 }],
    [
      'rows that leave the screen',
      `\rx${'\n'.repeat(9)}y`,
      { texts: ['3 x 1', '12 y 1'], scrolled: 3, row: 12, reach: 12 },
    ],
    ['the text before the first, where it is seen', 'ab\rabcdef', { first: 2, texts: ['3 abcdef 6'] }],
    ['wide characters', '\r世界 3\r世 2', { texts: ['3 世 2 3 4'], column: 4 }],
    ['but not where it is covered', 'ab\rabcdefg', { first: 0, texts: ['3 abcdefg 7'] }],
    [
      'what is before a text that begins elsewhere',
      '\rab\n\rcd\x1b[Aef\rg',
      { end: 10, texts: ['3 ab 2', '4 cd 2'], row: 3 },
    ],
    ['what is before another sequence', '\rab\x1b[Kcd', { end: 3, texts: ['3 ab 2'], column: 2 }],
    ['nothing but movements', '\x1b[2A', { end: 4, texts: [], row: 1, column: -1 }],
  ])('leave to see %s', (_, program, expected) => {
    expect(plan(program)).toMatchObject(expected);
  });

  it.each([
    ['emoji', '\r😀'],
    ['half a wide character', '\r世世\ra'],
    ['marks', '\re\u0301'],
    ['soft hyphens', '\r\u00ad'],
    ['C1 controls', '\r\u0085'],
    ['bytes that are no UTF-8', Buffer.from('0de294', 'hex')],
  ])('are left to others when %s are seen in the end', (_, program) => {
    expect(plan(program)).toBeUndefined();
  });

  it('have the columns of their characters, if they are known', () => {
    const known = new Set<number>();
    for (let code = 0xa0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      const made = planFrames(indexControls(Buffer.from(`\r${character}`)), 3, 5, 10);
      if (made === undefined) continue;
      known.add(code);
      expect([code, made.column]).toEqual([code, columnsOfText(character)]);
    }
    expect(known.size).toBeGreaterThan(40_000);
  });

  it('leave one text a row of what tqdm prints', () => {
    const output = readFileSync(join(__dirname, '../render/testing/recordings', 'tqdm-one-bar.raw'));
    const bytes = output.subarray(0, output.lastIndexOf('\r', INDEX_BYTES));
    expect(plan(bytes)).toMatchObject({ end: bytes.length, texts: [expect.stringContaining('it/s')] });
  });
});
