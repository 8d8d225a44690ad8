import type { StatementResult } from '@joblens/core/influxql/response';
import { readFoundJobs } from '@joblens/core/ask/heartbeats/find-jobs';
import { readJobs } from '@joblens/core/ask/jobs/jobs';
import { readSignals } from '@joblens/core/ask/events/signals';
import { readTables } from '@joblens/core/ask/tables/tables';
import { findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import type { Stream } from '@joblens/core/schema/measurements';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { EitherStore, answer } from '../testing/either-store.js';
import { type FakeClock, createFakeClock } from '../testing/fake-clock.js';
import { type PipelineUnderTest, createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { StoredPoints, expandLog, readLog, readMetadata } from '../testing/stored-points.js';
import { parseJobState } from './job-state.js';

const SOURCE = { job: 'a "b" (1)', user: 'ann-é' };

type Step =
  | { readonly stream: Stream; readonly text: string }
  | { readonly pauseMs: number }
  | { readonly state: string; readonly reason?: string }
  | 'restart'
  | 'command';

const line = fc.constantFrom(
  ...['a\n', 'a\n', 'a\n', 'b\n', '\n', 'größe 😀\n', 'a', '\r50%', '\r\x1b[2K', '\x1b[31mred', '\x1b[0m\n'],
  ...['Epoch 1/3\n', ' 42%|####      | 42/100 [00:01<00:02]\r', 'CUDA out of memory\n', 'ValueError: bad "x"\n'],
  ...['{"loss": 0.5, "step": 1}\n', '{"loss": NaN, "step": 2}\n', '{"t": "x"}\n', '\r\n']
);
const many = fc
  .tuple(fc.nat({ max: 500 }), fc.constantFrom('line', 'same', '{"i": 1}'))
  .map(([n, what]) =>
    Array.from({ length: n }, (_, i) => (what === 'line' ? `line ${i >> 1}\n` : `${what}\n`)).join('')
  );
const moves = fc.constantFrom('\x1b[A', '\x1b[2A\r', '\x1b[3A\x1b[2Kup\n\n', '\n', '\x1b[B');

/** `texts`: what is printed, besides lines. */
function createSteps(texts: fc.Arbitrary<string>, pausesMs: readonly number[]): fc.Arbitrary<Step[]> {
  const text = fc.oneof(
    { weight: 5, arbitrary: line },
    { weight: 1, arbitrary: many },
    { weight: 3, arbitrary: texts }
  );
  const stream = fc.constantFrom<Stream>('stdout', 'stdout', 'stderr');
  const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 9, arbitrary: fc.record({ stream, text }) },
    { weight: 4, arbitrary: fc.constantFrom(...pausesMs).map((pauseMs) => ({ pauseMs })) },
    { weight: 1, arbitrary: fc.constantFrom('RUNNING', 'COMPLETED', 'FAILED').map((state) => ({ state })) },
    { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'command' as const) }
  );
  return fc.array(step, { maxLength: 40 });
}

/** As the system's clock, it gives whole microseconds, also behind a line of many parts. */
function createClock(): FakeClock {
  const clock = createFakeClock();
  let lastUs = BigInt(clock.nowMs()) * 1000n;
  return Object.assign(clock, {
    nextNs: () => (lastUs += 1n) * 1000n,
    reserve: (untilNs: bigint) => {
      const untilUs = (untilNs + 999n) / 1000n;
      if (untilUs > lastUs) lastUs = untilUs;
    },
  });
}

interface Store {
  write(text: string): void;
}

/** Logs a job that does these steps, and stores what is written. After a start the store is unknown for some steps. */
async function play(steps: readonly Step[], store: Store, rewrites: boolean, unknownSteps = 0): Promise<void> {
  const clock = createClock();
  let values: string[] = [];
  let stepsSinceStart = 0;
  const open = (): PipelineUnderTest => {
    stepsSinceStart = 0;
    return createPipelineUnderTest({
      ...{ source: SOURCE, clock, isResumable: true, livesWithLog: true },
      rewrites: () => (stepsSinceStart < unknownSteps ? undefined : rewrites),
      state: parseJobState(values),
    });
  };
  let test = open();
  const take = (): void => {
    store.write(test.text());
    for (const { states } of test.records) values.push(...states.map(({ value }) => value));
  };
  for (const step of steps) {
    stepsSinceStart += 1;
    if (step === 'restart') {
      test.pipeline.suspend();
      take();
      values = [...test.states].length > 0 ? [[...test.states][0]?.takeWholeState() ?? ''] : values;
      test = open();
    } else if (step === 'command') await test.write('stdout', '\n/LOGCOMMAND {"nonfinite": "log"}\n');
    else if ('pauseMs' in step) await clock.advance(step.pauseMs);
    else if ('state' in step) {
      const times = step.state === 'RUNNING' ? { startedMs: clock.nowMs() } : { endedMs: clock.nowMs() };
      const description = { state: step.state, ...times };
      if (step.state === 'RUNNING') test.pipeline.describe(description);
      else test.pipeline.describeEnd(description, {});
    } else await test.write(step.stream, step.text);
  }
  test.end();
  take();
}

