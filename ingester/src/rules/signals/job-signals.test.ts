import type { Point } from '@joblens/core/point/point';
import { parseJobState } from '../../pipeline/job-state.js';
import {
  createPipelineUnderTest,
  type PipelineOptions,
  type PipelineUnderTest,
} from '../../testing/pipeline-under-test.js';
import { readLog } from '../../testing/stored-points.js';

const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/home/ann/train.py", line 17, in <module>',
  '    main()',
  'ValueError: bad shape',
  '',
].join('\n');

const listEvents = (points: readonly Point[]): Point[] => points.filter(({ tags }) => tags.get('topic') === 'signal');
const readData = (point: Point | undefined): Record<string, unknown> =>
  JSON.parse(String(point?.fields.get('data'))) as Record<string, unknown>;
const readReasons = (points: readonly Point[]): unknown[] =>
  points.flatMap(({ measurement, fields }) => (measurement === 'job' ? (fields.get('reason') ?? []) : []));

async function log(stdout: string, options: PipelineOptions = {}): Promise<PipelineUnderTest> {
  const test = createPipelineUnderTest(options);
  await test.write('stdout', stdout);
  test.end();
  return test;
}

describe('a signal', () => {
  it('is an event at the time of its line, among plain lines and as a row', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join('');
    for (const line of ['Killed', '\x1b[31mKilled\x1b[0m', '10%|█ | 1/9 [00:01<00:09, 1.0s/it]\rKilled\x1b[K']) {
      const stored = (await log(`${lines}${line}\n${lines}`)).stored();
      const [event, ...others] = listEvents(stored);
      expect(others).toEqual([]);
      expect(readData(event)).toEqual({
        ...{ name: 'killed', severity: 'error', weight: 'symptom', message: 'Killed' },
        ...{ stream: 'stdout', line: 'Killed', count: 1 },
      });
      const logged = stored.find(({ fields }) => fields.get('line') === 'Killed');
      expect([event?.timeNs, event?.fields.get('count')]).toEqual([logged?.timeNs, 1]);
    }
  });

  it('tells the task and the machine that it is of, where a job has several', async () => {
    const source = { job: 'job (a-1)', user: 'ann', task: '3' };
    const test = createPipelineUnderTest({ source });
    test.pipeline.describe({ state: 'RUNNING', host: 'n-17.site' });
    await test.write('stdout', 'Killed\n');
    test.end();
    expect(listEvents(test.stored()).map(readData)).toMatchObject([{ task: '3', node: 'n-17.site' }]);
  });

  it('that comes again and again is one event with their number', async () => {
    const lines = Array.from({ length: 48 }, (_, i) => `srun: error: n${i}: task ${i}: Exited with exit code 1\n`);
    const events = listEvents((await log(lines.join(''))).stored());
    expect(events.map((event) => readData(event)['count'])).toEqual([48]);
    // A line equal to the one before is no line of the log, and counts.
    const [killed] = listEvents((await log('Killed\n'.repeat(1000))).stored());
    expect(readData(killed)['count']).toBe(1000);
  });

  it('is the reason of a job that nobody describes', async () => {
    expect(readReasons((await log(`a\n${TRACEBACK}b\n`)).stored())).toEqual(['ValueError: bad shape (train.py:17)']);
    expect(readReasons((await log('0 errors\n')).stored())).toEqual([]);
  });

  it('is the reason of a failure at the time of the end, also when the output is read after it', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ state: 'RUNNING' });
    await test.write('stdout', 'Killed\n');
    await test.clock.advance(1000);
    expect(readReasons(test.stored())).toEqual([]);
    const endNs = test.clock.nextNs();
    test.pipeline.describeEnd({ state: 'FAILED', exitCode: 3 }, {}, endNs);
    expect(readReasons(test.stored())).toEqual(['exit code 3: Killed']);
    await test.write('stdout', TRACEBACK);
    test.end();
    const [end] = test
      .stored()
      .filter((point) => point.measurement === 'job' && point.fields.get('state') === 'FAILED');
    expect([end?.timeNs, end?.fields.get('reason')]).toEqual([
      endNs,
      'exit code 3: ValueError: bad shape (train.py:17)',
    ]);
  });

  it('of an earlier attempt does not explain the end of the next one', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ state: 'RUNNING' });
    await test.write('stdout', TRACEBACK);
    test.pipeline.describe({ state: 'REQUEUED' });
    await test.clock.advance(1000);
    test.pipeline.describe({ state: 'RUNNING' });
    test.pipeline.describeEnd({ state: 'FAILED', exitCode: 2 }, {});
    test.end();
    expect(readReasons(test.stored())).toEqual(['exit code 2']);
  });
});

