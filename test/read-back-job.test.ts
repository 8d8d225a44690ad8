import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { createInfluxqlClient } from './influxql-client.js';
import { BINARY, type Ended, joblens, onTerminal, run, untilWritten } from './joblens-command.js';

const START_NS = 1_700_000_000_000_000_000n;
const NS_PER_S = 1_000_000_000n;
const JOB: JobSource = { job: '123_4', user: 'ann' };

const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1000)) * 1_000_000n;

interface Line {
  readonly line: string;
  readonly ansi?: string;
  readonly stream?: Stream;
  readonly kind?: 'output' | 'notice';
}

function createLine(source: JobSource, { stream = 'stdout', kind = 'output', ...text }: Line, timeNs: bigint): Point[] {
  return createLogPoints(source, { stream, kind, ...text, timeNs });
}

const FAILED: JobSource = { job: 'fail-1 (lr=3e-4)', user: 'ann' };
/** A job that prints numbers, and no metadata. */
const PLAIN: JobSource = { job: "it's a-1.(b)", user: 'ann' };
const PASSES = Array.from({ length: 1200 }, (_, i) => `pass took: ${i + 0.25} s; gap=${1 / (i + 1)}`);

const LONG = 'é'.repeat(50_000);
/** More than the first two pages. */
const COUNT = 3500;
const LINES: readonly Line[] = [
  ...Array.from({ length: COUNT }, (_, i) => ({ line: `line ${i}` })),
  { line: 'all done', ansi: '\x1b[32mall done\x1b[0m' },
  { line: 'Warning: slow', stream: 'stderr' },
  { line: '(previous line repeated 3 times)', kind: 'notice' },
  { line: LONG },
];

/** What the job meta prints: two tables in turns, of more than a page, and values of all kinds. */
const PRINTED: readonly string[] = [
  ...Array.from({ length: 2600 }, (_, i) =>
    i % 3 === 2
      ? `{"step": ${i}, "grad": {"norm": ${i / 8}}}`
      : `{"epoch": ${i}, "loss": ${1 / (i + 1)}, "note": "n ${i}"}`
  ),
  '{"epoch": 9007199254740993, "loss": null, "note": "a,\\t\\"b\\" \u00e9"}',
  '{"epoch": -1.5e-7, "loss": 1e300, "note": [1, {"a": null}]}',
  '{"time": "now", "": true}',
];

/** Times in nanoseconds, and names of digits, which are no numbers. */
const LONG_INTEGERS = Array.from(
  { length: 40 },
  (_, i) => `{"time_ns":${1795598874123456789n + BigInt(i) * 1000000n},"id":"1795598874123456789","loss":${i / 8 - 1}}`
);

