import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok } from '@joblens/core/result/result';
import { Counters } from '../delivery/counters.js';
import { CommandFile } from '../peers/command-file.js';
import { createTokenBucket } from '../pipeline/token-bucket.js';
import { createRetryingSink } from '../sinks/retrying-sink.js';
import { SourceFaults } from '../sources/guard/source-faults.js';
import { createPathDiscovery } from '../sources/watch/discovery/path-discovery.js';
import { createWatched } from '../sources/watch/testing/watched.js';
import { HooksInUse } from '../sources/slurm/hooks-in-use.js';
import type { RunProgram } from '../slurm/run-program.js';
import { SlurmDiscovery } from '../sources/slurm/slurm-discovery.js';
import { toBytesRunner } from '../sources/slurm/testing/world.js';
import { StateRegistry } from '../queue/state-registry.js';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { UsageSampler } from '../usage/usage-sampler.js';

const HOUR_MS = 3_600_000;
const root = mkdtempSync(join(tmpdir(), 'joblens-stepped-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Lives through something, calls `step` in the middle, and returns what was seen of it. */
type Life = (step: (clock: Pick<FakeClock, 'stepWall'>) => void) => Promise<unknown>;

const SILENT = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };
const FAULTS = new SourceFaults({ faults: 0 }, SILENT);

/** The number of points of a measurement that were written so far. */
function countPoints(text: string, measurement: string): number {
  return text.split('\n').filter((line) => line.startsWith(`${measurement},`)).length;
}

const LIVES: Readonly<Record<string, Life>> = {
  'watch: files that grow, come and are removed': async (step) => {
    const watched = createWatched();
    const at = (id: string): { id: string; files: { path: string; stream: 'stdout' }[] } => ({
      id,
      files: [{ path: watched.at(`${id}.out`), stream: 'stdout' }],
    });
    watched.append('old\n', 'a (1).out');
    await watched.pass(1000, [at('a (1)')]);
    step({ stepWall: (ms) => (watched.steppedMs += ms) });
    watched.append('new\n', 'a (1).out');
    watched.append('first\n', "b'.out");
    const seen: unknown[] = [];
    for (let pass = 0; pass < 24; pass += 1) {
      await watched.pass(500, pass === 0 ? [at('a (1)'), at("b'")] : undefined);
      if (pass === 20) watched.append('late\n', 'a (1).out');
      seen.push([watched.log('a (1)').length, watched.log("b'").length]);
    }
    // Its last line is complete once the file has been quiet for ten minutes.
    watched.append('open', "b'.out");
    await watched.pass(11_000);
    await watched.pass(700_000);
    seen.push(watched.log("b'"));
    await watched.close();
    return seen;
  },

  'watch: the search for files': async (step) => {
    const clock = createFakeClock();
    const folder = mkdtempSync(join(root, 'f-'));
    const { monotonicMs } = clock;
    const discovery = createPathDiscovery({ paths: [folder], monotonicMs, warn: () => undefined, faults: FAULTS });
    const seen: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      writeFileSync(join(folder, `slurm-${i}.out`), '');
      if (i === 2) step(clock);
      await clock.advance(11_000);
      seen.push((await discovery.poll()).map(({ id }) => id));
    }
    return seen;
  },

  'watch --slurm: questions, settling ends, and jobs that are given up': async (step) => {
    const clock = createFakeClock();
    const startS = Math.floor(clock.nowMs() / 1000) - 100;
    const job = (id: number, state: string, end: number): unknown => ({
      ...{ job_id: id, user_id: 1000, user_name: 'ann', name: 'a\nb', job_state: state, nodes: 'n1', node_count: 1 },
      ...{ batch_flag: true, current_working_directory: '/w', submit_time: startS, start_time: startS, end_time: end },
    });
    const jobs = [job(1, 'RUNNING', 0), job(2, 'RUNNING', 0)];
    let squeueFails = 0;
    const calls: unknown[] = [];
    const run: RunProgram = (program) => {
      calls.push(program);
      if (program === 'sacct') return Promise.resolve(err('not now'));
      squeueFails -= 1;
      return Promise.resolve(squeueFails >= 0 ? err('down') : ok(JSON.stringify({ jobs })));
    };
    const discovery = new SlurmDiscovery({
      ...{ run, runForBytes: toBytesRunner(run) },
      ...{ clock, uid: 0, report: SILENT, faults: FAULTS, findUser: () => Promise.resolve({ name: 'ann' }) },
      memory: { queue: { append: () => true }, states: new StateRegistry(), restored: new Map() },
      hooks: new HooksInUse({ read: () => [], warn: () => undefined }),
    });
    await discovery.poll();
    const endS = Math.floor(clock.nowMs() / 1000);
    jobs.splice(0, 2, job(1, 'TIMEOUT', endS));
    const seen: unknown[] = [];
    for (let i = 0; i < 60; i += 1) {
      if (i === 4) step(clock);
      if (i === 20) squeueFails = 3;
      await clock.advance(1000);
      const listed = await discovery.poll().catch(() => []);
      seen.push([calls.length, listed.map(({ id, isEnded }) => [id, isEnded])]);
    }
    await clock.advance(2 * HOUR_MS);
    await discovery.poll();
    await clock.advance(0);
    // Job 2 was given up.
    seen.push(JSON.stringify(await discovery.poll()).includes('"id":"2"'));
    return seen;
  },

  'run: summaries, open rows, repeats and progress are rewritten as often': async (step) => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
    const seen: unknown[] = [];
    for (let second = 0; second < 90; second += 1) {
      await test.write('stdout', `{"loss": ${second}.5}\nEpoch ${second}/100\n`);
      await test.write('stderr', `\r${second}%|bar|`);
      await test.write('stderr', second % 2 === 0 ? '' : 'ValueError: x\n');
      if (second === 40) step(test.clock);
      for (let i = 0; i < 4; i += 1) await test.clock.advance(250);
      seen.push(['job_series', 'job_log', 'job_event'].map((name) => countPoints(test.text(), name)));
    }
    test.end();
    return seen;
  },

  'a job that stands still is told in each slot': async (step) => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ state: 'RUNNING', startedMs: 5 });
    await test.write('stdout', 'a\n');
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute === 31) step(test.clock);
      await test.clock.advance(60_000);
    }
    const silentS = test.stored().flatMap(({ fields }) => fields.get('silent_s') ?? []);
    test.end();
    return silentS.map(Number).sort((a, b) => a - b);
  },

  'the usage of a job': async (step) => {
    const clock = createFakeClock();
    const startedMs = clock.nowMs() - 5000;
    let cpuSeconds = 0;
    const read = (): { cpuSeconds: number; memoryBytes: number; readBytes: number; writtenBytes: number } => ({
      ...{ cpuSeconds: (cpuSeconds += 10), memoryBytes: 7, readBytes: 0, writtenBytes: 0 },
    });
    const sampler = new UsageSampler({ source: { name: '', read }, clock, startedMs });
    const seen: unknown[] = [];
    for (let i = 0; i < 5; i += 1) {
      await clock.advance(10_000);
      if (i === 2) step(clock);
      seen.push(sampler.take());
    }
    return seen;
  },

  'a store that refuses the same points again and again': async (step) => {
    const clock = createFakeClock();
    let attempts = 0;
    const inner = {
      write: () => Promise.resolve({ kind: 'retryable' as const, message: 'timeout', isHeld: (attempts += 1) > 0 }),
      close: () => Promise.resolve(),
    };
    const retrying = createRetryingSink(inner, { clock, report: SILENT, random: () => 0, onHealth: () => undefined });
    const stop = new AbortController();
    const request = { isOver: false };
    const done = retrying
      .write({ bytes: Buffer.from('m f=1 1\n'), points: 1 }, stop.signal)
      .finally(() => (request.isOver = true));
    let seconds = 0;
    for (; seconds < 900 && !request.isOver; seconds += 1) {
      if (seconds === 20) step(clock);
      await clock.advance(1000);
    }
    stop.abort();
    await clock.advance(0);
    await done;
    return [attempts, seconds];
  },

  'limits, and the age of what waits': async (step) => {
    const clock = createFakeClock();
    const { monotonicMs } = clock;
    const bucket = createTokenBucket({ bytesPerSecond: 1000, linesPerSecond: 1000 }, monotonicMs);
    const counters = new Counters();
    const seen: unknown[] = [];
    for (let i = 0; i < 20; i += 1) {
      if (i === 10) step(clock);
      await clock.advance(500);
      counters.addQueued(1, monotonicMs());
      seen.push(bucket.take(700, 1), counters.lagMs(i + 1, monotonicMs()));
    }
    return seen;
  },

  'commands among processes': async (step) => {
    const clock = createFakeClock();
    const folder = mkdtempSync(join(root, 'p-'));
    const alive = new Set([1, 2]);
    const enter = (pid: number): CommandFile =>
      new CommandFile({
        ...{ folder, name: 'job', member: [pid, '1'], isAlive: (id) => alive.has(id), startedMs: clock.monotonicMs() },
        ...{ monotonicMs: clock.monotonicMs, onFault: () => undefined },
      });
    const [first, second] = [enter(1), enter(2)];
    await clock.advance(1000);
    step(clock);
    first.publish({ mode: 'disabled' });
    const commands = second.take().map(({ options, atMs }) => [options, clock.monotonicMs() - atMs]);
    alive.delete(2);
    await clock.advance(6000);
    return [commands, first.hasPeers];
  },
};

