import type { LogConfig } from './options/log-config.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog, readMetadata } from '../testing/stored-points.js';

/** How often lines of the log were written. */
const countLines = (text: string): number => text.split('\n').filter((line) => line.startsWith('job_log')).length;

/** Output of a job: stdout, `{ stderr }`, or a pause in which what still changes is shown. */
type Output = string | { readonly stderr: string } | { readonly pauseMs: number };

interface Case {
  readonly rule: string;
  readonly config?: Partial<LogConfig>;
  readonly output: readonly Output[];
  readonly log: readonly string[];
  readonly metadata?: readonly Record<string, unknown>[];
}

const LONG = 'x'.repeat(70_000);
const LOSS = '{"loss": 1}\n';

const MODES: Case[] = [
  {
    rule: 'mode enabled logs all output of both streams, and metadata too',
    output: ['a\n', { stderr: 'b\n' }, LOSS],
    log: ['a', 'stderr: b', '{"loss": 1}'],
    metadata: [{ loss: 1 }],
  },
  {
    rule: 'mode metadata logs metadata alone',
    config: { mode: 'metadata' },
    output: ['a\n', { stderr: 'b\n' }, LOSS, '\n\nc'],
    log: [],
    metadata: [{ loss: 1 }],
  },
  {
    rule: 'mode disabled logs commands alone',
    config: { mode: 'disabled' },
    output: ['a\n', LOSS, '/LOGCOMMAND {"nonfinite": "log"}\n', 'b\n'],
    log: ['[command] /LOGCOMMAND {"nonfinite": "log"}'],
  },
];

