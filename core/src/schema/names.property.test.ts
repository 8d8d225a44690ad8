import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { formatPoint } from '../point/line-protocol.js';
import { decodeFieldKey, encodeFieldKey, RESERVED_KEYS } from './field-name.js';
import { decodeName, encodeName } from './name-transport.js';
import { createSeriesName, createSeriesNamer } from './series-name.js';

const PIECES = fc.constantFrom(
  ...RESERVED_KEYS,
  'level',
  'stream',
  '_',
  'x',
  '␛',
  '␛/',
  '\\',
  ',',
  '=',
  ' ',
  '"',
  '\n',
  '\t',
  '\0',
  '\x7f',
  '@',
  '?',
  '0',
  '~'
);
const anyName = fc.oneof(fc.string({ unit: PIECES, maxLength: 6 }), fc.string({ unit: 'binary' }));

/** Texts that InfluxDB versions read in different ways. */
// eslint-disable-next-line no-control-regex -- the control characters are the point
const UNSTORABLE = /[\0-\x1f\x7f]|\\(?:[,= "\\]|$)|^$/;

describe('names in line protocol', () => {
  it('decodeName takes back encodeName, for every string', () => {
    fc.assert(
      fc.property(anyName, (name) => expect(decodeName(encodeName(name))).toBe(name)),
      { numRuns: randomCases(2000) }
    );
  });

  it('an encoded name is storable and no two names share one', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(encodeName(a)).not.toMatch(UNSTORABLE);
        expect(encodeName(a) === encodeName(b)).toBe(a === b);
      }),
      { numRuns: randomCases(2000) }
    );
  });

  it('a name without anything special is stored as it is', () => {
    const plain = fc.string({ unit: fc.constantFrom(...Array.from('aé,= "\'\u{1f600}')), minLength: 1 });
    fc.assert(fc.property(plain, (name) => expect(encodeName(name)).toBe(name)));
  });

  it.each([
    ['a\nb', 'a␛Jb'],
    ['\ta', '␛Ia'],
    ['\0', '␛@'],
    ['\x7f', '␛?'],
    ['', '␛0'],
    ['a\\', 'a␛/'],
    ['a\\\\b', 'a␛/\\b'],
    ['C:\\dir', 'C:\\dir'],
    ['␛', '␛␛'],
    ['\ud800', '\ufffd'],
  ])('%j is stored as %j', (name, stored) => {
    expect(encodeName(name)).toBe(stored);
  });

  it('text that others stored and encodeName never writes is left as it is', () => {
    expect(decodeName('a␛ b␛é␛')).toBe('a␛ b␛é␛');
  });
});

describe('reserved names', () => {
  it.each([
    ['time', 'time_'],
    ['time_', 'time__'],
    ['user', 'user_'],
    ['bucket_rows_', 'bucket_rows__'],
    ['_', 'x_'],
    ['_measurement', 'x_measurement'],
    ['xx_a', 'xxx_a'],
    ['x', 'x'],
    ['times', 'times'],
    ['Time', 'Time'],
    ['loss', 'loss'],
    ['__proto__', 'x__proto__'],
  ])('the key %j is stored as %j', (key, stored) => {
    expect([encodeFieldKey(key), decodeFieldKey(stored)]).toEqual([stored, key]);
  });

  it.each(['level', 'stat', 'category', 'worker', 'stream', 'topic', 'level_', 'bucket'])(
    '%s keeps its name',
    (key) => {
      expect([encodeFieldKey(key), decodeFieldKey(key)]).toEqual([key, key]);
    }
  );

  it('decodeFieldKey takes back encodeFieldKey, for every string', () => {
    fc.assert(
      fc.property(anyName, (key) => expect(decodeFieldKey(encodeFieldKey(key))).toBe(key)),
      { numRuns: randomCases(5000) }
    );
  });

  it('a stored key is storable and never reserved', () => {
    fc.assert(
      fc.property(anyName, (key) => {
        const stored = encodeFieldKey(key);
        expect(stored).not.toMatch(UNSTORABLE);
        expect(stored.startsWith('_') || RESERVED_KEYS.some((name) => name === stored)).toBe(false);
        const point = { measurement: 'm', tags: new Map(), fields: new Map([[stored, 1]]), timeNs: 0n };
        expect(formatPoint(point)).toContain('=1 0');
      }),
      { numRuns: randomCases(5000) }
    );
  });

  it('no two keys share a stored key', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => expect(encodeFieldKey(a) === encodeFieldKey(b)).toBe(a === b)),
      { numRuns: randomCases(5000) }
    );
  });
});

describe('createSeriesName', () => {
  const keySet = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom(...Array.from('ab,\\0~\u{1f600}\uff21')), maxLength: 3 }),
    {
      maxLength: 4,
    }
  );

  it('is the same for the same keys in any order', () => {
    fc.assert(
      fc.property(keySet, (keys) => expect(createSeriesName([...keys].reverse())).toBe(createSeriesName(keys)))
    );
  });

  it('differs for different key sets', () => {
    fc.assert(
      fc.property(keySet, keySet, (a, b) => {
        const same = a.length === b.length && a.every((key) => b.includes(key));
        expect(createSeriesName(a) === createSeriesName(b)).toBe(same);
      }),
      { numRuns: randomCases(5000) }
    );
  });

  it.each<[string[], string]>([
    [['loss', 'epoch'], 'epoch,loss'],
    [['b', 'a', 'b'], 'a,b'],
    [['\u{1f600}', '\uff21'], '\uff21,\u{1f600}'],
    [['a,b'], 'a\\,b'],
    [['a', 'b'], 'a,b'],
    [['a\\', 'b'], 'a\\\\,b'],
    [[''], '\\0'],
    [['', 'a'], '\\0,a'],
    [['é'.repeat(100)], 'é'.repeat(100)],
  ])('of %j is %j', (keys, name) => {
    expect(createSeriesName(keys)).toBe(name);
  });

  it('cuts a long list at a character and ends it with the hash of the whole', () => {
    const a = createSeriesName(['é'.repeat(101)]);
    const b = createSeriesName(['é'.repeat(102)]);
    expect(a).toMatch(/^é{100}~[0-9a-f]{16}$/);
    expect(b).toMatch(/^é{100}~[0-9a-f]{16}$/);
    expect(a).not.toBe(b);
    expect(createSeriesName([`a${'é'.repeat(101)}`])).toMatch(/^aé{99}~[0-9a-f]{16}$/);
  });

  it('a short list cannot look like a cut one', () => {
    const cut = createSeriesName(['k'.repeat(300)]);
    expect(createSeriesName([cut])).not.toBe(cut);
  });

  it('hashes by FNV-1a, 64 bits', () => {
    const list = 'k'.repeat(201);
    let hash = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(list, 'utf16le')) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
    expect(createSeriesName([list])).toBe(`${'k'.repeat(200)}~${hash.toString(16).padStart(16, '0')}`);
  });
});

describe('createSeriesNamer', () => {
  it('gives each row the name of its key set, whatever came before', () => {
    const row = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'a,b', ''), { maxLength: 4 })
      .map((keys) => new Map(keys.map((key, i) => [key, i])));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const nameSeries = createSeriesNamer();
        expect(rows.map((item) => nameSeries(item))).toEqual(rows.map((item) => createSeriesName(item.keys())));
      })
    );
  });
});
