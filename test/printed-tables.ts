import fc from 'fast-check';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).filter((value) => !/\p{Cs}/u.test(value)),
  // Strings that read like other values.
  fc.constantFrom('null', 'true', '12', '12345678901234567890', '[1]', '{"a": 1}', '"x"', 'NaN', '1e400', '')
);
const string = text.map((value) => JSON.stringify(value));
/** Numbers that a float holds: an integer beyond 2^53 without an exponent is stored as text. */
const number = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
  .filter((value) => value !== 0 && (Number.isSafeInteger(value) || /[.e]/.test(String(value))))
  .map(String);
/** Values that are neither a number that a double holds, nor a string, nor an object with members. */
const item = fc.oneof(string, number, fc.constantFrom('null', '{"a":[]}', '12345678901234567890'));
const other = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '{}', '9007199254740993', '-12345678901234567890', '1e400'),
  fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(',')}]`)
);
/** No string among them reads like another value. */
const mixed = fc.oneof(number, other, fc.constantFrom('"x"', '"12"', '"é\\n"', '"[1"', '"nul"', '"-"', '""'));

const LEAVES = { number, string, other, numberOrString: fc.oneof(number, string), mixed } as const;
type Leaf = keyof typeof LEAVES;

/** The keys of a table: what their values are, or an object with members. */
type Shape = ReadonlyArray<readonly [key: string, shape: Leaf | Shape]>;

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.a', '.', '', '10', '__proto__', 'time', '_x', 'x y', 'a,b=c "d"'),
  fc.string({ unit: 'grapheme', maxLength: 4 })
);
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.uniqueArray(
    fc.tuple(
      key,
      fc.oneof(
        { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...(Object.keys(LEAVES) as Leaf[])),
        tie('shape')
      )
    ),
    { selector: ([name]) => name, minLength: 1, maxLength: 5 }
  ),
}));

function print(members: Shape): fc.Arbitrary<string> {
  const parts = members.map(([name, value]) =>
    (typeof value === 'string' ? LEAVES[value] : print(value)).map((part) => `${JSON.stringify(name)}:${part}`)
  );
  return fc.tuple(...parts).map((all) => `{${all.join(',')}}`);
}

/**
 * Lines of metadata with the same keys, nested alike, without spaces, and with numbers as JavaScript prints them. No
 * key has strings among other values that read like these.
 */
export const printedTable: fc.Arbitrary<readonly string[]> = shape.chain((members) =>
  fc.array(print(members), { minLength: 1, maxLength: 6 })
);
