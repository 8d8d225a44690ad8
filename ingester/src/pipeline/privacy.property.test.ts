import type { Stream } from '@joblens/core/schema/measurements';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { LogMode } from '../rules/options/log-modes.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../testing/pipeline-under-test.js';
import { parseJobState } from './job-state.js';

/** Stands in the output only while the mode forbids output; in parts, as it may be drawn in parts. */
const SECRET = ['hunter', 'zwölf', 'QXZJK', '\u{1f511}\u{1f5dd}'] as const;
const SECRET_PARTS = ['hunt', 'unter', 'zwöl', 'wölf', 'QXZ', 'ZJK', '\u{1f511}', '\u{1f5dd}'];

const movement = fc.constantFrom(
  ...['\r', '\n', '\n\n', '\r\n', '\b\b', '\t', '\v'],
  ...['A', '2A', '3A', '9A', 'B', '2B', 'C', '5C', '3D', 'E', 'F', '2G', 'H', '2;3H', 'd'].map((end) => `\x1b[${end}`),
  ...['K', '1K', '2K', 'J', '1J', '2J', '3P', '2X', '3@', 'L', '2M', 'M', 'S', 'T', '2;4r', 'r'].map(
    (end) => `\x1b[${end}`
  ),
  ...[
    '\x1b7',
    '\x1b8',
    '\x1bD',
    '\x1bM',
    '\x1bE',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b]0;',
    '\x07',
    '\x1b[',
  ]
);

/** A program's next step on one of its streams. It prints `print` where that is allowed, and `secret` elsewhere. */
type Step =
  | { readonly stream: Stream; readonly print: string; readonly secret: string }
  | { readonly stream: Stream; readonly set: LogMode }
  | { readonly pauseMs: number }
  | 'crash';

const stream = fc.constantFrom<Stream>('stdout', 'stdout', 'stderr');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 8,
      arbitrary: fc.record({
        stream,
        print: fc.constantFrom(
          'bar 10%',
          'a',
          'line\n',
          '{"loss": 1}\n',
          '{"loss":',
          ' 2}\n',
          '{',
          '/LOG',
          'x'.repeat(300)
        ),
        secret: fc.oneof(
          fc.constantFrom(...SECRET),
          fc.constantFrom(...SECRET).map((secret) => `${secret}\n`),
          fc.constantFrom(...SECRET).map((secret) => `{"${secret}": ${secret}`),
          fc.constantFrom(...SECRET).map((secret) => `\x1b]0;${secret}`),
          fc.constantFrom(...SECRET).map((secret) => `/LOGCOMMAND {"${secret}": 1}\n`),
          fc.constantFrom(...SECRET).map((secret) => `${secret} `.repeat(900))
        ),
      }),
    },
    { weight: 6, arbitrary: fc.record({ stream, print: movement, secret: movement }) },
    { weight: 3, arbitrary: fc.record({ stream, set: fc.constantFrom<LogMode>('enabled', 'metadata', 'disabled') }) },
    { weight: 2, arbitrary: fc.constantFrom(10, 60, 300).map((pauseMs) => ({ pauseMs })) },
    { weight: 1, arbitrary: fc.constant<Step>('crash') }
  ),
  { maxLength: 50 }
);

/** A program that prints secrets while, and only while, the mode that it has asked for last forbids output. */
class Program {
  test: PipelineUnderTest = createPipelineUnderTest({ isResumable: true });
  /** All that was written to the spool, also by those that crashed. */
  written = '';
  #mode: LogMode = 'enabled';
  readonly #printed: { readonly stream: Stream; readonly bytes: Buffer }[] = [];
  #states: string[] = [];

  async do(step: Step, isWhole: boolean): Promise<void> {
    if (step === 'crash') await this.#crash();
    else if ('pauseMs' in step) await this.test.clock.advance(step.pauseMs);
    else if ('set' in step) {
      // A command is a line of its own, and the string before it must have an end.
      await this.#write(step.stream, `\x07\x1b[0m\x1b[r\x1b[999B\r\n/LOGCOMMAND {"mode": "${step.set}"}\n`, isWhole);
      this.#mode = step.set;
    } else await this.#write(step.stream, this.#mode === 'enabled' ? step.print : step.secret, isWhole);
  }

  end(): void {
    this.test.end();
    this.collect();
  }

  collect(): void {
    this.test.text();
    for (const { bytes, states } of this.test.records) {
      this.written += bytes.toString() + states.map(({ value }) => value).join('\n');
      this.#states.push(...states.map(({ value }) => value));
    }
  }

  /** `isWhole`: in one piece; else the reader gets it byte by byte. */
  async #write(name: Stream, text: string, isWhole: boolean): Promise<void> {
    const bytes = Buffer.from(text);
    this.#printed.push({ stream: name, bytes });
    if (isWhole) await this.test.write(name, bytes);
    else for (const byte of bytes) await this.test.write(name, Uint8Array.of(byte));
  }

  async #crash(): Promise<void> {
    this.collect();
    this.written += [...this.test.states].map((source) => source.takeWholeState()).join('\n');
    const { clock } = this.test;
    this.test = createPipelineUnderTest({ isResumable: true, clock, state: parseJobState(this.#states) });
    this.#states = [...this.test.states].map((source) => source.takeWholeState());
    const read = { ...this.test.offsets };
    for (const { stream: name, bytes } of this.#printed) {
      const skipped = Math.min(read[name], bytes.length);
      read[name] -= skipped;
      if (skipped < bytes.length) await this.test.write(name, bytes.subarray(skipped));
    }
  }
}

describe('what is printed while a mode forbids it', () => {
  it.each([
    ['read in one piece', true],
    ['read byte by byte', false],
  ])('is neither stored nor kept in the spool, whatever the cursor does, %s', async (_how, isWhole) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const program = new Program();
        for (const step of all) await program.do(step, isWhole);
        program.end();
        const found = SECRET_PARTS.filter((part) => program.written.includes(part));
        expect(found).toEqual([]);
      }),
      { numRuns: randomCases(300) }
    );
  });
});