describeWith(['influxd'], 'one job, read back from InfluxDB and the embedded store', () => {
  let pair: Pair;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'joblens-printed-'));
    pair = await startPair();
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      await client.post('CREATE DATABASE "joblens"');
      await client.write([
        createJobPoint(JOB, { state: 'COMPLETED', startedMs: 1.7e12, endedMs: 1.7e12 + 9_000_000 }, at(0)),
        ...LINES.flatMap((line, i) => createLine(JOB, line, at(i))),
        ...['0', '1'].flatMap((task) =>
          createLine({ job: 'mpi', user: 'ann', task }, { line: 'hi' }, at(Number(task)))
        ),
        createJobPoint(FAILED, { state: 'FAILED', startedMs: 1.7e12, endedMs: 1.7e12, reason: 'exit code 1' }, at(0)),
        ...createLine(FAILED, { line: 'start' }, at(0)),
        ...createLine(FAILED, { line: 'boom', stream: 'stderr' }, at(1)),
        createJobPoint({ job: 'both', user: 'ann' }, { state: 'RUNNING' }, at(0)),
        createJobPoint(PLAIN, { state: 'RUNNING' }, at(0)),
        ...PASSES.flatMap((line, i) => createLine(PLAIN, { line }, at(i))),
        ...createLine(PLAIN, { line: 'loss: 9.5', stream: 'stderr' }, at(0)),
        createJobPoint({ job: 'both', user: 'bob' }, { state: 'RUNNING' }, at(0)),
      ]);
      writeFileSync(join(folder, 'printed'), `log\n${PRINTED.join('\n')}\n`);
      const logged = ['run', '--mode', 'enabled', '--job', 'meta', '--', 'cat', join(folder, 'printed')];
      expect(await joblens(logged, url)).toMatchObject({ code: 0 });
      const lonely = ['{"loss": 0.5}', '{"loss": 0.25}', '{"epoch": 1, "acc": null}', '{"epoch": null, "acc": 0.5}'];
      writeFileSync(join(folder, 'lonely'), `${lonely.join('\n')}\n`);
      const alone = ['run', '--mode', 'enabled', '--job', 'lonely-1.(a)', '--', 'cat', join(folder, 'lonely')];
      expect(await joblens(alone, url)).toMatchObject({ code: 0 });
      const words = ['echo', '{"epoch": 3, "loss": 0.5, "acc (%)": 90}'];
      const fact = ['run', '--mode', 'enabled', '--job', 'fact-1.(a)', '--', ...words];
      expect(await joblens(fact, url)).toMatchObject({ code: 0 });
      writeFileSync(join(folder, 'long'), `${LONG_INTEGERS.join('\n')}\n`);
      const long = ['run', '--mode', 'enabled', '--job', 'long-1', '--', 'cat', join(folder, 'long')];
      expect(await joblens(long, url)).toMatchObject({ code: 0 });
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await pair.stop();
  });

  /** Both stores give the same; what the command printed there. */
  async function onBoth(...args: readonly string[]): Promise<Ended> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    // The same output is logged twice, one time after the other.
    const withoutTimes = ({ stdout, ...ended }: Ended): Ended => ({
      ...ended,
      stdout: stdout.replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
    });
    expect(withoutTimes(embedded)).toEqual(withoutTimes(influxdb));
    return influxdb;
  }

  async function print(...args: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await onBoth(...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').slice(0, -1);
  }

  describe('its log', () => {
    const stdout = LINES.filter(({ stream }) => stream !== 'stderr').map(({ line }) => line);

    it('comes whole and in order, over any number of pages', async () => {
      expect(await print('log', '123_4')).toEqual(stdout);
    });

    it.each([
      [['-n', '3'], stdout.slice(-3)],
      [['-n', '0'], []],
      [['-n', '9999', '--since', '2023-11-14T23:11:38Z'], stdout.slice(-5)],
      [['--both', '-n', '4'], LINES.slice(-4).map(({ line }) => line)],
      [['--stderr'], ['Warning: slow']],
      [['--grep', '^line 34?9+$'], ['line 39', 'line 349', 'line 399', 'line 3499', 'line 3999'].slice(0, 4)],
      [
        ['--grep', '(?i)WARNING|done', '--both', '--color'],
        ['\x1b[32mall done\x1b[0m', 'Warning: slow'],
      ],
      [['--grep', 'line 7$', '--times'], ['2023-11-14T22:13:27Z line 7']],
    ])('prints the lines that are asked for: %j', async (args, lines) => {
      expect(await print('log', '123_4', ...args)).toEqual(lines);
    });

    it('says of a failed job that it printed more on stderr, also behind a pipe', async () => {
      const more = 'joblens: the job also printed on stderr; give --stderr, or give --both\n';
      expect(await onBoth('log', 'fail-1 (lr=3e-4)')).toEqual({ code: 0, stdout: 'start\n', stderr: more });
      expect(await onBoth('log', 'fail-1 (lr=3e-4)', '--both')).toMatchObject({ stdout: 'start\nboom\n', stderr: '' });
    });

    it('says which task it is, and gives JSON', async () => {
      expect(await print('log', 'mpi')).toEqual(['0: hi', '1: hi']);
      expect(await print('log', 'mpi', '--task', '1')).toEqual(['hi']);
      const [line = ''] = await print('log', 'mpi', '--json');
      expect(JSON.parse(line)).toEqual({
        ...{ time: '2023-11-14T22:13:20Z', stream: 'stdout', task: '0', kind: 'output', line: 'hi' },
      });
    });

    it('says what is wrong', async () => {
      expect(await onBoth('log', 'none')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no job none is stored') as unknown,
      });
      expect(await onBoth('log', 'both')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('ann, bob each have a job both') as unknown,
      });
      expect((await onBoth('log', 'both', '--user', 'bob')).code).toBe(0);
      expect(await onBoth('log', 'x', '--grep', '(')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--grep: its regex') as unknown,
      });
      expect(await joblens(['log', 'x'], 'http://127.0.0.1:9')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('check INFLUX_HOST') as unknown,
      });
    });

    it('ends quietly when nobody reads any more', async () => {
      const { stdout: head } = await run(
        'bash',
        ['-c', `${BINARY} log 123_4 | head -2; echo "\${PIPESTATUS[0]}"`],
        pair.influxdb.url
      );
      expect(head).toBe('line 0\nline 1\n0\n');
    });

    it('is followed to its end; elsewhere than on a terminal, a line comes when it stays as it is', async () => {
      const live: JobSource = { job: 'live', user: 'ann' };
      const hasTerminal = existsSync('/usr/bin/script');
      const followed = await pair.both(async (url) => {
        const client = createInfluxqlClient(url);
        const ns = BigInt(Date.now()) * 1_000_000n;
        await client.write([
          createJobPoint(live, { state: 'RUNNING', startedMs: 1 }, 1n),
          ...createLine(live, { line: 'bar 10%' }, ns),
        ]);
        const shown = join(folder, `shown-${new URL(url).port}`);
        const terminal = hasTerminal ? onTerminal(80, 'log live --follow', url, shown) : undefined;
        const untilShown = (text: string): Promise<void> =>
          hasTerminal ? untilWritten(shown, text) : new Promise((resolve) => setTimeout(resolve, 1200));
        await untilShown('bar 10%');
        const ended = joblens(['log', 'live', '--follow', '--log-level', 'warn'], url);
        for (const text of ['bar 50%', 'bar 75%']) {
          await client.write(createLine(live, { line: text }, ns));
          await untilShown(text);
        }
        const next = [
          ...createLine(live, { line: 'bar 100%' }, ns),
          ...createLine(live, { line: 'end' }, ns + NS_PER_S),
        ];
        await client.write([...next, createJobPoint(live, { state: 'COMPLETED', endedMs: Date.now() }, 2n)]);
        const both = { ended: await ended, terminal: await terminal };
        rmSync(shown, { force: true });
        return both;
      });
      for (const { ended, terminal } of Object.values(followed)) {
        // On a busy machine, what is written next may come late, so that the bar stays as it is for long enough.
        const stdout: unknown = expect.stringMatching(/^(bar \d{2}%\n)*bar 100%\nend\n$/);
        expect(ended).toEqual({ code: 0, stdout, stderr: '' });
        if (terminal === undefined) continue;
        expect(terminal[0]).toBe('bar 10%');
        expect(terminal.join('|').endsWith('\x1b[1A\r\x1b[Jbar 100%|end')).toBe(true);
      }
    });
  });

  describe('its metadata', () => {
    const parse = (lines: readonly string[]): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

    it('is JSON equal to what was printed, in order', async () => {
      const lines = await print('metadata', 'meta', '--json');
      expect(parse(lines)).toEqual(parse(PRINTED));
      expect(lines).toContainEqual(expect.stringContaining('9007199254740993'));
      expect(parse(await print('metadata', 'meta', '--json', '-n', '4'))).toEqual(parse(PRINTED.slice(-4)));
      const steps = await print('metadata', 'meta', '--json', '--table', 'grad.norm', '-n', '1');
      expect(parse(steps)).toEqual([{ step: 2597, grad: { norm: 2597 / 8 } }]);
    });

    it('is a table: the longest, or that with a key', async () => {
      const csv = await print('metadata', 'meta', '--csv', '-n', '2');
      expect(csv[0]).toBe('time,epoch,loss,note');
      expect(csv[1]).toMatch(/^20\S+Z,9007199254740993,null,"a,\t""b"" é"$/);
      expect(csv[2]).toMatch(/^20\S+Z,-1\.5e-7,1e\+300,"\[1,\{""a"":null\}\]"$/);
      expect(await print('metadata', 'meta', '--csv', '--table', 'time')).toEqual([
        '_time,time,',
        expect.stringMatching(/^20\S+Z,now,true$/),
      ]);
      const tables = await print('metadata', 'meta', '--tables', '--json');
      expect(parse(tables)).toMatchObject([
        { table: 1, rows: 1736, keys: ['epoch', 'loss', 'note'] },
        { table: 2, rows: 866, keys: ['step', 'grad.norm'] },
        { table: 3, rows: 1, keys: ['time', ''] },
      ]);
    });

    it('says what is wrong', async () => {
      expect(await onBoth('metadata', '123_4')).toMatchObject({
        code: 1,
        stderr: 'joblens: job 123_4 has no metadata; joblens suggest 123_4 looks for numbers in what it printed\n',
      });
      expect(await onBoth('metadata', 'meta', '--table', 'x')).toMatchObject({
        code: 1,
        stderr: 'joblens: the job has no table x; --tables lists those that it has\n',
      });
    });
  });

  describe('numbers in its log', () => {
    it('are found by suggest, which takes a job as well as a file', async () => {
      const lines = await print('suggest', PLAIN.job);
      expect(lines[0]).toBe('1. 1200 rows: pass, gap');
      expect(lines).toContain('metadata:');
      const [found] = JSON.parse((await print('suggest', PLAIN.job, '--json')).join('\n')) as { rows: unknown[] }[];
      expect(found?.rows.slice(0, 2)).toEqual([
        { pass: 0.25, gap: 1 },
        { pass: 1.25, gap: 0.5 },
      ]);
      expect((await print('suggest', join(folder, 'printed')))[0]).toContain(' rows: ');
      expect(await onBoth('suggest', 'no-1.(b)')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('there is no file no-1.(b), and no job no-1.(b) is stored there') as unknown,
      });
    });

    it('is what the list of its tables leads to', async () => {
      const ended = await onBoth('metadata', PLAIN.job, '--tables');
      expect(ended).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringContaining('has no metadata; joblens suggest') as unknown,
      });
    });

    it.each([['plot'], ['plot', 'loss'], ['metadata'], ['metadata', '--table', 'loss'], ['export']])(
      'are what %s %s of a job without metadata leads to',
      async (command, ...words) => {
        const QUOTED = "'it'\\''s a-1.(b)'";
        const stderr = `joblens: job ${PLAIN.job} has no metadata; joblens suggest ${QUOTED} looks for numbers in what it printed\n`;
        expect(await onBoth(command, PLAIN.job, ...words)).toMatchObject({ code: 1, stderr });
      }
    );
  });

  describe('its export', () => {
    const parse = (text: string): unknown[] =>
      text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as unknown)));

    it('is JSON equal to what was printed, in a file that appears whole', async () => {
      const file = join(folder, 'meta.jsonl');
      const ended = await onBoth('export', 'meta', '--to', file);
      expect(ended).toEqual({ code: 0, stdout: '', stderr: `joblens: ${file} holds 2603 rows of job meta\n` });
      expect(parse(readFileSync(file, 'utf8'))).toEqual(parse(PRINTED.join('\n')));
      expect(readdirSync(folder)).toEqual(['lonely', 'long', 'meta.jsonl', 'printed']);
      expect(parse((await onBoth('export', 'meta', '--table', 'step')).stdout)).toHaveLength(866);
    });

    it('is CSV with a column for each key, behind the time', async () => {
      const lines = await print('export', 'meta', '--format', 'csv');
      expect(lines).toHaveLength(2604);
      expect(lines[0]).toBe('_time,epoch,loss,note,step,grad.norm,time,');
      expect(lines[3]?.replace(/^[^,]*/, '')).toBe(',,,,2,0.25,,');
      expect(lines.at(-3)?.replace(/^[^,]*/, '')).toBe(',9007199254740993,,"a,\t""b"" é",,,,');
      expect(lines.at(-1)?.replace(/^[^,]*/, '')).toBe(',,,,,,now,true');
    });

    it('is Parquet with doubles, texts and times', async () => {
      const file = join(folder, 'meta.parquet');
      expect(await onBoth('export', 'meta', '--to', file)).toMatchObject({ code: 0 });
      const program = `import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
        const file = await asyncBufferFromFile(process.argv[1]);
        const { schema } = await parquetMetadataAsync(file);
        const rows = await parquetReadObjects({ file });
        const shown = [rows[2], rows.at(-3), rows.at(-2)].map(({ _time, ...row }) => row);
        console.log(JSON.stringify([schema.slice(1).map(({ name, type }) => [name, type]), rows.length, shown]));`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, file]);
      const texts = { note: 'BYTE_ARRAY', time: 'BYTE_ARRAY', '': 'BYTE_ARRAY', epoch: 'BYTE_ARRAY' };
      const numbers = { loss: 'DOUBLE', step: 'DOUBLE', 'grad.norm': 'DOUBLE' };
      const [schema, count, rows] = JSON.parse(stdout) as [[string, string][], number, unknown[]];
      expect(Object.fromEntries(schema)).toEqual({ _time: 'INT64', ...texts, ...numbers });
      expect([count, rows]).toMatchObject([
        2603,
        [
          { step: 2, 'grad.norm': 0.25 },
          { epoch: '9007199254740993', loss: null },
          { epoch: '-1.5e-7', loss: 1e300 },
        ],
      ]);
    });

    it('says what is wrong, and leaves nothing behind', async () => {
      expect(await onBoth('export', 'meta', '--format', 'parquet')).toMatchObject({ code: 2 });
      const { code, stderr } = await onBoth('export', 'meta', '--to', join(folder, 'none', 'x.csv'));
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^joblens: cannot write .*x\.csv: no such file or directory \(ENOENT\)\n$/),
      ]);
    });
  });

  describe('its graph', () => {
    it('is drawn in the terminal, with a legend, over the X of the ladder', async () => {
      const lines = await print('plot', 'meta', 'grad.norm');
      expect(lines).toHaveLength(23);
      expect(lines[0]).toBe('grad.norm   last 324.625   min 0.25   max 324.625');
      expect(lines.at(-1)).toMatch(/^ +2 +step +2597$/);
      // A straight line from the bottom left to the top right.
      expect(lines[1]).toMatch(/^324\.63 ┤ +[\u2801-\u28ff]+$/u);
      expect(lines.at(-3)).toMatch(/^ +0\.25 ┤[\u2801-\u28ff]+$/u);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    });

    it.each([[], ['--x', 'loss'], ['loss'], ['loss', '--x', 'loss'], ['acc'], ['acc', '--x', 'epoch']])(
      'is drawn over time, where X would leave nothing (%s %s %s)',
      async (...words) => {
        const { code, stdout, stderr } = await joblens(['plot', 'lonely-1.(a)', ...words], pair.influxdb.url);
        expect([code, stderr]).toEqual([0, '']);
        const key = words[0] === 'acc' ? 'acc' : 'loss';
        const lines = stdout.split('\n').slice(0, -1);
        expect(lines[0]).toBe(
          key === 'acc' ? 'acc   last 0.5   min 0.5   max 0.5' : 'loss   last 0.25   min 0.25   max 0.5'
        );
        expect(lines.at(-1)).toContain(' time ');
      }
    );

    it('has integers beyond 2^53 as X, and on Y', async () => {
      const over = await print('plot', 'long-1', 'loss', '--x', 'time_ns');
      expect(over[0]).toBe('loss   last 3.875   min -1   max 3.875');
      expect(over.at(-1)).toContain(' time_ns ');
      expect((await print('plot', 'long-1', 'time_ns', '--x', 'loss'))[0]).toMatch(/^time_ns {3}last 1\.?79/);
    });

    it('keeps all digits of such integers in what is printed and exported', async () => {
      expect(await print('export', 'long-1')).toEqual(LONG_INTEGERS);
      const csv = await print('export', 'long-1', '--format', 'csv');
      expect(csv[1]).toMatch(/,1795598874123456789,1795598874123456789,-1$/);
      expect((await print('metadata', 'long-1', '--json')).join()).toContain('1795598874162456789');
    });

    it('prints the values of a single row as facts', async () => {
      expect(await print('plot', 'fact-1.(a)')).toEqual(['epoch 3   loss 0.5', 'epoch 3   acc (%) 90']);
      expect(await print('plot', 'fact-1.(a)', '--together')).toEqual(['epoch 3   loss 0.5   acc (%) 90']);
    });

    it('has several keys in colours, as wide as the terminal', async () => {
      const lines = await onTerminal(50, 'plot meta step grad.norm --together --x time', pair.influxdb.url);
      expect(lines[0]).toBe('\x1b[34m━━\x1b[0m step   last 2597   min 2   max 2597');
      expect(Math.max(...lines.map((line) => stripVTControlCharacters(line).length))).toBeLessThanOrEqual(50);
      expect(await onBoth('plot', 'meta', 'x')).toMatchObject({
        code: 1,
        stderr: 'joblens: the job has no key x; joblens metadata --tables meta lists those that it has\n',
      });
      expect(await onBoth('plot', 'meta', 'norm')).toMatchObject({
        code: 1,
        stderr: 'joblens: the job has no key norm; did you mean grad.norm?\n',
      });
      for (const args of [
        ['plot', 'meta', 'grad.norm', '--x', 'stpe'],
        ['plot', 'meta', '--table', 'stpe'],
        ['metadata', 'meta', '--table', 'stpe'],
      ])
        expect((await onBoth(...args)).stderr).toMatch(/lists those that it has; did you mean step\?\n$/);
    });
  });
});
