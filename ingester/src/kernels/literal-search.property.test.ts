import { BUILT_IN_SIGNALS } from '@joblens/core/signals/built-in-patterns';
import { listLiterals } from '@joblens/core/signals/signal-detector';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { openLineKernel } from './line-kernel.js';
import { createLiteralTable } from './literal-table.js';
import { LoadedLines } from './loaded-lines.js';

const BUILT_IN = listLiterals(BUILT_IN_SIGNALS);
/** The most characters to search for: the beginning of a longer literal. */
const SEARCHED_CHARS = 32;

/** Few letters, so that literals overlap, and parts of them are everywhere. */
const own = fc.string({ unit: fc.constantFrom('a', 'a', 'b', '~', ' ', '0'), minLength: 4, maxLength: 40 });
const literals = fc.oneof(
  fc.constant(BUILT_IN),
  fc.array(own, { minLength: 1, maxLength: 60 }),
  fc.array(own, { maxLength: 50 }).map((more) => [...more, ...BUILT_IN])
);

/** A literal, or nearly one: cut at one end, or with one character of another case. */
const piece = (from: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...from),
    fc.tuple(fc.constantFrom(...from), fc.nat(40)).map(([text, at]) => text.slice(0, at)),
    fc.tuple(fc.constantFrom(...from), fc.nat(40)).map(([text, at]) => text.slice(at)),
    fc
      .tuple(fc.constantFrom(...from), fc.nat(40))
      .map(([text, at]) => text.slice(0, at) + text.slice(at).toUpperCase()),
    fc.string({ unit: fc.constantFrom('a', 'b', '~', ' ', '0', 'n', 'N', '\u00e9', '\u7cbe'), maxLength: 50 })
  );

const search = literals.chain((from) =>
  fc.record({ from: fc.constant(from), lines: fc.array(fc.array(piece(from), { maxLength: 4 }), { maxLength: 30 }) })
);

function holds(line: string, from: readonly string[]): boolean {
  return from.some((literal) => line.includes(literal.slice(0, SEARCHED_CHARS)));
}

/** The starts of the lines that the kernel finds. */
function findAll(lines: LoadedLines, table: Uint8Array): number[] {
  const [found, end]: [number[], number] = [[], lines.bytes.length];
  for (let at = 0; at < end;) {
    const start = lines.findLiteral({ start: at, end }, table);
    if (start === undefined) break;
    found.push(start);
    at = lines.bytes.indexOf('\n', start) + 1;
  }
  return found;
}

describe('the search of the kernel', () => {
  it('finds the lines that hold a literal, and no others', () => {
    fc.assert(
      fc.property(search, ({ from, lines: pieces }) => {
        const texts = pieces.map((line) => line.join(''));
        const lines = new LoadedLines(Buffer.from(texts.map((text) => `${text}\n`).join('')), openLineKernel());
        const starts = texts.map((_, i) => Buffer.byteLength(texts.slice(0, i).join('\n')) + (i > 0 ? 1 : 0));
        expect(findAll(lines, createLiteralTable(from))).toEqual(starts.filter((_, i) => holds(texts[i] ?? '', from)));
      }),
      { numRuns: randomCases(1000) }
    );
  });

  it('finds each literal at every place of a text', () => {
    const table = createLiteralTable(BUILT_IN);
    for (const literal of BUILT_IN) {
      for (let before = 0; before < 70; before += 1) {
        const text = `${'.'.repeat(before)}${literal}`;
        expect(openLineKernel()?.findLiterals(text, table, () => text.length)).toHaveLength(1);
        expect(openLineKernel()?.findLiterals(text.slice(0, -1), table, () => text.length)).toHaveLength(
          holds(text.slice(0, -1), BUILT_IN) ? 1 : 0
        );
      }
    }
  });

  it('takes as many texts of their own as users may have', () => {
    const many = Array.from(
      { length: 50 },
      (_, i) => `${String.fromCharCode(65 + (i % 26))}${i}~ of a long name, and more`
    );
    const table = createLiteralTable([...many, ...BUILT_IN]);
    for (const text of many) expect(openLineKernel()?.findLiterals(`a ${text}`, table, () => 100)).toHaveLength(1);
  });
});
