import type { Stream } from '@joblens/core/schema/measurements';
import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { parseJobState } from '../../pipeline/job-state.js';
import { type PipelineUnderTest, createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog, readMetadata } from '../../testing/stored-points.js';

const CASES = randomCases(150);

/** Lines of every kind that the rules tell apart, so that each follows each. */
const line = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 999 }).map((n) => `step ${n} loss 0.${n}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a',
      'a',
      'a ',
      '',
      '',
      ' ',
      'b ',
      '{"loss": 1}',
      '{"loss": NaN}',
      '{"loss": 2} ',
      "{'a': 1}",
      "{'loss': 0.5, 'epoch': 1, 'text': 'x'}",
      "  5%|x  | 1/9 [00:01]{'loss': 0.5}",
      'loss=1 lr=2e-5 ',
      'Step Temp Volume',
      '   0   1.5   2',
      'Time = 1',
      'Solving for Ux, Initial residual = 0.5, Final residual = 0.1, No Iterations 2',
      'ExecutionTime = 0.5 s  ClockTime = 0 s',
      '/usr'
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('"quoted" \\ back\\', 'größer 精度 😀', '[1, 2]', '/LOGCOMMAND', '{', 'x') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['enabled', 'metadata', 'disabled'].map((mode) => `/LOGCOMMAND {"mode": "${mode}"}`),
      '/LOGCOMMAND {"nonfinite": "metadata"}',
      '/LOGCOMMAND {"metadata": ["json", "python-dict"]}',
      '/LOGCOMMAND {"metadata": ["logfmt", {"regex": "loss (?<loss>[.0-9]+)"}]}',
      '/LOGCOMMAND {"metadata": {"preset": "auto"}}',
      '/LOGCOMMAND {"metadata": {"preset": "columns"}}',
      '/LOGCOMMAND {"mode": 1}'
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(20_000), `{"text": "${'y'.repeat(17_000)}"}`) }
);

const lines = fc
  .array(fc.tuple(line, fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.nat({ max: 300 }))), { maxLength: 60 })
  .map((runs) => runs.flatMap(([text, count]) => Array.from({ length: count }, () => text)));

/** Some in the shortest form of their colours, which goes a fast way, and some in a longer one. */
const colouredLines = fc
  .tuple(lines, fc.array(fc.constantFrom('plain', 'whole', 'whole', 'parts', 'longer'), { minLength: 1 }))
  .map(([texts, colours]) => texts.map((text, i) => colour(text, colours[i % colours.length])));

function colour(text: string, how = 'plain'): string {
  if (how === 'plain' || text === '') return text;
  if (how === 'whole') return `\x1b[32m${text}\x1b[0m`;
  if (how === 'longer') return `\x1b[32;1;1m${text}\x1b[m`;
  const [half, rest] = [text.slice(0, 3), text.slice(3)];
  return rest === '' ? `\x1b[1;34m${half}\x1b[0m` : `\x1b[1m${half}\x1b[31m${rest}\x1b[0m`;
}

interface Logged {
  readonly log: string[];
  readonly colours: unknown[];
  readonly metadata: unknown[];
}

async function log(stream: Stream, chunks: readonly string[]): Promise<Logged> {
  const test = createPipelineUnderTest();
  for (const chunk of chunks) await test.write(stream, chunk);
  test.end();
  const times = test.stored().map(({ timeNs, measurement, tags }) => `${measurement} ${[...tags].join()} ${timeNs}`);
  expect(new Set(times).size).toBe(times.length);
  return readLogged(test.stored());
}

function readLogged(points: ReturnType<PipelineUnderTest['stored']>): Logged {
  const colours = points.filter(({ fields }) => fields.has('ansi')).map(({ fields }) => [...fields]);
  return { log: readLog(points), colours, metadata: readMetadata(points) };
}

describe('lines that are final at once', () => {
  it('are logged as if they had come one by one', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom<Stream>('stdout', 'stderr'), async (texts, stream) => {
        const written = texts.map((text) => `${text}\n`);
        expect(await log(stream, [written.join('')])).toEqual(await log(stream, written));
      }),
      { numRuns: CASES }
    );
  });

  it('keep their colours', async () => {
    await fc.assert(
      fc.asyncProperty(colouredLines, fc.constantFrom<Stream>('stdout', 'stderr'), async (texts, stream) => {
        const written = texts.map((text) => `${text}\n`);
        expect(await log(stream, [written.join('')])).toEqual(await log(stream, written));
      }),
      { numRuns: CASES }
    );
  });

  it('may be drawn over when they have colours', async () => {
    const texts = fc.array(fc.constantFrom('INFO one', 'WARN (two)', 'a "b"', 'größe 😀', '50%'), {
      minLength: 250,
      maxLength: 500,
    });
    const up = fc.integer({ min: 1, max: 198 });
    const how = fc.constantFrom('whole', 'parts', 'longer');
    await fc.assert(
      fc.asyncProperty(texts, up, how, fc.boolean(), async (all, rows, kind, isResumed) => {
        const written = all.map((text, i) => `${colour(`${i} ${text}`, i % 3 === 0 ? 'plain' : kind)}\n`);
        const drawn = `\x1b[${rows}A\x1b[2Knew\n\x1b[33mother`;
        const stored = async (chunks: readonly string[]): Promise<Logged> => {
          let test = createPipelineUnderTest({ isResumable: true });
          const points = [];
          for (const chunk of chunks) await test.write('stdout', chunk);
          if (isResumed) {
            test.pipeline.suspend();
            points.push(...test.stored());
            const state = [[...test.states][0]?.takeWholeState() ?? ''];
            test = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(state) });
          }
          await test.write('stdout', drawn);
          test.end();
          return readLogged([...points, ...test.stored()]);
        };
        expect(await stored([written.join('')])).toEqual(await stored(written));
      }),
      { numRuns: randomCases(40) }
    );
  });

  it('go on with a row that was seen before', async () => {
    const begin = fc.constantFrom(
      'a',
      'a\n',
      'a\na',
      'a\n\n',
      'a\na\na',
      '\n \n',
      '{"loss": 1}',
      '/LOGCOMMAND {"mode": "metadata"}\na'
    );
    await fc.assert(
      fc.asyncProperty(
        begin,
        lines,
        // No metadata and no command is changed: whether those are seen before the change depends on what is read at
        // once.
        fc.constantFrom('', '\n', 'a', 'one\ntwo\nthree\n\x1b[3A\x1b[2Kx\n'),
        async (first, texts, last) => {
          const rest = [...texts.map((text) => `${text}\n`), last];
          const stored = async (chunks: readonly string[]): Promise<unknown> => {
            const test = createPipelineUnderTest();
            await test.write('stdout', first);
            await test.clock.advance(1000);
            for (const chunk of chunks) await test.write('stdout', chunk);
            test.end();
            return { log: readLog(test.stored()), metadata: readMetadata(test.stored()) };
          };
          expect(await stored([rest.join('')])).toEqual(await stored(rest));
        }
      ),
      { numRuns: CASES }
    );
  });

  it('say at once how often a line that left the screen was repeated', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', `${'a\n'.repeat(50)}${Array.from({ length: 300 }, (_, i) => `${i}\n`).join('')}`);
    test.pipeline.commit();
    expect(readLog(test.stored()).slice(0, 3)).toEqual(['a', '[notice] (previous line repeated 49 times)', '0']);
  });

  it('take the place of a row that was shown while it was printed and became a repeat', async () => {
    const begin = ['a\na\nab', '\r\x1b[K', 'a\n'];
    const rest = ['b\n', ...Array.from({ length: 300 }, (_, i) => `${i}\n`), 'c\x1b[0m\n'];
    const stored = async (chunks: readonly string[]): Promise<string[]> => {
      const test = createPipelineUnderTest();
      for (const chunk of begin) {
        await test.write('stdout', chunk);
        await test.clock.advance(1000);
      }
      for (const chunk of chunks) await test.write('stdout', chunk);
      test.end();
      return readLog(test.stored());
    };
    expect(await stored([rest.join('')])).toEqual(await stored(rest));
  });

  it('keep their order in time, whatever kind they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2000 }), { minLength: 500, maxLength: 1500 }), async (numbers) => {
        const test = createPipelineUnderTest();
        const texts = numbers.map((n, i) => (n % 3 === 0 ? `{"i": ${i}}` : n % 3 === 1 ? `line ${i} ` : `line ${i}`));
        await test.write('stdout', texts.map((text) => `${text}\n`).join(''));
        test.end();
        expect(readLog(test.stored())).toEqual(texts.map((text) => text.trimEnd()));
      }),
      { numRuns: randomCases(20) }
    );
  });
});
