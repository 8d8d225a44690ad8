import * as fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { expectSame } from '../testing/expect-same.js';
import type { RenderedRow } from './rendered-row.js';
import { ConsoleRenderer } from './console-renderer.js';
import { mergeRendererState, type RendererState } from './renderer-state.js';
import { bars, cutBytes, programs } from './testing/programs.js';
import { writeRows } from './testing/xterm.js';

const CASES = randomCases(400);

type Call = readonly [rows: readonly RenderedRow[], firstRewritableId: number] | string;

function createSink(): {
  calls: Call[];
  update: (...call: [readonly RenderedRow[], number]) => void;
  addLines: (lines: object) => void;
} {
  const calls: Call[] = [];
  return {
    calls,
    update: (rows, first) => void calls.push([rows, first]),
    addLines: (lines) => void calls.push(JSON.stringify(lines)),
  };
}

function throughJson(state: RendererState): RendererState {
  return JSON.parse(JSON.stringify(state)) as RendererState;
}

const steps = fc.array(fc.record({ place: fc.nat(2000), takesChanges: fc.boolean(), restarts: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});
const begun = fc.constantFrom(
  '',
  '\x1b',
  '\x1b[',
  '\x1b[3',
  '\x1b[?25',
  '\x1b(',
  '\x1b]0;ti',
  '\x1bPq\n#',
  '\x1b]x\x1b',
  'é'
);

describe('the state of a renderer', () => {
  const PRINTED = [
    ['any program', fc.tuple(programs, begun, programs).map((parts) => parts.join(''))],
    ['frames', bars],
    [
      'coloured lines',
      fc.tuple(programs, fc.nat(300)).map(([text, n]) => `${text}\n${'\x1b[31mx\x1b[0m y\n'.repeat(n)}${text}`),
    ],
    ['surrogates and invalid bytes', fc.string({ unit: 'binary', maxLength: 60 })],
    [
      'lines behind bars',
      fc.array(fc.oneof(bars, fc.constantFrom('{"a": 1}\n', '\r', '\x1b[A', 'x'))).map((all) => all.join('')),
    ],
  ] as const;
  it.each(
    PRINTED.flatMap(([what, texts]) => [[what, texts, false] as const, [`${what}, mixed`, texts, true] as const])
  )(
    'lets another go on as if nothing had happened: %s',
    (_, texts, isMixed) => {
      fc.assert(
        fc.property(texts, steps, (text, list) => {
          const bytes = Buffer.from(text, list.length % 2 === 0 ? 'utf8' : 'latin1');
          const whole = new ConsoleRenderer(undefined, isMixed);
          const expected = createSink();
          let part = new ConsoleRenderer(undefined, isMixed);
          const actual = createSink();
          let state: RendererState | undefined;
          cutBytes(
            bytes,
            list.map(({ place }) => place)
          ).forEach((chunk, i) => {
            const step = list[i];
            whole.write(chunk, expected);
            part.write(chunk, actual);
            if (step?.takesChanges === true) {
              expected.update(whole.takeChangedRows(), whole.firstRewritableId);
              actual.update(part.takeChangedRows(), part.firstRewritableId);
            }
            const taken = throughJson(part.takeState(state === undefined ? 'whole' : 'change'));
            state = throughJson(state === undefined ? taken : mergeRendererState(state, taken));
            expect(part.hasChangedRows).toBe(whole.hasChangedRows);
            if (step?.restarts === true) part = new ConsoleRenderer(state, isMixed);
            expect(part.hasChangedRows).toBe(whole.hasChangedRows);
          });
          expected.update(whole.end(), whole.firstRewritableId);
          actual.update(part.end(), part.firstRewritableId);
          expectSame(actual.calls, expected.calls);
        }),
        { numRuns: CASES }
      );
    },
    36_000_000
  );

  it('is small: settled rows are their text, and only what changed comes again', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('one\n\x1b[31mtwo\x1b[0m\n'));
    expect(throughJson(renderer.takeState('whole'))).toMatchObject({
      window: { firstId: 0, length: 3, firstIncompleteId: 2, rows: { 0: 'one' } },
      screen: { y: 2, x: 0 },
    });
    writeRows(renderer, Buffer.from('three\n'));
    expect(Object.keys(renderer.takeState('change').window.rows)).toEqual(['2', '3']);
    expect(renderer.takeState('change').window.rows).toEqual({});
    expect(Object.keys(renderer.takeState('whole').window.rows)).toEqual(['0', '1', '2', '3']);
  });

  it('forgets the rows that left', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('x\n'.repeat(150)));
    const older = renderer.takeState('whole');
    writeRows(renderer, Buffer.from('y\n'.repeat(150)));
    const { window } = mergeRendererState(older, renderer.takeState('change'));
    expect(window).toMatchObject({ firstId: 101, length: 200 });
    expect(Object.keys(window.rows)).toHaveLength(199);
  });
});
