import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createSystemClock } from '../clock/clock.js';
import { Counters } from '../delivery/counters.js';
import { JobPipeline } from '../pipeline/job-pipeline.js';
import { StateRegistry } from '../queue/state-registry.js';
import { DEFAULT_LOG_CONFIG } from '../rules/options/log-config.js';
import { until, untilStill } from '../testing/joblens.js';
import { createNodeSpoolFs } from './node-spool-fs.js';
import type { Spool } from './open-folder.js';
import { openSpool } from './open-spool.js';
import type { SpoolFile, SpoolFs } from './spool-fs.js';
import { createFacts } from './testing/place.js';

const MIB = 2 ** 20;
const CHUNK_LINES = 1000;
/** Their points take more memory than there may be. */
const LINES = 500_000;

/** The machine's file system, but no segment becomes durable before `goOn` is called. */
function createStalledFs(): { fs: SpoolFs; goOn: () => void } {
  const fs = createNodeSpoolFs();
  let goOn = (): void => undefined;
  const stalled = new Promise<void>((resolve) => (goOn = resolve));
  const stall = (file: SpoolFile): SpoolFile => ({ ...file, sync: () => stalled.then(() => file.sync()) });
  const create = (path: string): SpoolFile => (path.endsWith('.segment') ? stall(fs.create(path)) : fs.create(path));
  return { goOn: () => goOn(), fs: { ...fs, create } };
}

async function countPoints(spool: Spool): Promise<number> {
  let points = 0;
  for (;;) {
    const batch = await spool.read({ maxPoints: 10_000, maxBytes: 2_000_000 });
    if (batch === undefined) return points;
    points += batch.points;
    await spool.release();
  }
}

async function openTestSpool(root: string, fs: SpoolFs, said: string[]): Promise<Spool> {
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: say, info: say, debug: say };
  const facts = createFacts({ uid: process.getuid?.() ?? 0, isAlive: () => true });
  const destination = { url: 'http://127.0.0.1:9', bucket: 'b' };
  const opened = await openSpool({
    ...{ root, fs, facts, clock: createSystemClock(), random: Math.random, report },
    ...{ role: 'job', destination, sources: [] },
  });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

it('syncs once at a time, though records are added and waited for while a sync ends', async () => {
  const root = join(mkdtempSync(join(tmpdir(), 'slow-')), 'spool');
  const nodeFs = createNodeSpoolFs();
  const running: (() => void)[] = [];
  const hold = (file: SpoolFile): SpoolFile => ({
    ...file,
    sync: () => new Promise((resolve) => running.push(resolve)),
  });
  const create = (path: string): SpoolFile =>
    path.endsWith('.segment') ? hold(nodeFs.create(path)) : nodeFs.create(path);
  const spool = await openTestSpool(root, { ...nodeFs, create }, []);
  let added = 0;
  const add = (): boolean =>
    spool.append({ bytes: Buffer.from(`a i=${(added += 1)} 1\n`), points: 1, states: [], isUrgent: false });
  const endSync = async (): Promise<void> => {
    expect(running).toHaveLength(1);
    running.pop()?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  // The first one syncs the folder too, which takes a while.
  for (let i = 0; i < 3; i += 1) {
    add();
    const first = spool.untilDurable();
    add();
    const second = spool.untilDurable();
    // Not written yet when the first sync ends.
    add();
    await endSync();
    expect(await first).toBe(true);
    await endSync();
    expect(await second).toBe(true);
  }
  const end = setInterval(() => running.pop()?.(), 1);
  await spool.close();
  clearInterval(end);
  rmSync(join(root, '..'), { recursive: true });
});

it('slows the source of a spool with a slow disk down, in bounded memory, and drops nothing', async () => {
  const root = join(mkdtempSync(join(tmpdir(), 'slow-')), 'spool');
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: say, info: say, debug: say };
  const clock = createSystemClock();
  const { fs, goOn } = createStalledFs();
  const spool = await openTestSpool(root, fs, said);
  const counters = new Counters();
  const pipeline = new JobPipeline({
    ...{ source: { job: '1', user: 'ann' }, config: DEFAULT_LOG_CONFIG, clock, report, onFull: 'drop' },
    limits: { bytesPerSecond: Infinity, linesPerSecond: Infinity },
    // The server is away.
    delivery: { queue: spool, states: new StateRegistry(), counters, isLocal: false, sender: { isMoving: false } },
  });
  const stream = pipeline.openStream('stdout');
  let written = 0;
  const write = async (): Promise<void> => {
    for (; written < LINES; written += CHUNK_LINES) {
      const lines = Array.from({ length: CHUNK_LINES }, (_, i) => `line ${written + i}${'.'.repeat(60)}\n`);
      await stream.write(Buffer.from(lines.join('')));
    }
  };
  const writing = write();
  await until(() => spool.waitingBytes > 20 * MIB);
  await untilStill(() => written, 1000);
  expect(written).toBeLessThan(LINES);
  expect([spool.relief, spool.waitingBytes > 20 * MIB, spool.waitingBytes < 35 * MIB]).toEqual(['disk', true, true]);
  goOn();
  await writing;
  stream.end();
  expect(await pipeline.untilQueued(10_000)).toBe(true);
  pipeline.close();
  expect(await spool.untilDurable()).toBe(true);
  const points = await countPoints(spool);
  expect([points, pipeline.droppedPoints, counters.droppedPoints, said]).toEqual([
    LINES + HEARTBEAT_GRIDS.length,
    0,
    0,
    [],
  ]);
  await spool.close();
  rmSync(join(root, '..'), { recursive: true });
});
