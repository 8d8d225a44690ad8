import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { readLog, readMetadata, storePoints } from '../../testing/stored-points.js';
import { createWatched, type Watched } from './testing/watched.js';

jest.setTimeout(600_000);

const JOB = "bars-(1) 'x'";
const NAME = 'bars (1).out';

/** What happens to the file of a job whose bar and rows share it, and to the watch. */
type Step = { readonly printed: string } | 'look' | 'commit' | 'kill';

const bar = (n: number): string => `\r${n}%|${'#'.repeat(n).padEnd(9)}| ${n}/9 [00:0${n}<00:09]`;
const printed = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 9 }).map(bar) },
  // As a program prints a row: behind the bar, which has no end yet.
  { weight: 4, arbitrary: fc.nat({ max: 9 }).map((n) => `{"step": ${n}, "loss": 0.${n}}\n`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\n', 'a line\n', '{"step": 1', ', "loss": 0.5}\n', '\r', '\x1b[K', '\x1b[A'),
  },
  { weight: 1, arbitrary: fc.constant('/LOGCOMMAND {"event": {"topic": "t"}}\n') }
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 5, arbitrary: printed.map((text) => ({ printed: text })) },
    { weight: 3, arbitrary: fc.constant('look') },
    { weight: 1, arbitrary: fc.constant('commit') },
    { weight: 2, arbitrary: fc.constant('kill') }
  ),
  { maxLength: 30 }
);

async function play(all: readonly Step[]): Promise<Watched> {
  const watched = createWatched();
  watched.append('begin\n', NAME);
  watched.jobs = [{ id: JOB, files: [{ path: watched.at(NAME), stream: 'stdout', isMerged: true }] }];
  await watched.poll();
  for (const step of all) {
    if (step === 'look') await watched.poll();
    else if (step === 'commit') watched.commit();
    else if (step === 'kill') {
      watched.kill();
      await watched.pass(0, [...watched.jobs]);
    } else watched.append(step.printed, NAME);
  }
  watched.append('\nend\n', NAME);
  await watched.poll();
  await watched.poll();
  await watched.close();
  return watched;
}

describe('a watch that is killed and started again amid bars', () => {
  it('stores each row and each line once', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [broken, whole] = [await play(all), await play(all.filter((step) => step !== 'kill'))];
        const [found, wanted] = [broken, whole].map((watched) => storePoints(watched.text));
        expect(readMetadata(found ?? [])).toEqual(readMetadata(wanted ?? []));
        expect(readLog(found ?? [])).toEqual(readLog(wanted ?? []));
        const events = (points = found): unknown[] =>
          (points ?? []).filter(({ measurement }) => measurement === 'job_event').map(({ fields }) => [...fields]);
        expect(events()).toEqual(events(wanted));
      }),
      {
        numRuns: randomCases(60),
        examples: [[[{ printed: bar(0) }, 'look', { printed: '{"step": 0, "loss": 0.5}\n' }, 'commit', 'kill']]],
      }
    );
  });
});
