import type { Point } from '@joblens/core/point/point';
import { BUILT_IN_SIGNALS } from '@joblens/core/signals/built-in-patterns';
import { SignalDetector } from '@joblens/core/signals/signal-detector';
import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';

/** Lines with and without signals. Each may come plain, in colours, or behind a bar. */
const line = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 999 }).map((n) => `step ${n} loss 0.${n}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['Killed', 'loss: nan', 'größer: loss=nan', '{"loss": NaN}', 'srun: error: n1: task 0: Out Of Memory'],
      ...['Traceback (most recent call last):', '  File "/a/b.py", line 3, in f', 'ValueError: bad 精度'],
      ...['RuntimeError: CUDA error: x', 'x: No such file or directory', 'nan', 'kill', '', 'a '],
      `${'x'.repeat(17_000)}Segmentation fault`
    ),
  }
);

const dress = fc.constantFrom<(text: string) => string>(
  (text) => `${text}\n`,
  (text) => `${text}\n`,
  (text) => `\x1b[31m${text}\x1b[0m\n`,
  (text) => `${text.slice(0, 3)}\x1b[1m${text.slice(3)}\x1b[0m\n`,
  (text) => `10%|█ |\r${text}\x1b[K\n`,
  (text) => `\t${text}\r\n`
);

const output = fc
  .array(fc.tuple(line, dress, fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.nat({ max: 200 }))), {
    maxLength: 40,
  })
  .map((runs) => runs.flatMap(([text, put, count]) => Array.from({ length: count }, () => put(text))).join(''));

const readSignals = (points: readonly Point[]): Array<readonly [timeNs: bigint, data: unknown]> =>
  points
    .filter(({ tags }) => tags.get('topic') === 'signal')
    .map(({ timeNs, fields }) => [timeNs, JSON.parse(String(fields.get('data')))] as const);

async function log(bytes: Uint8Array, cuts: readonly number[]): Promise<Point[]> {
  const test = createPipelineUnderTest();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (let i = 1; i < places.length; i += 1) await test.write('stdout', bytes.subarray(places[i - 1], places[i]));
  test.end();
  return test.stored();
}

describe('the search for signals over the bytes', () => {
  it('finds what is found line by line, wherever the output is cut', async () => {
    const cuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(output, cuts, async (text, places) => {
        const bytes = Buffer.from(text);
        const [whole, cut] = [await log(bytes, []), await log(bytes, places)];
        const [found, foundInCut] = [readSignals(whole), readSignals(cut)];
        expect(foundInCut.map(([, data]) => data)).toEqual(found.map(([, data]) => data));
        // Without repeats, which are no lines of the log, the lines alone tell the same.
        const lines = whole.filter(({ measurement }) => measurement === 'job_log');
        const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
        const names = new Set(lines.flatMap(({ fields }) => detector.take(String(fields.get('line')))?.name ?? []));
        expect(new Set(found.map(([, data]) => (data as { name: string }).name))).toEqual(names);
        const times = new Set(lines.map(({ timeNs }) => timeNs));
        for (const [timeNs] of found) expect(times.has(timeNs)).toBe(true);
      }),
      { numRuns: randomCases(100) }
    );
  });
});
