import { MAX_JSON_DEPTH, findTooDeep, isBoundedValue, parseJson, parseJsonObject } from './bounded-json.js';

const nest = (depth: number, open = '[', close = ']', inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth);

describe('parseJson', () => {
  it.each([
    ['an object', '{"a": [1, {"b": null}], "__proto__": {"c": 1}}'],
    ['brackets in texts', JSON.stringify({ 'a"[': nest(5000, '[', ''), b: '\\' })],
    ['half a surrogate pair', '{"\\ud800": "\\udfff"}'],
    ['many values side by side', JSON.stringify(Array.from({ length: 5000 }, (_, i) => [i]))],
    ['the deepest that is read', nest(MAX_JSON_DEPTH)],
  ])('reads %s as JSON.parse does', (_what, text) => {
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    expect(findTooDeep(text)).toBeUndefined();
  });

  it.each([
    ['one level more', nest(MAX_JSON_DEPTH + 1)],
    ['6,000 lists', nest(6000)],
    ['100,000 lists', nest(100_000)],
    ['100,000 objects', nest(100_000, '{"a":', '}', '1')],
    ['100,000 of both', nest(100_000, '[{"a":', '}]', '1')],
    ['lists that do not end', nest(100_000, '[', '')],
    ['lists behind a text', `{"a": "${'x'.repeat(1000)}\\"", "b": ${nest(6000)}}`],
  ])('refuses %s', (_what, text) => {
    expect(parseJson(text)).toEqual({ ok: false, error: 'too deep' });
    expect(text.slice(0, findTooDeep(text)).replace(/[^[{]/g, '')).toHaveLength(MAX_JSON_DEPTH);
  });

  it.each(['', '{', '[1,]', 'nul', '"\\"', nest(50, '[', '')])('says that %j is no JSON', (text) => {
    expect(parseJson(text)).toEqual({ ok: false, error: 'invalid' });
  });
});

describe('parseJsonObject', () => {
  it('gives the members of an object, and of nothing else', () => {
    expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
    for (const text of ['[1]', 'null', '"a"', '{', `{"a":${nest(6000)}}`])
      expect(parseJsonObject(text)).toBeUndefined();
  });
});

describe('isBoundedValue', () => {
  it.each<[string, unknown]>([
    ['a text', 'a'],
    ['null', null],
    ['a deep value', JSON.parse(nest(MAX_JSON_DEPTH))],
    ['the same value twice', Array(2).fill({ a: 1 })],
  ])('takes %s', (_what, value) => expect(isBoundedValue(value)).toBe(true));

  it('refuses what is too deep, too large, or part of itself', () => {
    const ring: unknown[] = [];
    ring.push(ring, ring);
    const shared = Array.from({ length: 8 }).reduce<unknown>((inner) => Array.from({ length: 10 }, () => inner), 1);
    for (const value of [JSON.parse(nest(MAX_JSON_DEPTH + 1)), ring, shared, Array(300_000).fill(1)]) {
      expect(isBoundedValue(value)).toBe(false);
    }
  });
});
