import type { Stream } from '@joblens/core/schema/measurements';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { describeBuckets, findBuckets } from '../testing/bucket-law.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../testing/pipeline-under-test.js';
import { expandLog, readLog, readMetadata, storePoints } from '../testing/stored-points.js';
import { parseJobState } from './job-state.js';

/** No row before them can change any more. */
const MANY_LINES = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('');

/** An event in the life of a job and its ingester. A `crash` loses everything that is not queued. */
type Step = { readonly stdout: string } | { readonly stderr: string } | { readonly pauseMs: number } | 'crash' | 'roll';

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a\n', 'a\n', 'b\n', '\n', 'step 1\nstep 2\n', 'größe 😀\n') },
  { weight: 3, arbitrary: fc.constantFrom('a', '\r50%', '\r\x1b[2K', '\x1b[A', '\x1b[31mred', '\x1b[0m\n', '\xe2') },
  { weight: 2, arbitrary: fc.nat({ max: 9 }).map((n) => `{"loss": ${n}.5, "step": ${n}}\n`) },
  // One table, nested in two ways: the first row tells how it is read back.
  { weight: 1, arbitrary: fc.constantFrom('{"opt": {"lr": null}}\n', '{"opt.lr": 0.5}\n') },
  // Long tables, which have buckets.
  {
    weight: 1,
    arbitrary: fc
      .nat({ max: 1500 })
      .map((n) => Array.from({ length: n }, (_, i) => `{"i": ${(i * 7) % 100}}\n`).join('')),
  },
  // On a line of its own: of a row that was shown and then became a command it depends on the time what stays.
  {
    weight: 1,
    arbitrary: fc.constantFrom('\n/LOGCOMMAND {"mode": "metadata"}\n', '\n/LOGCOMMAND {"mode": "enabled"}\n'),
  },
  { weight: 1, arbitrary: fc.nat({ max: 500 }).map((n) => Array.from({ length: n }, (_, i) => `line ${i}\n`).join('')) }
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 6, arbitrary: text.map((stdout) => ({ stdout })) },
    { weight: 2, arbitrary: text.map((stderr) => ({ stderr })) },
    { weight: 3, arbitrary: fc.constantFrom(10, 60, 300).map((pauseMs) => ({ pauseMs })) },
    { weight: 3, arbitrary: fc.constant('crash') },
    { weight: 1, arbitrary: fc.constant('roll') }
  ),
  { maxLength: 40 }
);

/**
 * Plays the steps. After each crash another pipeline continues from what was queued, and the sources are read again
 * from there.
 */
class Play {
  readonly #unknownSteps: number;
  /** The job's output, in order. */
  readonly #printed: { readonly stream: Stream; readonly bytes: Buffer }[] = [];
  #stepsSinceStart = 0;
  #test: PipelineUnderTest;
  #queued = '';
  /** The values of the job's state since the last whole one. */
  #values: string[] = [];
  #seenRecords = 0;
  #stored: ReturnType<typeof storePoints> | undefined;

  /** `unknownSteps`: for so many steps after each start, it is not known whether the store rewrites points. */
  constructor(unknownSteps = 0) {
    this.#unknownSteps = unknownSteps;
    this.#test = createPipelineUnderTest({ isResumable: true, rewrites: this.#rewrites });
  }

  readonly #rewrites = (): true | undefined => (this.#stepsSinceStart < this.#unknownSteps ? undefined : true);

  async do(step: Step): Promise<void> {
    this.#stepsSinceStart += 1;
    if (step === 'crash') await this.#crash();
    else if (step === 'roll') this.#roll();
    else if ('pauseMs' in step) await this.#test.clock.advance(step.pauseMs);
    else if ('stdout' in step) await this.#write('stdout', step.stdout);
    else await this.#write('stderr', step.stderr);
  }

  end(): PipelineUnderTest {
    this.#test.end();
    this.#collect();
    return this.#test;
  }