describe('a wall clock that is set in the middle of a life', () => {
  describe.each(Object.entries(LIVES))('%s', (_name, live) => {
    let unstepped: Promise<unknown> | undefined;

    it.each([-HOUR_MS, HOUR_MS, -24 * HOUR_MS])('by %d ms changes nothing', async (stepMs) => {
      unstepped ??= live(() => undefined);
      expect(await live((clock) => clock.stepWall(stepMs))).toEqual(await unstepped);
    });
  });

  it.each([-HOUR_MS, HOUR_MS])('by %d ms leaves no slot without a heartbeat', async (stepMs) => {
    const test = createPipelineUnderTest({ livesWithLog: true });
    test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
    const beganMs = test.clock.nowMs();
    for (let minute = 0; minute < 150; minute += 1) {
      if (minute === 31) test.clock.stepWall(stepMs);
      await test.clock.advance(60_000);
    }
    const beats = test.stored().filter(({ measurement }) => measurement === 'job_heartbeat');
    const timesMs = beats.map(({ timeNs }) => Number(timeNs / 1_000_000n)).sort((a, b) => a - b);
    const slots = new Set(timesMs.map((timeMs) => Math.floor(timeMs / 600_000)));
    for (let slot = Math.floor(beganMs / 600_000); slot < Math.floor(test.clock.nowMs() / 600_000); slot += 1) {
      expect(slots).toContain(slot);
    }
    test.end();
  });

  it.each([true, false])('back by an hour, it is seen to live at once (log of its own: %s)', async (livesWithLog) => {
    const test = createPipelineUnderTest({ livesWithLog });
    for (let minute = 0; minute < 15; minute += 1) {
      await test.write('stdout', 'line\n');
      await test.clock.advance(60_000);
    }
    test.clock.stepWall(-HOUR_MS);
    const slots = new Set<number>();
    for (let minute = 0; minute < 45; minute += 1) {
      await test.write('stdout', 'line\n');
      slots.add(Math.floor(test.clock.nowMs() / 600_000));
      await test.clock.advance(60_000);
    }
    const beats = test
      .stored()
      .filter(({ measurement, tags }) => measurement === 'job_heartbeat' && tags.get('grid') === '10m');
    const slotsOfBeats = beats.map(({ timeNs }) => Math.floor(Number(timeNs / 1_000_000n) / 600_000));
    for (const slot of slots) expect(slotsOfBeats).toContain(slot);
    // Not one for each line.
    expect(test.text().match(/^job_heartbeat/gm)?.length).toBeLessThan(25);
    test.end();
  });
});