describe('what a mode forbids', () => {
  it('has no signals', async () => {
    for (const mode of ['metadata', 'disabled'] as const) {
      const stored = (await log(`${TRACEBACK}\x1b[31mKilled\x1b[0m\nKilled\n`, { config: { mode } })).stored();
      expect([listEvents(stored), readReasons(stored)]).toEqual([[], []]);
    }
  });

  it('leaves only the name of a value that is not a number, in mode metadata', async () => {
    const config = { mode: 'metadata', nonfinite: 'metadata' } as const;
    for (const before of ['', 'a\n\x1b[A\n']) {
      const stored = (await log(`${before}{"step": 1, "train/loss": NaN}\n`, { config })).stored();
      expect(listEvents(stored).map(readData)).toEqual([
        { name: 'loss-nan', severity: 'error', weight: 'symptom', message: 'loss is NaN', stream: 'stdout', count: 1 },
      ]);
      expect(readLog(stored)).toEqual([]);
    }
  });

  it('is not stored as the reason of a job that is disabled', () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' } });
    test.pipeline.describeEnd({ state: 'FAILED', exitCode: 1 }, {});
    test.end();
    expect(readReasons(test.stored())).toEqual([]);
  });
});

describe('metrics that are no longer finite', () => {
  const finite = (i: number): string => `{"step": ${i}, "loss": ${1 + i / 8}, "grad/norm": 2.5}\n`;
  const lost = (i: number): string => `{"step": ${i}, "loss": NaN, "grad/norm": Infinity}\n`;
  const repeat = (count: number, line: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => line(i)).join('');
  const summarize = (points: readonly Point[]): string[] =>
    listEvents(points)
      .map(readData)
      .map(
        (data) =>
          `${String(data['severity'])} ${String(data['name'])}: ${String(data['message'])} ×${String(data['count'])}`
      )
      .sort();

  it.each([
    ['a long table, then some', repeat(300, finite) + lost(300) + repeat(300, finite) + lost(601), 2],
    ['a short table', finite(0) + lost(1), 1],
    ['a table that began without', lost(0) + lost(1) + finite(2) + lost(3) + finite(4) + finite(5) + lost(6), 2],
    ['a table that is lost for long', repeat(300, finite) + repeat(300, lost), 300],
    ['a table that was hardly ever finite', repeat(300, lost) + finite(300) + repeat(300, lost), 300],
    ['beside a bar', `${finite(0)}\r45%\r${lost(1)}`, 1],
  ])('are one event for each key: %s', async (_name, text, count) => {
    for (const mode of ['enabled', 'metadata'] as const) {
      const stored = (await log(text, { config: { mode, nonfinite: 'metadata' } })).stored();
      const [loss, norm, ...others] = summarize(stored);
      expect([norm, others]).toEqual([`warning metric-nonfinite: grad/norm is Infinity ×${count}`, []]);
      // The text of a line tells of a loss also where no number came before.
      expect(loss).toMatch(/^error loss-nan: loss is NaN ×\d+$/);
      const times = stored.filter(({ fields }) => fields.get('grad/norm') === 'Infinity').map(({ timeNs }) => timeNs);
      const event = listEvents(stored).find((found) => readData(found)['name'] === 'metric-nonfinite');
      const behind = times.map((timeNs) => Number((event?.timeNs ?? 0n) - timeNs));
      expect(behind.filter((ns) => ns === 0 || ns === 1)).toHaveLength(1);
    }
  });

  it.each([
    [['python-dict'], "{'loss': 0.5, 'lr': 1}\n", "{'loss': nan, 'lr': inf}\n"],
    [['logfmt'], 'loss=0.5 lr=1\n', 'loss=nan lr=inf\n'],
    [[{ regex: 'L (?<loss>\\S+) R (?<lr>\\S+)' }], 'L 0.5 R 1\n', 'L nan R inf\n'],
  ] as const)('are found in lines of kind %j', async (metadata, before, after) => {
    const config = { metadata: [...metadata], nonfinite: 'metadata' } as const;
    const stored = (await log(before + after + before, { config })).stored();
    expect(summarize(stored)).toEqual([
      'error loss-nan: loss is NaN ×1',
      'warning metric-nonfinite: lr is Infinity ×1',
    ]);
  });

  it('leave room for other signals', async () => {
    const row = (value: string): string =>
      `{${Array.from({ length: 300 }, (_, i) => `"${'x'.repeat(i + 1)}": ${value}`).join(', ')}}\n`;
    const stored = (await log(`${row('1')}${row('NaN')}Killed\n`, { config: { nonfinite: 'metadata' } })).stored();
    expect(listEvents(stored)).toHaveLength(17);
  });

  it('are no signal of a disabled job', async () => {
    const stored = (await log(finite(0) + lost(1), { config: { mode: 'disabled', nonfinite: 'metadata' } })).stored();
    expect(listEvents(stored)).toEqual([]);
  });
});