const COMMANDS: Case[] = [
  {
    rule: 'a command holds for both streams from that line on',
    output: [
      'a\n',
      '/LOGCOMMAND {"mode": "disabled"}\nb\n',
      { stderr: 'c\n' },
      { stderr: '/LOGCOMMAND\t{"mode": "enabled"}\nd\n' },
      'e\n',
    ],
    log: [
      'a',
      '[command] /LOGCOMMAND {"mode": "disabled"}',
      '[command] stderr: /LOGCOMMAND     {"mode": "enabled"}',
      'stderr: d',
      'e',
    ],
  },
  {
    rule: 'a command that turns metadata mode on is not logged itself',
    output: ['/LOGCOMMAND {"mode": "metadata"}\na\n', LOSS],
    log: [],
    metadata: [{ loss: 1 }],
  },
  {
    rule: 'a command with a misspelt option leaves all as it was and says which one is meant',
    output: ['/LOGCOMMAND {"mode": "disabled", "nonfinit": 1}\na\n'],
    log: [
      '[command] /LOGCOMMAND {"mode": "disabled", "nonfinit": 1}',
      '[notice] (joblens: the command above was not obeyed: unknown option at character 34; is nonfinite meant? ' +
        'allowed are mode (enabled, metadata, disabled), nonfinite (log, metadata), metadata (a list of json, python-dict, logfmt, {regex: …}, {preset: …}), signals (a list of at most 50 signals), reproduce (off, basic, full), share (a list of at most 100 users, and groups as group:NAME), event, tags, config, span)',
      'a',
    ],
  },
  {
    rule: 'of a command, an option of another version is ignored, and the rest obeyed',
    output: ['/LOGCOMMAND {"colour": 1, "mode": "metadata", "retention": "off"}\na\n', LOSS],
    log: [
      '[notice] (joblens: of the command above, this version does not know, and ignores, the option at character 14, 47)',
    ],
    metadata: [{ loss: 1 }],
  },
  {
    rule: 'an option of another version that comes again and again is told once',
    output: ['/LOGCOMMAND {"colour": 1}\na\n/LOGCOMMAND {"colour": 2}\nb\n'],
    log: [
      '[command] /LOGCOMMAND {"colour": 1}',
      '[notice] (joblens: of the command above, this version does not know, and ignores, the option at character 14)',
      'a',
      '[command] /LOGCOMMAND {"colour": 2}',
      'b',
    ],
  },
  {
    rule: 'a key with the name of a mode is no option of another version',
    output: ['/LOGCOMMAND {"log_mode": "disabled"}\n', '/LOGCOMMAND {"enabled": false}\n'],
    log: [
      '[command] /LOGCOMMAND {"log_mode": "disabled"}',
      '[notice] (joblens: the command above was not obeyed: unknown option at character 14; is mode meant? ' +
        'allowed are mode (enabled, metadata, disabled), nonfinite (log, metadata), metadata (a list of json, python-dict, logfmt, {regex: …}, {preset: …}), signals (a list of at most 50 signals), reproduce (off, basic, full), share (a list of at most 100 users, and groups as group:NAME), event, tags, config, span)',
      '[command] /LOGCOMMAND {"enabled": false}',
      '[notice] (joblens: the command above was not obeyed: unknown option at character 14; is mode meant? ' +
        'allowed are mode (enabled, metadata, disabled), nonfinite (log, metadata), metadata (a list of json, python-dict, logfmt, {regex: …}, {preset: …}), signals (a list of at most 50 signals), reproduce (off, basic, full), share (a list of at most 100 users, and groups as group:NAME), event, tags, config, span)',
    ],
  },
  {
    rule: 'a command with a wrong value is not obeyed, and the notice comes in every mode',
    config: { mode: 'metadata' },
    output: ['/LOGCOMMAND {"mode": 1}\n'],
    log: [
      '[notice] (joblens: the command above was not obeyed: ' +
        'option mode has a value at character 22 that is not allowed; allowed are enabled, metadata, disabled)',
    ],
  },
  {
    rule: 'a notice about a bad command says what is wrong and where, and quotes nothing',
    config: { mode: 'metadata' },
    output: [
      '/LOGCOMMAND {"pw": hunter2secret}\n',
      '/LOGCOMMAND {"hunter2secret" 1}\n',
      '/LOGCOMMAND {"hunter2secret": 1}\n',
      '/LOGCOMMAND {"nonfinite": "log", "mode": "hunter2secret"}\n',
    ],
    log: [
      '[notice] (joblens: the line above is not a command: the JSON object is not valid from character 20 on)',
      '[notice] (joblens: the line above is not a command: the JSON object is not valid from character 30 on)',
      '[notice] (joblens: of the command above, this version does not know, and ignores, the option at character 14)',
      '[notice] (joblens: the command above was not obeyed: ' +
        'option mode has a value at character 42 that is not allowed; allowed are enabled, metadata, disabled)',
    ],
  },
  {
    rule: 'what follows the word must be one JSON object and nothing else',
    output: ['/LOGCOMMAND  {"mode": "disabled"}\n', '/LOGCOMMAND {"mode": "disabled"} \n', '/LOGCOMMAND []\n'],
    log: [
      '/LOGCOMMAND  {"mode": "disabled"}',
      expectMalformed(),
      '/LOGCOMMAND {"mode": "disabled"}',
      expectMalformed(),
      '/LOGCOMMAND []',
      expectMalformed(),
    ],
  },
  {
    rule: 'a line that only looks like a command is output',
    output: [' /LOGCOMMAND {"mode": "disabled"}\n', '/LOGCOMMAND\n', '/LOGCOMMANDS {}\n', '/logcommand {}\n'],
    log: [' /LOGCOMMAND {"mode": "disabled"}', '/LOGCOMMAND', '/LOGCOMMANDS {}', '/logcommand {}'],
  },
  {
    rule: 'a repeated command is obeyed and logged each time',
    output: ['/LOGCOMMAND {}\n/LOGCOMMAND {}\n'],
    log: ['[command] /LOGCOMMAND {}', '[command] /LOGCOMMAND {}'],
  },
  {
    rule: 'what was printed before a command is stored as it was then',
    output: ['50%', { pauseMs: 500 }, '\r60%', { stderr: '/LOGCOMMAND {"mode": "disabled"}\n' }, '\r99%\n'],
    log: ['60%', '[command] stderr: /LOGCOMMAND {"mode": "disabled"}'],
  },
];