  /** After the end. */
  get stored(): ReturnType<typeof storePoints> {
    this.#stored ??= storePoints(this.#queued);
    return this.#stored;
  }

  async #write(stream: Stream, written: string): Promise<void> {
    const bytes = Buffer.from(written);
    this.#printed.push({ stream, bytes });
    await this.#test.write(stream, bytes);
  }

  /** As a queue that begins a new file. */
  #roll(): void {
    for (const source of this.#test.states) source.commit();
    this.#collect();
    this.#values = [...this.#test.states].map((source) => source.takeWholeState());
  }

  #collect(): void {
    for (const { bytes, states } of this.#test.records.slice(this.#seenRecords)) {
      this.#queued += bytes.toString();
      this.#values.push(...states.map(({ value }) => value));
    }
    this.#seenRecords = this.#test.records.length;
  }

  async #crash(): Promise<void> {
    this.#collect();
    const { clock } = this.#test;
    this.#stepsSinceStart = 0;
    const state = parseJobState(this.#values);
    this.#test = createPipelineUnderTest({ isResumable: true, clock, state, rewrites: this.#rewrites });
    this.#seenRecords = 0;
    const read = { ...this.#test.offsets };
    for (const { stream, bytes } of this.#printed) {
      const skipped = Math.min(read[stream], bytes.length);
      read[stream] -= skipped;
      if (skipped < bytes.length) await this.#test.write(stream, bytes.subarray(skipped));
    }
  }
}

async function play(all: readonly Step[], unknownSteps = 0): Promise<Play> {
  const result = new Play(unknownSteps);
  for (const step of all) await result.do(step);
  result.end();
  return result;
}

describe('a job whose ingester is killed and started again', () => {
  it('is stored as if nothing had been', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 8 }), async (all, unknownSteps) => {
        const [broken, whole] = [await play(all, unknownSteps), await play(all.filter((step) => step !== 'crash'))];
        for (const stream of ['stdout', 'stderr']) {
          const of = (result: Play): string[] =>
            expandLog(readLog(result.stored.filter(({ tags }) => tags.get('stream') === stream)));
          expect(of(broken)).toEqual(of(whole));
        }
        expect(readMetadata(broken.stored)).toEqual(readMetadata(whole.stored));
        const summaries = (result: Play): unknown[] =>
          result.stored.filter(({ measurement }) => measurement === 'job_series').map(({ fields }) => fields);
        expect(summaries(broken)).toEqual(summaries(whole));
        for (const result of [broken, whole])
          expect(describeBuckets(result.stored)).toEqual(findBuckets(result.stored));
      }),
      { numRuns: randomCases(300) }
    );
  });

  it.each([
    ['counts repeats', 'a\na\na\n', `a\na\n${MANY_LINES}`],
    ['ends a line that was shown', 'loading: 1%', `\rloading: 100%\n${MANY_LINES}`],
  ])('%s while it is not known whether the store rewrites', async (_what, first, later) => {
    const result = new Play(3);
    const pause = { pauseMs: 300 };
    for (const step of [{ stdout: first }, pause, pause, pause, 'crash', { stdout: later }, pause, 'crash'] as const)
      await result.do(step);
    result.end();
    const whole = await play([{ stdout: first }, pause, { stdout: later }, pause]);
    expect(expandLog(readLog(result.stored))).toEqual(expandLog(readLog(whole.stored)));
  });

  it('writes again where the keys of its tables come from', async () => {
    const result = new Play();
    const [first, later] = ['{"opt": {"lr": null}}\n', '{"opt.lr": 0.5}\n'];
    for (const step of [{ stdout: first }, { pauseMs: 300 }, 'crash', { stdout: later }] as const)
      await result.do(step);
    // Without the points from before.
    const [summary] = result
      .end()
      .stored()
      .filter(({ measurement }) => measurement === 'job_series');
    expect(summary?.fields.get('rows')).toBe(2);
    expect(summary?.fields.get('paths')).toBe('[["opt.lr",["opt","lr"]]]');
  });
});
