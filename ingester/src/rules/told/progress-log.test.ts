import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';

const MINUTE_MS = 60_000;

/** The stored points with progress, the oldest first. */
const listProgress = (test: PipelineUnderTest, measurement = 'job'): unknown[][] =>
  test.stored().flatMap(({ measurement: name, tags, fields }) => {
    if (name !== measurement || !fields.has('progress') || (tags.get('grid') ?? '10m') !== '10m') return [];
    return [[fields.get('progress'), fields.get('remaining_s')]];
  });

/** Every point with progress that was written, rewritten ones too. */
const countWritten = (test: PipelineUnderTest): number =>
  test
    .text()
    .split('\n')
    .filter((line) => line.startsWith('job,') && line.includes('progress=')).length;

const start = (options: Parameters<typeof createPipelineUnderTest>[0] = {}): PipelineUnderTest => {
  const test = createPipelineUnderTest(options);
  test.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
  return test;
};

/** Prints how far the job is, as metadata. */
const tell = async (test: PipelineUnderTest, progress: number): Promise<void> => {
  await test.write('stdout', `${JSON.stringify({ progress })}\n`);
  test.pipeline.commit();
};

describe('the progress of a job', () => {
  it('is one point, rewritten in place at most once in 10 s, and at the end', async () => {
    const test = start();
    for (let second = 0; second < 25; second += 1) {
      await tell(test, second / 100);
      await test.clock.advance(1000);
    }
    expect(listProgress(test)).toEqual([[0.19, 81]]);
    expect(countWritten(test)).toBe(3);
    test.end();
    expect(listProgress(test)).toEqual([[0.24, 76]]);
    expect(countWritten(test)).toBe(4);
  });

  it('is written with the next output when it came too soon', async () => {
    const test = start();
    await tell(test, 0.1);
    await tell(test, 0.2);
    await test.clock.advance(10_000);
    await test.write('stdout', 'a\n');
    await test.clock.advance(250);
    expect(listProgress(test)).toEqual([[0.2, -1]]);
    test.end();
  });

  it('is written within 10 s when nothing more is printed', async () => {
    const test = start();
    await tell(test, 0.1);
    await tell(test, 0.2);
    for (let quarter = 0; quarter < 42; quarter += 1) await test.clock.advance(250);
    expect(listProgress(test)).toEqual([[0.2, -1]]);
    await test.clock.advance(250);
    expect(test.clock.sleepers).toBe(1);
    test.end();
  });

  it('is in the heartbeats of later slots', async () => {
    const test = start();
    await test.clock.advance(250);
    await tell(test, 0.1);
    await test.clock.advance(250);
    expect(listProgress(test, 'job_heartbeat')).toEqual([]);
    await test.clock.advance(10 * MINUTE_MS);
    expect(listProgress(test, 'job_heartbeat')).toEqual([[0.1, -1]]);
    test.end();
  });

  it('begins anew with another run', async () => {
    const test = start();
    await tell(test, 0.9);
    test.pipeline.describe({ state: 'FAILED', endedMs: 100 });
    test.pipeline.describe({ state: 'RUNNING', startedMs: 200 });
    await test.clock.advance(10 * MINUTE_MS);
    expect(listProgress(test, 'job_heartbeat')).toEqual([]);
    await tell(test, 0.1);
    test.end();
    expect(listProgress(test)).toEqual([
      [0.9, -1],
      [0.1, -1],
    ]);
  });

  it('stays one point after a restart', async () => {
    const test = start({ isResumable: true });
    await tell(test, 0.1);
    test.pipeline.commit();
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(values) });
    next.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
    await tell(next, 0.2);
    next.end();
    const times = [test, next].map((one) => {
      const found = one.stored().find(({ measurement, fields }) => measurement === 'job' && fields.has('progress'));
      return found?.timeNs;
    });
    expect(times[0]).toBeDefined();
    expect(times[1]).toBe(times[0]);
    await test.clock.advance(0);
  });

  it('is not kept of a disabled job', async () => {
    const test = start({ config: { mode: 'disabled' } });
    await tell(test, 0.1);
    await test.write('stdout', '/LOGCOMMAND {"mode": "enabled"}\n');
    test.end();
    expect(listProgress(test)).toEqual([]);
  });
});