function expectMalformed(): string {
  return '[notice] (joblens: the line above is not a command: after the word and one space there must be a JSON object and nothing else)';
}

const DISABLE = '/LOGCOMMAND {"mode": "disabled"}\n';
const ENABLE = '/LOGCOMMAND {"mode": "enabled"}\n';

/** Output that is printed while a mode forbids it is never stored. Here it contains "secret". */
const PRIVACY: Case[] = [
  {
    rule: 'a row above is drawn over while disabled',
    output: [`bar1\nbar2\n${DISABLE}\x1b[3A\rtoken=secret\n\n\n`, { pauseMs: 500 }],
    log: ['bar1', 'bar2', '[command] /LOGCOMMAND {"mode": "disabled"}'],
  },
  {
    rule: 'a row above is drawn over in metadata mode, and again when enabled',
    output: ['bar1\nbar2\n/LOGCOMMAND {"mode": "metadata"}\n\x1b[3A\rsecret\n', `${ENABLE}\x1b[4A\rx\n`],
    log: ['bar1', 'bar2', '[command] /LOGCOMMAND {"mode": "enabled"}', 'x'],
  },
  {
    rule: 'what a row had when the mode changed is kept',
    output: [`bar1\n\x1b[A\rbar2\n${DISABLE}\x1b[2A\rsecret\n`],
    log: ['bar2', '[command] /LOGCOMMAND {"mode": "disabled"}'],
  },
  {
    rule: 'an erasure moves rows up that were printed while disabled',
    config: { mode: 'disabled' },
    output: [`secret 1\nsecret 2\n${ENABLE}\x1b[3A\x1b[M\x1b[2Mshown\n`],
    log: ['[command] /LOGCOMMAND {"mode": "enabled"}', 'shown'],
  },
  {
    rule: 'a row is begun while disabled and ends when enabled',
    config: { mode: 'disabled' },
    output: ['sec', { stderr: ENABLE }, 'ret\nshown\n'],
    log: ['[command] stderr: /LOGCOMMAND {"mode": "enabled"}', 'ret', 'shown'],
  },
  {
    rule: 'a row is begun while enabled and ends when disabled',
    output: ['loss ', { pauseMs: 500 }, { stderr: DISABLE }, 'secret\n', { pauseMs: 500 }, 'secret\n'],
    log: ['loss', '[command] stderr: /LOGCOMMAND {"mode": "disabled"}'],
  },
  {
    rule: 'a command is begun before another stream enables logging',
    config: { mode: 'disabled' },
    output: ['/LOGCOMM', { stderr: ENABLE }, 'AND {"mode": "metadata"}\nsecret\n{"a": 1}\n'],
    log: ['[command] stderr: /LOGCOMMAND {"mode": "enabled"}'],
    metadata: [{ a: 1 }],
  },
  {
    rule: 'a metadata line is begun before another stream forbids all else',
    output: ['{"a":', { stderr: '/LOGCOMMAND {"mode": "metadata"}\n' }, ' 1}\nsecret\n'],
    log: ['{"a":'],
    metadata: [{ a: 1 }],
  },
  {
    rule: 'a metadata line is begun while disabled',
    config: { mode: 'disabled' },
    output: ['{"secret":', { stderr: '/LOGCOMMAND {"mode": "metadata"}\n' }, ' 1}\n{"b": 2}\n'],
    log: [],
    metadata: [{ b: 2 }],
  },
  {
    rule: 'a line without an end is redrawn while disabled, and then when enabled',
    config: { mode: 'disabled' },
    output: ['\rsecret 1%', { stderr: ENABLE }, '\r2%', { pauseMs: 500 }],
    log: ['[command] stderr: /LOGCOMMAND {"mode": "enabled"}', '2%'],
  },
  {
    rule: 'a control string is begun while disabled and turns out to be text',
    config: { mode: 'disabled' },
    output: ['\x1b]0;secret', { stderr: ENABLE }, ' shown\n'],
    log: ['[command] stderr: /LOGCOMMAND {"mode": "enabled"}'],
  },
  {
    rule: 'a command that says nothing anybody understands',
    config: { mode: 'disabled' },
    output: ['/LOGCOMMAND {"secret": 1}\n'],
    log: [
      '[notice] (joblens: of the command above, this version does not know, and ignores, the option at character 14)',
    ],
  },
  {
    rule: 'a command in colours, ended by a control sequence',
    output: ['bar\n\x1b[35m/\x1b[95mLOGCOMMAND\x1b[0m {"mode": "disabled"}\x1b[E \x1b[2A\rsecret\n'],
    // The space before the movement was printed on a line of its own.
    log: ['bar', '[command] /LOGCOMMAND {"mode": "disabled"}', ''],
  },
];

