import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The stored heartbeats of a grid: the minute of the day on which the slot begins, and what is said there. */
function listBeats(test: PipelineUnderTest, grid = '10m'): unknown[][] {
  return test.stored().flatMap(({ measurement, tags, fields, timeNs }) => {
    if (measurement !== 'job_heartbeat' || tags.get('grid') !== grid) return [];
    const minute = Math.floor((Number(timeNs / 1_000_000n) % DAY_MS) / MINUTE_MS);
    return [[minute, ...[...fields.keys()].sort().map((name) => fields.get(name))]];
  });
}

const countWritten = (test: PipelineUnderTest): number =>
  test
    .text()
    .split('\n')
    .filter((line) => line.startsWith('job_heartbeat')).length;

const statesOf = (test: PipelineUnderTest): string[] =>
  test.records.flatMap(({ states }) => states.map(({ value }) => value));

/** The fake clock begins at 22:13:20, so the first slot begins in minute 1330. */
describe('heartbeats', () => {
  it('are written while the job lives, silent or not, once in each slot of each grid', async () => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    for (let i = 0; i < 26; i += 1) await test.clock.advance(5 * MINUTE_MS);
    expect(listBeats(test)).toEqual(
      [1330, 1340, 1350, 1360, 1370, 1380, 1390, 1400, 1410, 1420, 1430, 0, 10, 20].map((minute) => [minute, '1'])
    );
    expect(listBeats(test, '2h').map(([minute]) => minute)).toEqual([1320, 0]);
    expect(listBeats(test, '1d').map(([minute]) => minute)).toEqual([0, 0]);
    expect(countWritten(test)).toBe(18);
    test.end();
    expect(countWritten(test)).toBe(18);
  });

  it('say the state and the start, in place when they change, and end with the job', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ name: 'train', state: 'RUNNING', command: './train', startedMs: 5 });
    await test.clock.advance(250);
    expect(listBeats(test)).toEqual([[1330, '1', 5, 'RUNNING']]);
    await test.clock.advance(10 * MINUTE_MS);
    test.pipeline.describe({ state: 'COMPLETED', exitCode: 0, endedMs: test.clock.nowMs() });
    for (let i = 0; i < 4; i += 1) await test.clock.advance(10 * MINUTE_MS);
    expect(listBeats(test)).toEqual([
      [1330, '1', 5, 'RUNNING'],
      [1340, '1', 5, 'COMPLETED'],
    ]);
    test.pipeline.describe({ state: 'RUNNING' });
    await test.clock.advance(250);
    expect(listBeats(test).at(-1)).toEqual([1380, '1', 5, 'RUNNING']);
    test.end();
  });

  it('say who logs the output, from then on and over a restart', async () => {
    const test = createPipelineUnderTest({ livesWithLog: true, isResumable: true });
    test.pipeline.noteWriter({ kind: 'watch', id: 'a1', files: ['b2'] });
    test.pipeline.noteWriter({ kind: 'watch', id: 'a1', files: ['c3'] });
    test.pipeline.noteWriter({ kind: 'watch', id: 'a1', files: ['b2'] });
    await test.clock.advance(250);
    await test.clock.advance(10 * MINUTE_MS);
    expect(listBeats(test)).toEqual([1330, 1340].map((minute) => [minute, '1', 'watch a1 c3 b2']));
    test.pipeline.suspend();
    const again = createPipelineUnderTest({
      ...{ livesWithLog: true, isResumable: true, clock: test.clock },
      state: parseJobState(statesOf(test)),
    });
    again.pipeline.noteWriter({ kind: 'watch', id: 'a1', files: ['d4'] });
    await again.clock.advance(250);
    expect(listBeats(again).at(-1)).toEqual([1340, '1', 'watch a1 c3 b2 d4']);
    again.pipeline.noteWriter({ kind: 'run', files: [] });
    await again.clock.advance(250);
    expect(listBeats(again).at(-1)).toEqual([1340, '1', 'watch a1 c3 b2 d4', 'run']);
    again.pipeline.leaveFile('b2');
    again.pipeline.noteWriter({ kind: 'run', files: ['b2'] });
    await again.clock.advance(250);
    expect(listBeats(again).at(-1)).toEqual([1340, '1', 'watch a1 c3 d4', 'run b2']);
    again.pipeline.noteWriter({ kind: 'watch', id: 'moved', files: ['e5'] });
    await again.clock.advance(250);
    expect(listBeats(again).at(-1)).toEqual([1340, '1', 'watch moved e5', 'run b2']);
    again.end();
  });

  it('come with output where nothing else shows that the job lives', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ name: 'a.log' });
    expect(listBeats(test)).toEqual([]);
    await test.write('stdout', 'a\n');
    for (let i = 0; i < 4; i += 1) await test.clock.advance(10 * MINUTE_MS);
    await test.write('stdout', 'b\n');
    test.end();
    expect(listBeats(test)).toEqual([
      [1330, '1'],
      [1370, '1'],
    ]);
  });

  it('say no more of a disabled job than its name, user and state', async () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' } });
    test.pipeline.describe({ name: 'train', state: 'RUNNING', startedMs: 5, host: 'node7' });
    await test.write('stdout', 'secret\n');
    await test.clock.advance(250);
    expect(listBeats(test)).toEqual([[1330, '1', 'RUNNING']]);
    await test.write('stdout', '/LOGCOMMAND {"mode": "enabled"}\n');
    test.end();
    expect(listBeats(test)).toEqual([[1330, '1', 5, 'RUNNING']]);
  });

  it('continue after a restart, and fill the time in which nobody logged', async () => {
    const test = createPipelineUnderTest({ isResumable: true });
    test.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
    await test.clock.advance(250);
    test.pipeline.commit();
    const state = parseJobState(statesOf(test));
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state });
    await next.clock.advance(45 * MINUTE_MS);
    await next.write('stdout', 'a\n');
    await next.clock.advance(250);
    expect(listBeats(next)).toEqual([1340, 1350, 1360, 1370].map((minute) => [minute, '1', 5, 'RUNNING']));
    next.end();
  });

  it('fill the time until the end of a job that ended meanwhile', async () => {
    const test = createPipelineUnderTest({ isResumable: true });
    test.pipeline.describe({ state: 'RUNNING' });
    await test.clock.advance(250);
    test.pipeline.commit();
    const endedMs = test.clock.nowMs() + 15 * MINUTE_MS;
    const next = createPipelineUnderTest({
      isResumable: true,
      clock: test.clock,
      state: parseJobState(statesOf(test)),
    });
    void next.clock.advance(20 * DAY_MS);
    next.pipeline.describe({ state: 'COMPLETED', endedMs });
    next.end();
    expect(listBeats(next)).toEqual([1340].map((minute) => [minute, '1', 'COMPLETED']));
  });

  it('say nothing of a job that logs no more than a notice', () => {
    const test = createPipelineUnderTest({ livesWithLog: true, opensStreams: false });
    test.pipeline.addNotice('stdout', 'nothing is logged');
    test.pipeline.close();
    expect(test.stored().map(({ measurement }) => measurement)).toEqual(['job_log']);
  });

  it('fill a week at most', async () => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    await test.clock.advance(250);
    await test.clock.advance(100 * DAY_MS);
    expect(listBeats(test)).toHaveLength(1 + 7 * 144 + 1);
    test.end();
  });

  it('keep nobody waiting', async () => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    await test.clock.advance(250);
    await test.clock.advance(250);
    expect(test.clock.sleepers).toBe(1);
    test.end();
    await test.clock.advance(0);
    expect(test.clock.sleepers).toBe(0);
  });
});
