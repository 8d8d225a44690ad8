import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { randomCases, SEED } from '../../../test/random-cases.js';
import { prepareJoblens, type Started, until } from '../testing/joblens.js';
import { createJobOutputs, LAST_LINE } from './testing/job-output.js';
import { hasSpool } from './testing/has-spool.js';
import { createRandom, sleep } from './testing/random.js';
import { createStoredRows, namesOf, type StoredRow, type StoredRows, withoutTimes } from './testing/stored-rows.js';

const LIVES = randomCases(24);
const LINES = 20 * LIVES;
/** Once in this many lives of joblens, InfluxDB is killed too. */
const LIVES_A_SERVER_KILL = 7;
/** This one lasts until this many log lines are stored (of 5 * LINES by then), so that kills can harm them. */
const HALF_WAY_LIFE = Math.ceil(LIVES / 2);
const HALF_WAY_LINES = 3 * LINES;
/** The share of kills that come before the watch may have opened its spool. */
const STARTING_SHARE = 0.15;
const ASKED_SHARE = 0.15;
/** Small, so that its files are changed and removed often. MiB. */
const SPOOL_SIZE = '2';
const MEASUREMENTS = ['job_log', 'job_metadata', 'job_metadata_bucket', 'job_series', 'job'];

jest.setTimeout(300_000 + 5000 * LIVES);

describeWith(['influxd'], `joblens watch in ${LIVES} lives, most of them killed (seed ${SEED})`, () => {
  const joblens = prepareJoblens();
  // Each on its own, so that the machine's speed changes neither the output nor who is killed when.
  const random = createRandom(SEED);
  const randomOfWriters = createRandom(SEED + 1);
  const outputs = createJobOutputs(createRandom(SEED + 2), LINES);
  const folder = join(joblens.folder, 'jobs');
  let influxdb: Influxdb;

  beforeAll(async () => {
    mkdirSync(folder);
    influxdb = await startInfluxdb();
    const q = 'CREATE DATABASE "unharmed"';
    await fetch(`${influxdb.url}/query`, { method: 'POST', body: new URLSearchParams({ q }) });
  });
  afterEach(() => influxdb.restart());
  afterAll(async () => {
    joblens.remove();
    await influxdb.stop();
  });

  const spool = (database: string): string => join(joblens.folder, `spool-${database}`);
  const startWatch = (database: string): Started =>
    joblens.start([
      ...['watch', folder, '--mode', 'enabled', '--health', 'off', '--limit-bytes', '0', '--limit-lines', '0'],
      ...['--url', influxdb.url, '--database', database, '--spool', spool(database), '--spool-size', SPOOL_SIZE],
    ]);

  /** Waits until all is stored, asks the process to end, and returns its exit code. */
  async function finish(watch: Started, stored: StoredRows): Promise<number | null> {
    await until(async () => (await stored.countSeriesWithLine(LAST_LINE)) === outputs.size);
    watch.kill('SIGTERM');
    return (await watch.ended).code;
  }

  async function killServer(): Promise<void> {
    await influxdb.kill();
    await sleep(300 + 700 * random());
    await influxdb.restart();
  }

  it('stores what an unharmed one stores, each row once, at the time that it had first', async () => {
    const writers = [...outputs].map(([name, bytes]) => createWriter(join(folder, name), bytes, randomOfWriters));
    const stored = createStoredRows(influxdb.url, 'joblens');
    const seen = new Set<string>();
    const see = async (): Promise<number> => {
      for (const name of namesOf(await stored.read('job_log'))) seen.add(name);
      return seen.size;
    };
    let serverKills = 0;
    let restarting = Promise.resolve();
    let kills = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const watch = startWatch('joblens');
      const write = (share: number): void => writers.forEach((writer) => writer((life + share) / LIVES));
      if (random() < STARTING_SHARE) await sleep(300 * random());
      else await until(() => hasSpool(spool('joblens'), watch.pid));
      await writeFor(800 * random(), write);
      if (life % LIVES_A_SERVER_KILL === 3) {
        await restarting;
        restarting = killServer();
        serverKills += 1;
      }
      if (life === HALF_WAY_LIFE) {
        writers.forEach((writer) => writer(0.5, 'all'));
        await restarting;
        await until(async () => (await see()) >= HALF_WAY_LINES);
      }
      // While the server is away nothing can be seen.
      await see().catch(() => undefined);
      // Some are asked to end: they must leave what the next one needs, too.
      const signal = random() < ASKED_SHARE ? 'SIGTERM' : 'SIGKILL';
      watch.kill(signal);
      if (signal === 'SIGKILL') kills += 1;
      await watch.ended;
    }
    await restarting;
    writers.forEach((writer) => writer(1, 'all'));
    expect(await finish(startWatch('joblens'), stored)).toBe(0);

    const unharmed = createStoredRows(influxdb.url, 'unharmed');
    expect(await finish(startWatch('unharmed'), unharmed)).toBe(0);
    for (const measurement of MEASUREMENTS) {
      expect(comparable(await stored.read(measurement))).toEqual(comparable(await unharmed.read(measurement)));
    }
    const names = new Set(namesOf(await stored.read('job_log')));
    expect([...seen].filter((name) => !names.has(name))).toEqual([]);
    // Enough was there to be harmed.
    expect((await stored.read('job_metadata_bucket')).size).toBeGreaterThanOrEqual(8);
    expect(seen.size).toBeGreaterThan(names.size / 4);
    expect(kills).toBeGreaterThan(LIVES / 4);
    expect(serverKills).toBeGreaterThanOrEqual(Math.floor(LIVES / LIVES_A_SERVER_KILL));
  });
});

/** Calls `write` again and again with the share of the time that is over. */
async function writeFor(durationMs: number, write: (share: number) => void): Promise<void> {
  const startMs = Date.now();
  for (let share = 0; share < 1; share = (Date.now() - startMs) / durationMs) {
    write(share);
    await sleep(10);
  }
}

/** Appends to a file, in pieces cut at random bytes, until it holds the given share of the output, or nearly so. */
function createWriter(
  path: string,
  bytes: Buffer,
  random: () => number
): (share: number, amount?: 'all' | 'some') => void {
  let written = 0;
  return (share, amount = 'some') => {
    const end = Math.floor(bytes.length * share);
    while (written < end && (amount === 'all' || random() < 0.7)) {
      const next = amount === 'all' ? end : Math.min(end, written + 1 + Math.floor(random() * 2000));
      appendFileSync(path, bytes.subarray(written, next));
      written = next;
    }
  };
}

/** Without what depends on when lines came: times, and how far a job then seemed to be. */
function comparable(stored: ReadonlyMap<string, readonly StoredRow[]>): Map<string, StoredRow[]> {
  const rows = [...withoutTimes(stored)];
  return new Map(rows.map(([series, all]) => [series, all.filter((row) => !('progress' in row))]));
}