const METADATA: Case[] = [
  {
    rule: 'metadata is mined from stdout alone',
    output: [{ stderr: LOSS }],
    log: ['stderr: {"loss": 1}'],
  },
  {
    rule: 'metadata is one JSON object and nothing else',
    output: [' {"a": 1}\n', '{"a": 1} \n', '{"a": 1}{"a": 2}\n', '[1]\n', '1\n', "{'a': 1}\n", '{}\n'],
    log: [' {"a": 1}', '{"a": 1}', '{"a": 1}{"a": 2}', '[1]', '1', "{'a': 1}", '{}'],
  },
  {
    rule: 'metadata in a line that ends with CRLF, and in the last line without an end',
    output: ['{"a": 1}\r\n', '{"a": 2}'],
    log: ['{"a": 1}', '{"a": 2}'],
    metadata: [{ a: 1 }, { a: 2 }],
  },
  {
    rule: 'half a metadata line is none yet',
    output: ['{"a": 1', { pauseMs: 1000 }, '}\n'],
    log: ['{"a": 1}'],
    metadata: [{ a: 1 }],
  },
  {
    rule: 'nonfinite numbers make a log line by default',
    output: ['{"loss": NaN}\n'],
    log: ['{"loss": NaN}'],
  },
  {
    rule: 'nonfinite numbers are metadata where the option says so, from a command on too',
    config: { mode: 'metadata' },
    output: ['{"loss": NaN, "n": 1}\n/LOGCOMMAND {"nonfinite": "metadata"}\n{"loss": NaN, "n": 2}\n'],
    log: [],
    metadata: [{ loss: 'NaN', n: 2 }],
  },
  {
    rule: 'equal metadata rows are never dropped',
    output: [LOSS, LOSS, LOSS],
    log: ['{"loss": 1}', '{"loss": 1}', '{"loss": 1}'],
    metadata: [{ loss: 1 }, { loss: 1 }, { loss: 1 }],
  },
  {
    rule: 'reserved keys are stored under their own names',
    output: ['{"time": 5, "user": "x", "_a": 1, "fast_rcnn/cls_accuracy": 0.5}\n'],
    log: ['{"time": 5, "user": "x", "_a": 1, "fast_rcnn/cls_accuracy": 0.5}'],
    metadata: [{ time_: 5, user_: 'x', x_a: 1, 'fast_rcnn/cls_accuracy': 0.5 }],
  },
  {
    rule: 'keys that are no tag of metadata keep their names',
    output: ['{"level": 3, "stat": "min", "category": 1, "worker": 2, "stream": 4}\n'],
    log: ['{"level": 3, "stat": "min", "category": 1, "worker": 2, "stream": 4}'],
    metadata: [{ level: 3, stat: 'min', category: 1, worker: 2, stream: 4 }],
  },
];