/** What readers show once the job has ended. Times are told to the second: versions are nanoseconds apart. */
function readAll(points: ReturnType<StoredPoints['list']>): unknown {
  const ask = (measurement: string, ...tags: string[]): StatementResult => answer(points, measurement, tags);
  const tables = ask('job_series', 'job', 'user', 'series', 'task');
  const logOf = (stream: Stream): string[] =>
    expandLog(readLog(points.filter(({ tags }) => tags.get('stream') === stream)));
  const shown = {
    ...{ stdout: logOf('stdout'), stderr: logOf('stderr'), rows: readMetadata(points) },
    tables: readTables(tables),
    jobs: readJobs([ask('job', 'job', 'user'), undefined, undefined, tables]),
    // A newer heartbeat of a slot is less than a millisecond behind its place.
    living: readFoundJobs([ask('job_heartbeat')]).map(({ fromNs, toNs, ...job }) => ({
      ...job,
      slots: [fromNs, toNs].map((timeNs) => findSlotStartMs(Number(timeNs / 1_000_000n), HEARTBEAT_GRIDS[0])),
    })),
    signals: readSignals(ask('job_event')),
  };
  const json = JSON.stringify(shown, (_key, value: unknown) => {
    if (value instanceof Map) return [...value];
    return typeof value === 'bigint' ? `${value / 1_000_000_000n} s` : value;
  });
  return JSON.parse(json);
}

async function expectAlike(steps: readonly Step[], seed: number): Promise<void> {
  let state = seed + 1;
  const choose = (): boolean => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0;
  };
  const [reliable, either] = [new StoredPoints(), new EitherStore(choose)];
  await play(steps, reliable, true);
  await play(steps, either, false);
  expect(either.rewritten).toEqual([]);
  expect(readAll(either.list())).toEqual(readAll(reliable.list()));
}

describe('a store that is unknown for a while after each start', () => {
  it('has each point once, as one that is known, where it rewrites', async () => {
    const like = async (all: readonly Step[], unknown: number): Promise<void> => {
      const [known, asked] = [new StoredPoints(), new StoredPoints()];
      await play(all, known, true);
      await play(all, asked, true, unknown);
      expect(readAll(asked.list())).toEqual(readAll(known.list()));
      expect(countPoints(asked)).toEqual(countPoints(known));
    };
    const steps = createSteps(moves, [10, 300, 3000, 61_000]);
    const unknownSteps = fc.integer({ min: 1, max: 12 });
    await fc.assert(fc.asyncProperty(steps, unknownSteps, like), { numRuns: randomCases(60) });
  });
});

/** Counts points. Leaves out empty log lines: one may stand for a line that is gone, where that was shown before. */
function countPoints(stored: StoredPoints): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { measurement } of stored.list()) {
    if (measurement !== 'job_log') counts[measurement] = (counts[measurement] ?? 0) + 1;
  }
  return counts;
}

describe('a store that keeps either of two versions of a point', () => {
  it('shows in the end what a reliable one does, of a job that prints lines and bars', async () => {
    // Where a long one is drawn over, the reliable store is left with its later parts.
    const longLine = fc.constantFrom('x'.repeat(70_000));
    const steps = createSteps(longLine, [10, 300, 3000, 61_000, 700_000]);
    await fc.assert(fc.asyncProperty(steps, fc.nat(), expectAlike), { numRuns: randomCases(60) });
  });

  it('does so of a job that draws over lines that have ended', async () => {
    const steps = createSteps(moves, [10, 300, 1000]);
    const drawn = steps.map((all): Step[] => [
      { stream: 'stdout', text: '\x1b[A' },
      { stream: 'stderr', text: 'x\n\x1b[A' },
      ...all,
    ]);
    await fc.assert(fc.asyncProperty(drawn, fc.nat(), expectAlike), { numRuns: randomCases(60) });
  });

  it('holds a line for two seconds once it has ended, and a notice until its run is over', async () => {
    const test = createPipelineUnderTest({ rewrites: () => false });
    const shown = (): string[] => readLog(test.stored());
    await test.write('stdout', 'a\na\n');
    await test.clock.advance(50);
    await test.clock.advance(1500);
    expect(shown()).toEqual([]);
    await test.clock.advance(250);
    await test.clock.advance(500);
    expect(shown()).toEqual(['a']);
    await test.write('stdout', 'a\nb\n');
    for (let i = 0; i < 10; i += 1) await test.clock.advance(250);
    expect(shown()).toEqual(['a', '[notice] (previous line repeated 2 times)', 'b']);
    // It counted as final.
    await test.write('stdout', '\x1b[Ab was drawn over\n');
    for (let i = 0; i < 10; i += 1) await test.clock.advance(250);
    expect(shown()).toEqual(['a', '[notice] (previous line repeated 2 times)', 'b']);
    test.end();
    expect(shown()).toEqual(['a', '[notice] (previous line repeated 2 times)', 'b', 'b was drawn over']);
  });

  it('gives a summary of a table a few times, and readers take the newest', async () => {
    const either = new EitherStore(() => false);
    const test = createPipelineUnderTest({ rewrites: () => false });
    for (let i = 0; i < 2000; i += 1) {
      await test.write('stdout', `{"i": ${i}}\n`);
      await test.clock.advance(1000);
    }
    test.end();
    either.write(test.text());
    const points = either.list().filter(({ measurement }) => measurement === 'job_series');
    expect(points.length).toBeLessThan(130);
    const [table] = readTables(answer(points, 'job_series', ['job', 'user', 'series', 'task']));
    expect(table).toMatchObject({ rows: 2000, runs: [{ rows: 2000, timeNs: points[0]?.timeNs }] });
  });
});