describe("a user's own signals", () => {
  const signals = [
    { name: 'ecc', text: 'ECC error', severity: 'warning' },
    { name: 'slow', regex: 'took (?P<n>\\d+) s too long' },
  ];

  it('are found before those that are built in', async () => {
    const stored = (await log('gpu 3: ECC error\nit took 12 s too long: Killed\n', { config: { signals } })).stored();
    expect(listEvents(stored).map(readData)).toMatchObject([
      { name: 'ecc', severity: 'warning', message: 'gpu 3: ECC error' },
      { name: 'slow', severity: 'error', message: 'took 12 s too long' },
    ]);
  });

  it('can come with a command', async () => {
    const command = `/LOGCOMMAND ${JSON.stringify({ signals })}\n`;
    const stored = (await log(`ECC error before\n${command}ECC error behind\n`)).stored();
    expect(listEvents(stored).map(readData)).toMatchObject([{ name: 'ecc', message: 'ECC error behind' }]);
  });

  it('that are not valid are left out, with a notice each that quotes nothing', async () => {
    const bad = [{ name: 'x', regex: '(secret' }, { name: 'y', text: 'key' }, signals[0]];
    const stored = (await log('ECC error\n', { config: { signals: bad } })).stored();
    expect(readLog(stored)).toEqual([
      expect.stringMatching(
        /^\[notice\] \(joblens: entry 1 of the option signals is left out: its regex is not valid;/
      ),
      expect.stringMatching(/^\[notice\] \(joblens: entry 2 of the option signals is left out: its text must hold/),
      'ECC error',
    ]);
    expect(listEvents(stored)).toHaveLength(1);
  });

  it('cannot hold the job up', async () => {
    const slow = [
      { name: 'slow', regex: 'fail(a+)+(a+)+(a+)+b$' },
      { name: 'far', regex: 'fail.*a.*a.*a.*a.*b' },
    ];
    const startedMs = performance.now();
    await log(`fail${'a'.repeat(30_000)}\n`.repeat(10), { config: { signals: slow } });
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

describe('the signals of a job whose ingester is killed', () => {
  it.each([
    ['PETSc', '[0]PETSC ERROR: ', `${'-'.repeat(20)} Error Message ${'-'.repeat(20)}`, 'Error in MatSolve (a-1)'],
    ['R', '', 'Error in f(x) : ', '  object (a-1) not found'],
  ])(
    'go on from the state, between the heading of an error of %s and its sentence',
    async (_what, label, heading, sentence) => {
      const lines = [`${label}${heading}\n`, '\n', `${label}${sentence}\n`];
      const whole = createPipelineUnderTest({ isResumable: true });
      for (const line of lines) await whole.write('stdout', line);
      whole.end();
      const wanted = listEvents(whole.stored()).map(readData);
      expect(wanted).toMatchObject([{ message: expect.stringContaining('(a-1)') as unknown }]);

      const first = createPipelineUnderTest({ isResumable: true });
      await first.write('stdout', lines.slice(0, 2).join(''));
      first.pipeline.commit();
      const state = parseJobState(first.records.flatMap(({ states }) => states.map(({ value }) => value)));
      const second = createPipelineUnderTest({ isResumable: true, state, clock: first.clock });
      await second.write('stdout', lines[2] ?? '');
      second.end();
      const events = listEvents([...first.stored(), ...second.stored()]).map(readData);
      expect(events.at(-1)).toMatchObject({ message: wanted[0]?.['message'] });
    }
  );

  it('go on from the state, with an open traceback', async () => {
    const [head = '', ...rest] = TRACEBACK.split('\n').map((line) => `${line}\n`);
    const first = createPipelineUnderTest({ isResumable: true });
    await first.write('stdout', `Killed\n${head}${rest[0]}`);
    first.pipeline.commit();
    const state = parseJobState(first.records.flatMap(({ states }) => states.map(({ value }) => value)));
    const second = createPipelineUnderTest({ isResumable: true, state, clock: first.clock });
    await second.write('stdout', `${rest.slice(1).join('')}Killed\n`);
    second.end();
    const events = listEvents(second.stored()).map(readData);
    expect(events).toMatchObject([
      { name: 'killed', count: 2 },
      { name: 'python-exception', message: 'ValueError: bad shape', place: 'train.py:17' },
    ]);
  });
});
