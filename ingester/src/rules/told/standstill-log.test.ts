import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';

const MINUTE_MS = 60_000;

/** The fake clock begins at 22:13:20, so a slot of ten minutes begins after 6 min 40 s. */
const FIRST_SLOT_MS = 400_000;

const toMinutes = (seconds: unknown): number | undefined =>
  seconds === undefined ? undefined : Math.floor(Number(seconds) / 60);

/** The points of standstills, in the order of their times: minutes of silence, and minutes without progress. */
const listStandstills = (test: PipelineUnderTest): unknown[][] =>
  test
    .stored()
    .filter(({ measurement, fields }) => measurement === 'job' && fields.has('silent_s'))
    .sort((a, b) => Number(a.timeNs - b.timeNs))
    .map(({ fields }) => [toMinutes(fields.get('silent_s')), toMinutes(fields.get('stalled_s'))]);

const start = (options: Parameters<typeof createPipelineUnderTest>[0] = {}): PipelineUnderTest => {
  const test = createPipelineUnderTest(options);
  test.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
  return test;
};

const advance = async (test: PipelineUnderTest, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) await test.clock.advance(MINUTE_MS);
};

/** Prints how far the job is, a percent each minute. */
const progressOn = async (test: PipelineUnderTest, minutes: number, from = 0): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    await test.write('stdout', `${JSON.stringify({ progress: (from + minute) / 100 })}\n`);
    await test.clock.advance(MINUTE_MS);
  }
};

describe('the silence of a job', () => {
  it('is told once in each slot while it is long, and once more when it is over', async () => {
    const test = start();
    await test.write('stdout', 'a\n');
    await test.clock.advance(FIRST_SLOT_MS + 10_000);
    expect(listStandstills(test)).toEqual([]);
    await advance(test, 25);
    expect(listStandstills(test).map(([silent]) => silent)).toEqual([16, 26]);
    await test.write('stdout', 'b\n');
    await test.clock.advance(250);
    expect(listStandstills(test).at(-1)).toEqual([0, undefined]);
    for (let i = 0; i < 6; i += 1) {
      await test.write('stdout', `${i}\n`);
      await advance(test, 5);
    }
    expect(listStandstills(test)).toHaveLength(3);
    test.end();
  });

  it('is told of a job that pipes, and has never printed', async () => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    await advance(test, 40);
    expect(listStandstills(test).at(-1)).toEqual([37, undefined]);
    test.end();
    expect(listStandstills(test).at(-1)).toEqual([0, undefined]);
  });

  it.each([
    ['stderr', 'a\n'],
    ['stdout', '\r45%'],
  ] as const)('is broken by anything on %s, %j', async (stream, text) => {
    const test = start();
    for (let i = 0; i < 8; i += 1) {
      await test.write(stream, text);
      await advance(test, 5);
    }
    expect(listStandstills(test)).toEqual([]);
    test.end();
  });

  it('is not broken by what Joblens itself finds out about the job', async () => {
    const test = start();
    for (let minute = 0; minute < 20; minute += 1) {
      test.pipeline.addRow({ cpu_cores: minute });
      await advance(test, 1);
    }
    expect(listStandstills(test)).toEqual([[17, undefined]]);
    test.end();
  });

  it('is over at the end of the job', async () => {
    const test = start();
    await advance(test, 35);
    expect(listStandstills(test).at(-1)).toEqual([27, undefined]);
    test.pipeline.describeEnd({ state: 'FAILED', exitCode: 1, endedMs: test.clock.nowMs() }, {});
    await advance(test, 30);
    expect(listStandstills(test).at(-1)).toEqual([0, undefined]);
    test.end();
    expect(listStandstills(test)).toHaveLength(3);
  });

  it('counts from when the job runs, or runs again', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ state: 'PENDING' });
    await advance(test, 60);
    expect(listStandstills(test)).toEqual([]);
    test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
    await advance(test, 20);
    expect(listStandstills(test)).toEqual([[17, undefined]]);
    test.pipeline.describe({ state: 'SUSPENDED' });
    await advance(test, 60);
    test.pipeline.describe({ state: 'RUNNING' });
    await advance(test, 20);
    expect(listStandstills(test)).toEqual([
      [17, undefined],
      [0, undefined],
      [17, undefined],
    ]);
    test.end();
  });

  it('is not told of a file of which nobody knows whether a job writes it', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ name: 'a.log', startedMs: 5 });
    await test.write('stdout', 'a\n');
    await advance(test, 60);
    expect(listStandstills(test)).toEqual([]);
    test.end();
  });

  it('is not told of a disabled job', async () => {
    const test = start({ config: { mode: 'disabled' } });
    await advance(test, 60);
    test.end();
    expect(listStandstills(test)).toEqual([]);
  });

  it('is told by each task, also while it prints', async () => {
    const test = start({ source: { job: '1', user: 'ann', task: '3' } });
    await test.clock.advance(FIRST_SLOT_MS);
    for (let minute = 0; minute < 21; minute += 1) {
      await test.write('stdout', `${minute}\n`);
      await advance(test, 1);
    }
    expect(listStandstills(test)).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
    test.end();
  });

  it('counts from the restart, and says so at once', async () => {
    const test = start({ isResumable: true });
    await advance(test, 20);
    test.pipeline.commit();
    expect(listStandstills(test)).toEqual([[17, undefined]]);
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(values) });
    next.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
    await next.clock.advance(250);
    await advance(next, 20);
    expect(listStandstills(next)).toEqual([
      [0, undefined],
      [17, undefined],
    ]);
    next.end();
    await test.clock.advance(0);
  });
});

describe('the progress of a job that does not progress', () => {
  it('is told while it prints, and once more when it rises', async () => {
    const test = start();
    await progressOn(test, 20);
    expect(listStandstills(test)).toEqual([]);
    for (let minute = 0; minute < 60; minute += 1) {
      await test.write('stdout', `still here ${minute}\n`);
      await advance(test, 1);
    }
    expect(listStandstills(test)).toEqual([17, 27, 37, 47, 57].map((stalled) => [1, stalled]));
    await progressOn(test, 1, 40);
    expect(listStandstills(test).at(-1)?.[1]).toBe(0);
    test.end();
    expect(listStandstills(test).at(-1)?.[1]).toBe(0);
  });

  it('is no standstill within three steps of a slow job, nor before its first step, nor after its last', async () => {
    const test = start();
    for (const progress of [0.1, 0.2, 0.3, 1]) {
      await test.write('stdout', `${JSON.stringify({ progress })}\n`);
      for (let minute = 0; minute < 40; minute += 1) {
        await test.write('stdout', `${minute}\n`);
        await advance(test, 1);
      }
    }
    expect(listStandstills(test)).toEqual([]);
    test.end();
  });

  it('begins anew with another run', async () => {
    const test = start();
    await progressOn(test, 5);
    await advance(test, 30);
    expect(listStandstills(test).at(-1)?.[1]).toBeGreaterThan(20);
    test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
    await progressOn(test, 20);
    expect(listStandstills(test).at(-1)?.[1]).toBe(0);
    test.end();
  });
});
