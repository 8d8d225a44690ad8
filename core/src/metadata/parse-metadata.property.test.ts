import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { parseMetadataLine } from './parse-metadata.js';

/** JSON as printed, with the result that the reader should find, known without reading the text. */
type Printed =
  | { readonly kind: 'object'; readonly entries: ReadonlyArray<readonly [string, Printed]> }
  | { readonly kind: 'array'; readonly items: readonly Printed[] }
  | { readonly kind: 'number'; readonly text: string; readonly stored: number | string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'word'; readonly text: 'true' | 'false' | 'null' };

const number: fc.Arbitrary<Printed> = fc
  .oneof(
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ text: Object.is(value, -0) ? '-0' : String(value), stored: value })),
    fc.integer({ min: 1 }).map((value) => ({ text: `${value}.0`, stored: value })),
    fc
      .bigInt({ min: 2n ** 53n + 1n, max: 2n ** 80n })
      .map((value) => ({ text: `-${String(value)}`, stored: `-${String(value)}` })),
    fc.constantFrom(
      ...['', '-'].map((sign) => ({ text: `${sign}9007199254740992`, stored: Number(`${sign}1`) * 2 ** 53 }))
    ),
    fc.constantFrom({ text: '1e999', stored: '1e999' }, { text: '1E3', stored: 1000 }, { text: '-0', stored: -0 })
  )
  .filter(({ text, stored }) => typeof stored === 'string' || /[.e]/.test(text) || Math.abs(stored) <= 2 ** 53)
  .map(({ text, stored }) => ({ kind: 'number', text, stored }));

function values(key: fc.Arbitrary<string>): fc.Arbitrary<Printed> {
  return fc.letrec<{ value: Printed; object: Printed }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      number,
      fc.string({ unit: 'binary' }).map((text): Printed => ({ kind: 'string', text })),
      fc.constantFrom<Printed>(
        { kind: 'word', text: 'true' },
        { kind: 'word', text: 'false' },
        { kind: 'word', text: 'null' }
      ),
      fc.array(tie('value'), { maxLength: 3 }).map((items): Printed => ({ kind: 'array', items })),
      tie('object')
    ),
    object: fc
      .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, minLength: 0, maxLength: 5 })
      .map((entries): Printed => ({ kind: 'object', entries })),
  })).object;
}

function print(value: Printed, space = ''): string {
  switch (value.kind) {
    case 'object':
      return `{${value.entries.map(([key, item]) => `${space}${JSON.stringify(key)}${space}:${space}${print(item, space)}${space}`).join(',')}}`;
    case 'array':
      return `[${value.items.map((item) => `${space}${print(item, space)}${space}`).join(',')}]`;
    case 'string':
      return JSON.stringify(value.text);
    default:
      return value.text;
  }
}

/** Flattening for keys without dots, where no name can come twice. */
function flatten(value: Printed, name: string): Array<[string, number | string]> {
  switch (value.kind) {
    case 'object':
      return value.entries.length === 0
        ? [[name, '{}']]
        : value.entries.flatMap(([key, item]) => flatten(item, `${name}.${key}`));
    case 'number':
      return [[name, value.stored]];
    case 'string':
      return [[name, value.text]];
    default:
      return [[name, printCompact(value)]];
  }
}

function printCompact(value: Printed): string {
  if (value.kind === 'number') {
    return typeof value.stored === 'string' ? value.text : Object.is(value.stored, -0) ? '-0' : String(value.stored);
  }
  if (value.kind === 'array') {
    return `[${value.items.map(printCompact).join(',')}]`;
  }
  if (value.kind === 'object') {
    return `{${value.entries.map(([key, item]) => `${JSON.stringify(key)}:${printCompact(item)}`).join(',')}}`;
  }
  return print(value);
}

const anyKey = fc.oneof(
  fc.constantFrom('0', '7', '10', '-1', '01', '__proto__', 'constructor', 'time', ''),
  fc.string({ unit: 'binary', maxLength: 4 })
);
const space = fc.constantFrom('', ' ', '\t', '  ');

describe('parseMetadataLine on any JSON object', () => {
  it('gives the row that its keys and values say, in the order printed', () => {
    const objects = values(anyKey.filter((key) => !key.includes('.')));
    fc.assert(
      fc.property(objects, space, (object, gap) => {
        const row = parseMetadataLine(print(object, gap), { nonfinite: 'log' });
        const entries = object.kind === 'object' ? object.entries : [];
        const expected = entries.flatMap(([key, item]) => flatten(item, key));
        expect([...(row ?? [])]).toEqual(expected);
      }),
      { numRuns: randomCases(2000) }
    );
  });

  it('loses no value where names collide', () => {
    const colliding = values(fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.b.a', 'a.a'));
    fc.assert(
      fc.property(colliding, (object) => {
        const row = parseMetadataLine(print(object), { nonfinite: 'log' }) ?? new Map<string, number | string>();
        expect(countLeavesOfRow(row, object)).toBe(object.kind === 'object' ? countLeaves(object.entries) : 0);
      }),
      { numRuns: randomCases(3000) }
    );
  });
});

function countLeaves(entries: ReadonlyArray<readonly [string, Printed]>): number {
  return entries.reduce(
    (sum, [, item]) => sum + (item.kind === 'object' && item.entries.length > 0 ? countLeaves(item.entries) : 1),
    0
  );
}

/** Follows each name of the row back to the one place in the object that it can mean, and counts the leaves there. */
function countLeavesOfRow(row: ReadonlyMap<string, number | string>, object: Printed): number {
  let leaves = 0;
  for (const [name, value] of row) {
    const places = findPlaces(object, name).filter(
      (place) => place.kind !== 'object' || place.entries.length === 0 || printCompact(place) === value
    );
    const stored = places.map((place) => flattenWhole(place));
    expect(stored).toContainEqual(value);
    const place = places[stored.findIndex((item) => Object.is(item, value))];
    leaves += place?.kind === 'object' && place.entries.length > 0 ? countLeaves(place.entries) : 1;
  }
  return leaves;
}

function flattenWhole(place: Printed): number | string {
  return place.kind === 'number' ? place.stored : place.kind === 'string' ? place.text : printCompact(place);
}

function findPlaces(value: Printed, name: string): Printed[] {
  if (value.kind !== 'object') {
    return [];
  }
  return value.entries.flatMap(([key, item]) => {
    const here = key === name ? [item] : [];
    return name.startsWith(`${key}.`) ? [...here, ...findPlaces(item, name.slice(key.length + 1))] : here;
  });
}
