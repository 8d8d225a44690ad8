import fc from 'fast-check';
import { parseMetadataLine } from '../metadata/parse-metadata.js';
import { parsePythonDict } from './python-dict.js';

const read = (line: string): unknown => {
  const row = parsePythonDict(line, 'log');
  return row && Object.fromEntries(row);
};

describe('parsePythonDict', () => {
  it.each<[string, unknown]>([
    ["{'loss': 1.7166, 'learning_rate': 1e-05, 'epoch': 0.02}", { loss: 1.7166, learning_rate: 1e-5, epoch: 0.02 }],
    [`{"it's": 1, 'a"b': 'x'}`, { "it's": 1, 'a"b': 'x' }],
    ["{'a': True, 'b': False, 'c': None}", { a: 'true', b: 'false', c: 'null' }],
    ["{'a': {'b': 1, 'c': {'d': -2}}}", { 'a.b': 1, 'a.c.d': -2 }],
    ["{'a': [1, 'x', (2, 3), (4,), (5)], 'b': ()}", { a: '[1,"x",[2,3],[4],5]', b: '[]' }],
    ["{'a': 12345678901234567890, 'b': 1., 'c': +3,}", { a: '12345678901234567890', b: 1, c: 3 }],
    [String.raw`{'a': '\x41\u00e9\U0001f600\n\t\\\'\101'}`, { a: "Aé😀\n\t\\'A" }],
    [String.raw`{'a': '\ud800'}`, { a: '\ufffd' }],
  ])('reads %s', (line, row) => expect(read(line)).toEqual(row));

  it.each([
    '{}',
    "{'a'}",
    "{'a': 1} ",
    " {'a': 1}",
    "{'a': 1",
    "{'a' 1}",
    "{'a': 1 'b': 2}",
    "{'a': b}",
    "{'a': f(1)}",
    "{'a': 1 + 2}",
    "{'a': __import__('os')}",
    "{'a': 'x}",
    String.raw`{'a': '\x4'}`,
    String.raw`{'a': '\q'}`,
    "{'a': nan}",
    "{'a': 01}",
    "{'a': 1_000}",
    "{'a': array([1])}",
    "{'a': <x>}",
    "{'a': 1}{'b': 2}",
    `${"{'a': ".repeat(200)}1${'}'.repeat(200)}`,
  ])('takes %s for a line of the log', (line) => expect(read(line)).toBeUndefined());

  it('reads nan and inf where they count', () => {
    const row = parsePythonDict("{'a': nan, 'b': -inf, 'c': inf}", 'metadata');
    expect(row && Object.fromEntries(row)).toEqual({ a: 'NaN', b: '-Infinity', c: 'Infinity' });
  });

  it('reads the same as JSON, written by Python', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom(true, false, null),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 })
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { minKeys: 1, noNullPrototype: true }), (object) => {
        const json = parseMetadataLine(JSON.stringify(object), { nonfinite: 'log' });
        expect([...(parsePythonDict(printDict(object), 'log') ?? [])]).toEqual([...(json ?? [])]);
      })
    );
  });
});

/** As Python's repr. */
function printDict(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printDict).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${printDict(key)}: ${printDict(item)}`);
    return `{${entries.join(', ')}}`;
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  const text = value as string;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + text.replace(/\\/g, '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}
