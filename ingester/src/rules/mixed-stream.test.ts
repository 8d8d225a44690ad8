import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { LogConfig } from './options/log-config.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog, readMetadata } from '../testing/stored-points.js';

interface Stored {
  readonly log: readonly string[];
  readonly metadata: readonly Record<string, unknown>[];
  readonly text: string;
}

/** Logs one stream that carries stdout and stderr, and returns what is stored. */
async function logMixed(chunks: readonly (string | Uint8Array)[], config: Partial<LogConfig> = {}): Promise<Stored> {
  const job = createPipelineUnderTest({ config });
  const stream = job.pipeline.openMixedStream();
  for (const chunk of chunks) await stream.write(Buffer.from(chunk));
  stream.end();
  job.end();
  const stored = job.stored();
  return { log: readLog(stored), metadata: readMetadata(stored), text: job.text() };
}

const LOSS = '{"loss": 1}';
const BAR = '\r 10%|█    | 1/9 [00:00<00:01]';

interface Case {
  readonly what: string;
  readonly config?: Partial<LogConfig>;
  readonly output: string;
  readonly log: readonly string[];
  readonly metadata: readonly Record<string, unknown>[];
}

const CASES: readonly Case[] = [
  {
    what: 'a JSON object behind an unfinished bar is metadata',
    output: `${BAR}${LOSS}\n${BAR}\n`,
    log: [`${BAR.slice(1)}${LOSS}`, BAR.slice(1)],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'so is one that is printed over a bar and leaves its rest behind it',
    output: `${BAR}\r${LOSS}\n`,
    log: [`${LOSS}${BAR.slice(1 + LOSS.length)}`],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'a command over a longer bar is obeyed, and a row, too',
    output: `${BAR} of what there is (1)\n\x1b[A\r/LOGCOMMAND {"mode": "metadata"}\n\r${BAR}\r{"loss": 1}\nsecret\n`,
    log: [`${BAR.slice(1)} of what there is (1)`],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'so is one where the bar was cleared by spaces',
    output: `${BAR}\r${' '.repeat(40)}\r${LOSS}\n${BAR}`,
    log: [LOSS, BAR.slice(1)],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'so is one that is printed where nested bars leave the cursor, also over the bar above',
    output: `\router: 0%|          | 0/9\n\rinner: 0%\x1b[A${LOSS}\n`,
    log: [`outer: 0%${LOSS}| 0/9`, 'inner: 0%'],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'so is one where line feeds lead onto an older bar',
    output: `\router: 0%\n\rinner: 10% of what there is\x1b[A\n${LOSS}\n`,
    log: ['outer: 0%', `${LOSS}of what there is`],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'so is one behind a bar that went back by backspaces',
    output: `1/9\b\b\b2/9${LOSS}\n`,
    log: [`2/9${LOSS}`],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'a bar may have braces of its own',
    output: `\r10%|{'k': {"a": 1}}|${LOSS}\n`,
    log: [`10%|{'k': {"a": 1}}|${LOSS}`],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'an object in an object is no row',
    output: `${BAR}{"a": {"b": 1}}\n`,
    log: [`${BAR.slice(1)}{"a": {"b": 1}}`],
    metadata: [{ 'a.b': 1 }],
  },
  {
    what: 'a JSON object behind other text is none where no bar stood',
    output: `result: ${LOSS}\nall:\t${LOSS}\r\nfirst\n\tand ${LOSS}\n`,
    log: [`result: ${LOSS}`, `all:    ${LOSS}`, 'first', `        and ${LOSS}`],
    metadata: [],
  },
  {
    what: 'nor is one with something behind it, or with a space',
    output: `${BAR}${LOSS} and more\n${BAR}${LOSS} \n`,
    log: [`${BAR.slice(1)}${LOSS} and more`, `${BAR.slice(1)}${LOSS}`],
    metadata: [],
  },
  {
    what: 'mode metadata stores the object and not the bar',
    config: { mode: 'metadata' },
    output: `${BAR}${LOSS}\nsecret\n${BAR}\n`,
    log: [],
    metadata: [{ loss: 1 }],
  },
  {
    what: 'a command behind a bar is obeyed, and what stood there before it is not stored',
    config: { mode: 'disabled' },
    output: `\rsecret/LOGCOMMAND {"mode": "enabled"}\nb\n${BAR}/LOGCOMMAND {"mode": "disabled"}\n\rsecret${LOSS}\n`,
    log: ['[command] /LOGCOMMAND {"mode": "enabled"}', 'b', '[command] /LOGCOMMAND {"mode": "disabled"}'],
    metadata: [],
  },
  {
    what: 'a command behind a bar that cannot be obeyed says so',
    output: `\r5%/LOGCOMMAND {"mode": "all"}\n\r6%/LOGCOMMAND {no\n`,
    log: [
      '[command] /LOGCOMMAND {"mode": "all"}',
      '[notice] (joblens: the command above was not obeyed: option mode has a value at character 22 that is not allowed; allowed are enabled, metadata, disabled)',
      '6%/LOGCOMMAND {no',
      '[notice] (joblens: the line above is not a command: after the word and one space there must be a JSON object and nothing else)',
    ],
    metadata: [],
  },
];

describe('a stream that carries stdout and stderr', () => {
  it.each(CASES)('$what', async ({ config, output, log, metadata }) => {
    for (const chunks of [[output], output.split(/(?<=.)/su)]) {
      const stored = await logMixed(chunks, config);
      expect({ log: stored.log, metadata: stored.metadata }).toEqual({ log, metadata });
      expect(stored.text).not.toContain('secret');
    }
  });

  it('takes the same rows for metadata however the output is cut', async () => {
    const json = fc.nat(99).map((n) => ({ text: `{"n": ${n}}\n`, row: n }));
    const other = fc
      .oneof(
        fc.constantFrom(BAR, '\r5%', '\r', '\n', '\r\n', '\b', '\x1b[K', `\r${' '.repeat(40)}\r`, 'a line\n'),
        fc.constantFrom('\n\rinner 5%\x1b[A', '\x1b[32m\rgreen 5%\x1b[0m', '\r訓練 50%|██', '\rdone {all}', '\r{'),
        fc.constantFrom(1, 150, 400).map((count) => 'plain line\n'.repeat(count))
      )
      .map((text) => ({ text, row: undefined }));
    const pieces = fc.array(fc.oneof({ weight: 1, arbitrary: json }, { weight: 2, arbitrary: other }), {
      maxLength: 30,
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(pieces, cuts, async (program, lengths) => {
        const bytes = Buffer.from(program.map(({ text }) => text).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const end = at + (lengths[i % lengths.length] ?? 1);
          chunks.push(bytes.subarray(at, end));
          at = end;
        }
        const expected = program.flatMap(({ row }) => (row === undefined ? [] : [{ n: row }]));
        for (const all of [[bytes], chunks]) {
          expect((await logMixed(all)).metadata).toEqual(expected);
          expect(await logMixed(all, { mode: 'metadata' })).toMatchObject({ log: [], metadata: expected });
        }
      }),
      { numRuns: randomCases(100) }
    );
  });
});

it('is no rule of a stream that carries one alone', async () => {
  const job = createPipelineUnderTest();
  await job.write('stdout', `${BAR}${LOSS}\n`);
  job.end();
  expect([readLog(job.stored()), readMetadata(job.stored())]).toEqual([[`${BAR.slice(1)}${LOSS}`], []]);
});