const REPEATS: Case[] = [
  {
    rule: 'a line equal to the one before is dropped and counted',
    output: ['a\na\na\nb\na\n'],
    log: ['a', '[notice] (previous line repeated 2 times)', 'b', 'a'],
  },
  {
    rule: 'repeats are counted per stream',
    output: ['a\n', { stderr: 'a\n' }, 'a\n'],
    log: ['a', 'stderr: a', '[notice] (previous line repeated 1 time)'],
  },
  {
    rule: 'several empty lines become one, without a notice',
    output: ['a\n\n\n\nb\n\nc\n'],
    log: ['a', '', 'b', '', 'c'],
  },
  {
    rule: 'a line that was not logged is not the one before',
    output: [
      { stderr: '/LOGCOMMAND {"mode": "disabled"}\n' },
      'a\n',
      { stderr: '/LOGCOMMAND {"mode": "enabled"}\n' },
      'a\n',
    ],
    log: [
      '[command] stderr: /LOGCOMMAND {"mode": "disabled"}',
      '[command] stderr: /LOGCOMMAND {"mode": "enabled"}',
      'a',
    ],
  },
  {
    rule: 'a long line is stored in parts',
    output: [`${LONG}\nb\n`],
    log: ['x'.repeat(65_536), 'x'.repeat(70_000 - 65_536), 'b'],
  },
];

const LIVE: Case[] = [
  {
    rule: 'of a bar only the last state stays',
    output: ['\r10%', { pauseMs: 500 }, '\r20%', { pauseMs: 500 }, '\r100%\nnext\n'],
    log: ['100%', 'next'],
  },
  {
    rule: 'a bar that ends as the bar before becomes the notice in its own place',
    output: ['done\n', '\r10%', { pauseMs: 500 }, '\rdone\nnext\n'],
    log: ['done', '[notice] (previous line repeated 1 time)', 'next'],
  },
  {
    rule: 'further bars that end alike leave their places to the next rows',
    output: [
      'done\n',
      ...['1', '2', '3'].flatMap((bar) => [`\r${bar}`, { pauseMs: 500 }, `\x1b[2K\rdone\n`]),
      { pauseMs: 500 },
      'next\n',
    ],
    log: ['done', '[notice] (previous line repeated 3 times)', 'next'],
  },
  {
    rule: 'a bar that ends alike at the very end stays, and is not counted',
    output: ['done\n', ...['1', '2'].flatMap((bar) => [`\r${bar}`, { pauseMs: 500 }, `\x1b[2K\rdone\n`])],
    log: ['done', '[notice] (previous line repeated 1 time)', 'done'],
  },
  {
    rule: 'a beginning of the line before is not shown until it is another line',
    output: ['waiting\n', 'wai', { pauseMs: 500 }, 'ting\nend\n'],
    log: ['waiting', '[notice] (previous line repeated 1 time)', 'end'],
  },
  {
    rule: 'a repeat that the cursor changes later comes back as a line',
    output: ['a\na\na\n\x1b[2Ab\n\n', { pauseMs: 500 }],
    log: ['a', 'b', 'a'],
  },
  {
    rule: 'repeats of a line that the cursor changes come back',
    output: ['a\na\na\n\x1b[3Ab\n\n\n', { pauseMs: 500 }],
    log: ['b', 'a', '[notice] (previous line repeated 1 time)'],
  },
  {
    rule: 'a colour that is gone is taken away',
    output: ['\x1b[31m10%\x1b[0m', { pauseMs: 500 }, '\x1b[2K\r100%\n'],
    log: ['100%'],
  },
];

