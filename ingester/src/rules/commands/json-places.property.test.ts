import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { findJsonPlaces } from './json-places.js';

/** Valid JSON with some of its characters taken out, put in or changed. */
const broken = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.array(
      fc.tuple(
        fc.nat(60),
        fc.nat(2),
        fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', ' ', 't', '1', '.', '-', 'e')
      )
    )
  )
  .map(([json, edits]) =>
    edits.slice(0, 3).reduce((text, [at, cut, char]) => text.slice(0, at) + char + text.slice(at + cut), json)
  );

const isValid = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonPlaces', () => {
  it('finds a fault where, and only where, JSON.parse does', () => {
    fc.assert(
      fc.property(broken, (text) => {
        expect(findJsonPlaces(text).fault === undefined).toBe(isValid(text));
      }),
      { numRuns: randomCases(1000) }
    );
  });

  it('finds the members of an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (object) => {
        const text = JSON.stringify(object, undefined, 1);
        const { members } = findJsonPlaces(text);
        for (const [name, value] of Object.entries(object)) {
          const place = members.get(name) ?? { key: -1, value: -1 };
          expect(text.startsWith(JSON.stringify(name), place.key)).toBe(true);
          expect(text.startsWith(JSON.stringify(value).slice(0, 1), place.value)).toBe(true);
        }
      })
    );
  });

  it.each([
    ['{"pw": hunter2}', 7],
    ['{"pw" 1}', 6],
    ['{"a": 1,}', 8],
    ['{"a": "x\u0001"}', 6],
    ['{"a": 01}', 7],
    ['{', 1],
    ['{} {}', 3],
  ])('of %j says where the fault is', (text, fault) => {
    expect(findJsonPlaces(text).fault).toBe(fault);
  });
});
