import type { Point } from '@joblens/core/point/point';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { expandLog, readLog, readMetadata } from '../testing/stored-points.js';
import type { LogConfig } from './options/log-config.js';

/** Lines that mean something, each of which may be printed anywhere. */
const meaningful = fc.oneof(
  fc.nat(9).map((n) => `{"n": ${n}}`),
  fc.nat(9).map((n) => `/LOGCOMMAND {"event": {"topic": "t", "data": ${n}}}`),
  fc.constantFrom('Killed', 'loss: nan', 'Traceback (most recent call last):', '  File "a (1).py", line 3, in f'),
  fc.constantFrom('ValueError: bad "x"', '/LOGCOMMAND {no', '{"n": NaN}', 'größe {"n": 1}')
);

const piece = fc.oneof(
  { weight: 4, arbitrary: meaningful },
  { weight: 3, arbitrary: meaningful.map((text) => `\r\x1b[2K${text}\n`) },
  { weight: 5, arbitrary: fc.constantFrom('\n', '\n', '\r', '\r\n', '\x1b[A', '\x1b[A', '\x1b[2A', '\x1b[3A\r') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['K', '1K', '2K', '3@', '4P', '2X', 'B', '5C', '2;3H', 'J'].map((end) => `\x1b[${end}`)
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\x1b[L', '\x1b[M', '\x1b7', '\x1b8', '\x1bM', '\v', '\b', '\t', '\x1b[2;4r'),
  },
  { weight: 3, arbitrary: fc.constantFrom('\router: 10%\n\rinner: 5%\x1b[A', '\r7%|##  |', '\r\x1b[2K\x1b[1A\x1b[2K') },
  { weight: 1, arbitrary: fc.constantFrom('\x1b[32mgreen\x1b[0m\n', 'a\n', 'b', '訓練 50%|██', '   ') },
  { weight: 1, arbitrary: fc.constantFrom(1, 150, 250).map((count) => 'plain line\n'.repeat(count)) }
);

interface Stored {
  readonly metadata: readonly Record<string, unknown>[];
  readonly events: readonly unknown[];
  readonly notices: readonly string[];
  readonly log: readonly string[];
}

async function logPieces(chunks: readonly Buffer[], options: Options): Promise<Stored> {
  const test = createPipelineUnderTest({ config: options.config, opensStreams: !options.isMixed });
  const mixed = options.isMixed ? test.pipeline.openMixedStream() : undefined;
  for (const chunk of chunks) {
    await (mixed === undefined ? test.write('stdout', chunk) : mixed.write(chunk));
    if (options.pauseMs > 0) await test.clock.advance(options.pauseMs);
  }
  mixed?.end();
  test.end();
  const stored = test.stored();
  const log = readLog(stored);
  return {
    metadata: readMetadata(stored),
    events: readEvents(stored),
    notices: log.filter((line) => line.startsWith('[notice] (joblens')),
    log: expandLog(log.filter((line) => !line.startsWith('[notice] (joblens'))),
  };
}

function readEvents(points: readonly Point[]): unknown[] {
  return points
    .filter(({ measurement }) => measurement === 'job_event')
    .map(({ tags, fields }) => [tags.get('topic'), fields.get('data')]);
}

interface Options {
  readonly config: Partial<LogConfig>;
  readonly isMixed: boolean;
  readonly pauseMs: number;
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const end = at + (lengths[i % lengths.length] ?? 1);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

describe('what is printed over rows that have ended', () => {
  it('means the same however the output is cut', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
    const config = fc.constantFrom<Partial<LogConfig>>({}, {}, { mode: 'metadata' });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), lengths, config, fc.boolean(), async (...all) => {
        const [pieces, sizes, chosen, isMixed] = all;
        const bytes = Buffer.from(pieces.join(''));
        const options = { config: chosen, isMixed, pauseMs: 0 };
        const whole = await logPieces([bytes], options);
        for (const pauseMs of [0, 20, 300])
          expect(await logPieces(cut(bytes, sizes), { ...options, pauseMs })).toEqual(whole);
      }),
      { numRuns: randomCases(150) }
    );
  });

  it.each([
    [
      'a row that gave its place to the next one',
      ['\na "x"', '\r\x1b[K\n', 'b (1)', '\x1b[A\r- c\n\n'],
      ['', '- c', 'b (1)'],
    ],
    ['several of them', ['\na', '\r\x1b[K\nb', '\r\x1b[K\nc', '\x1b[2A\r{"n": 1}\n2\n'], ['', '{"n": 1}', '2', 'c']],
  ])('loses no line: %s', async (_what, chunks, log) => {
    for (const isMixed of [true, false]) {
      const bytes = chunks.map((chunk) => Buffer.from(chunk));
      for (const pauseMs of [0, 20, 300]) {
        const stored = await logPieces(bytes, { config: {}, isMixed, pauseMs });
        expect(stored.log).toEqual(log);
      }
    }
  });
});

describe('a command whose word is cut by what shows nothing', () => {
  const COMMAND = '/LOGCOMMAND {"mode": "disabled"}';
  const CUTS = ['\x1b[1m', '\x1b[31;4m', '\x07', '\x00', '\x1b[C\x1b[D', 'x\b', '\x1b[0K', '\x1b]0;a "title" (1)\x07'];

  it.each(CUTS)('forbids what is printed behind it in the same piece: %j', async (cut) => {
    for (let at = 1; at <= '/LOGCOMMAND'.length; at += 1) {
      const line = `${COMMAND.slice(0, at)}${cut}${COMMAND.slice(at)}\x1b[0m\n`;
      for (const count of [1, 300]) {
        for (const before of ['', 'bar\n\x1b[A\r\x1b[K', '\x1b[32mgreen\x1b[0m\n'.repeat(count)]) {
          const printed = `${before}${line}${'SECRET \x1b[32m"a"\x1b[0m\n{"n": 1}\n'.repeat(count)}`;
          const after = `/LOGCOMMAND {"mode": "enabled"}\nshown again\n{"n": 2}\n`;
          for (const isMixed of [true, false]) {
            const options = { config: {}, isMixed, pauseMs: 0 };
            const { log, metadata } = await logPieces([Buffer.from(printed), Buffer.from(after)], options);
            expect(log.join('\n')).not.toContain('SECRET');
            expect(metadata).toEqual([{ n: 2 }]);
            expect(log).toEqual(expect.arrayContaining([`[command] ${COMMAND}`, 'shown again', '{"n": 2}']));
          }
        }
      }
    }
  });

  it('is obeyed, and so is one behind it for what comes later', async () => {
    const printed = `/LOG\x1b[1mCOMMAND\x1b[0m {"mode": "disabled"}\nSECRET\n/LOG\x1b[1mCOMMAND\x1b[0m {"mode": "enabled"}\n`;
    const chunks = [printed, 'shown again\n'].map((chunk) => Buffer.from(chunk));
    const { log } = await logPieces(chunks, { config: {}, isMixed: false, pauseMs: 300 });
    expect(log.join('\n')).not.toContain('SECRET');
    expect(log).toContain('shown again');
  });
});