describe.each([
  ['modes', MODES],
  ['commands', COMMANDS],
  ['privacy', PRIVACY],
  ['metadata', METADATA],
  ['repeats', REPEATS],
  ['live rows', LIVE],
])('logging rules: %s', (_group, cases) => {
  it.each(cases)('$rule', async ({ config, output, log, metadata }) => {
    const test = createPipelineUnderTest({ config: config ?? {} });
    for (const piece of output) {
      if (typeof piece === 'string') await test.write('stdout', piece);
      else if ('stderr' in piece) await test.write('stderr', piece.stderr);
      else await test.clock.advance(piece.pauseMs);
    }
    test.end();
    expect(readLog(test.stored())).toEqual(log);
    expect(readMetadata(test.stored())).toEqual(metadata ?? []);
  });
});

describe('what is rewritten', () => {
  it('shows a bar while it runs, at one time, at most four times a second', async () => {
    const test = createPipelineUnderTest();
    for (let percent = 0; percent < 100; percent += 1) {
      await test.write('stdout', `\r${percent}%`);
      await test.clock.advance(50);
    }
    expect(readLog(test.stored())).toHaveLength(1);
    expect(countLines(test.text())).toBeGreaterThan(15);
    expect(countLines(test.text())).toBeLessThanOrEqual(21);
  });

  it('updates a notice while the count grows, not with each line', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', 'a\n'.repeat(100));
    expect(readLog(test.stored())).toEqual(['a', '[notice] (previous line repeated 1 time)']);
    await test.clock.advance(250);
    expect(readLog(test.stored())).toEqual(['a', '[notice] (previous line repeated 99 times)']);
    expect(countLines(test.text())).toBe(3);
  });

  it("rewrites a table's summary when it grows, each second, and at the end", async () => {
    const test = createPipelineUnderTest();
    const summaries = (): unknown[] =>
      test.stored().flatMap(({ measurement, fields }) => (measurement === 'job_series' ? [fields.get('rows')] : []));
    const written = (): number =>
      test
        .text()
        .split('\n')
        .filter((line) => line.startsWith('job_series')).length;
    for (let row = 1; row <= 1000; row += 1) await test.write('stdout', `{"step": ${row}}\n`);
    // Rows that come together, in one piece of the output, count once they are all written.
    expect(written()).toBeLessThanOrEqual(4);
    expect(Number(summaries()[0])).toBeGreaterThanOrEqual(1000 / 8);
    for (let i = 0; i < 8; i += 1) await test.clock.advance(250);
    expect(summaries()).toEqual([1000]);
    await test.write('stdout', '{"step": 1001}\n');
    test.end();
    expect(summaries()).toEqual([1001]);
    expect(written()).toBeLessThanOrEqual(6);
  });

  it("rewrites a slow table's summary when its rows double", async () => {
    const test = createPipelineUnderTest();
    const summaries = (): unknown[] =>
      test.stored().flatMap(({ measurement, fields }) => (measurement === 'job_series' ? [fields.get('rows')] : []));
    for (let row = 1; row <= 5; row += 1) {
      await test.write('stdout', `{"a \\"step\\"": ${row}}\n`);
      expect(summaries()).toEqual([{ 1: 1, 2: 2, 4: 4 }[row] ?? (row < 4 ? 2 : 4)]);
      await test.clock.advance(100);
    }
  });

  it('takes stored colours away', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', '\x1b[31m10%\x1b[0m');
    await test.clock.advance(250);
    const ansi = (): unknown =>
      test
        .stored()
        .find(({ measurement }) => measurement === 'job_log')
        ?.fields.get('ansi');
    expect(ansi()).toContain('10%');
    await test.write('stdout', '\x1b[2K\r100%\n');
    expect(ansi()).toBe('');
  });

  it('keeps no row that is final', async () => {
    const test = createPipelineUnderTest();
    for (let i = 0; i < 50; i += 1) await test.write('stdout', `${i}\n` + `line ${i}\n`.repeat(200));
    test.end();
    expect(readLog(test.stored())).toHaveLength(150);
  });
});
