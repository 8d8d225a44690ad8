// Runs alone: it measures how much of the output a kill loses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath, kill as killProcess } from 'node:process';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { randomCases, SEED } from '../../../test/random-cases.js';
import { prepareJoblens, type Started, until } from '../testing/joblens.js';
import { hasSpool } from './testing/has-spool.js';
import { createRandom, sleep } from './testing/random.js';
import { createStoredRows } from './testing/stored-rows.js';

/** Kills of each command, with and without a server. */
const KILLS = randomCases(3);
/** Output of the last 100 ms may be lost. A busy machine reads later: now and then much later, but mostly not. */
const LOST_MS = 500;
const MOST_LOST_MS = 2000;

jest.setTimeout(300_000 + 10_000 * KILLS);

/** Prints lines that say when they were printed, until it is killed. */
const PRINTER = `
  let i = 0;
  setInterval(() => {
    let text = '';
    for (let k = 0; k < 5; k += 1) text += 'line ' + i++ + ' at ' + Date.now() + '\\n';
    process.stdout.write(text);
  }, 2);`;

interface Killed {
  readonly job: string;
  readonly killedMs: number;
}

describeWith(['influxd'], `joblens run and pipe, each killed ${2 * KILLS} times (seed ${SEED})`, () => {
  const joblens = prepareJoblens();
  const random = createRandom(SEED);
  const printer = join(joblens.folder, 'printer.cjs');
  const spool = join(joblens.folder, 'spool');
  let influxdb: Influxdb;

  beforeAll(async () => {
    writeFileSync(printer, PRINTER);
    influxdb = await startInfluxdb();
  });
  afterEach(() => influxdb.restart());
  afterAll(async () => {
    joblens.remove();
    await influxdb.stop();
  });

  const toServer = (): string[] => ['--url', influxdb.url, '--spool', spool];
  const command = {
    run: (job: string): Started =>
      joblens.start(['run', '--mode', 'enabled', '--job', job, ...toServer(), '--', execPath, printer]),
    pipe: (job: string): Started => {
      const child = joblens.start(['pipe', '--mode', 'enabled', '--job', job, ...toServer()]);
      let i = 0;
      const writing = setInterval(() => child.write(`line ${i++} at ${Date.now()}\n`), 2);
      void child.ended.then(() => clearInterval(writing));
      return child;
    },
  };

  /** Kills joblens in the middle, later also the program that it logs, which must have lived on. */
  async function killOne(name: 'run' | 'pipe', job: string): Promise<Killed> {
    const child = command[name](job);
    await until(() => hasSpool(spool, child.loggerPid()));
    await sleep(MOST_LOST_MS + 600 * random());
    const killedMs = Date.now();
    child.kill('SIGKILL');
    if (name === 'run') {
      const printed = child.stdout().length;
      await until(() => child.stdout().length > printed);
      killProcess(-child.pid, 'SIGKILL');
    }
    await child.ended;
    return { job, killedMs };
  }

  async function killAll(prefix: string): Promise<Killed[]> {
    const killed: Killed[] = [];
    for (let i = 0; i < KILLS; i += 1) {
      const names = ['run', 'pipe'] as const;
      killed.push(...(await Promise.all(names.map((name) => killOne(name, `${name}-${prefix}-${i}`)))));
    }
    return killed;
  }

  /** All lines up to shortly before the kill are stored, each once, in their order. */
  async function check(killed: readonly Killed[]): Promise<void> {
    const stored = await createStoredRows(influxdb.url, 'joblens').read('job_log');
    const lostMs: number[] = [];
    for (const { job, killedMs } of killed) {
      const rows = [...stored].find(([series]) => series.includes(`"${job}"`))?.[1] ?? [];
      const lines = rows.map(({ line }) => /^line (\d+) at (\d+)$/.exec(String(line)));
      expect(lines.map((found) => found?.[1])).toEqual(lines.map((_, i) => String(i)));
      const lastMs = killedMs - Number(lines.at(-1)?.[2] ?? 0);
      lostMs.push(lastMs);
      expect([job, lastMs < MOST_LOST_MS, lastMs]).toEqual([job, true, lastMs]);
    }
    const median = lostMs.sort((a, b) => a - b)[lostMs.length >> 1];
    expect(median).toBeLessThan(LOST_MS);
  }

  it('loses no line that was read some time before, while the server takes points: the next joblens sends them', async () => {
    const killed = await killAll('up');
    const next = await joblens.run(['pipe', '--mode', 'enabled', '--job', 'next', ...toServer()], 'a line\n');
    expect(next.code).toBe(0);
    const drained = await joblens.run(['drain', ...toServer()]);
    expect([drained.code, drained.stdout.toString()]).toEqual([
      0,
      expect.stringMatching(/; 0 are left\n$|^nothing waits/),
    ]);
    await check(killed);
  });

  it('loses none while the server is away: joblens drain sends them', async () => {
    await influxdb.kill();
    const killed = await killAll('away');
    await influxdb.restart();
    expect((await joblens.run(['drain', ...toServer()])).stdout.toString()).toMatch(
      /^sent \d+ points .*; 0 are left\n$/
    );
    await check(killed);
  });
});
