import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, type Started, until, untilStill } from '../testing/joblens.js';
import { sleep } from './testing/random.js';
import { createStoredRows, type StoredRows } from './testing/stored-rows.js';
import { canMount, mountTinyDisk, type TinyDisk } from './testing/tiny-disk.js';

/** Their points take some times the room that there is. Few long lines cost the machine less than many short ones. */
const LINES = 10_000;
const SPOOL_MIB = 2;
const DISK_MIB = 8;
/** Also of the memory that holds what finds no room on the disk. */
const MANY_LINES = 45_000;
/** After the server has come back. */
const LATE_LINES = 100;
const LINE_CHARS = 1000;
/** The longest time that a test may take. */
const MAX_WAIT_S = 300;
/** On a busy machine, the reader sometimes reaches the end of the output so far in the middle of a line. */
const MAX_PIECES = 50;
/** Times in a row without room, one for each that the reader is behind when the server comes back. */
const MAX_SPELLS = 3;
const formatLine = (number: number): string => String(number).padStart(LINE_CHARS, '0');
const formatLines = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const formatOutput = (lines: number): Buffer =>
  formatLines(Array.from({ length: lines + LATE_LINES }, (_, i) => formatLine(i + 1)));
/** A run prints a line a second more until it is let go. */
const OUTPUT = formatOutput(MANY_LINES + MAX_WAIT_S);

describeWith(['influxd'], 'a spool without room while InfluxDB is away', () => {
  const joblens = prepareJoblens();
  const disks: TinyDisk[] = [];
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  beforeEach(() => influxdb.kill());
  afterAll(async () => {
    await influxdb.stop();
    for (const disk of disks) disk.remove();
    joblens.remove();
  });

  function createDisk(name: string): string[] {
    const disk = mountTinyDisk(join(joblens.folder, name), DISK_MIB);
    disks.push(disk);
    // With several files, the oldest are removed as they are sent, which makes room on the disk.
    return ['--spool', disk.path, '--spool-size', String(2 * DISK_MIB)];
  }
  const limitSpool = (name: string): string[] => [
    ...['--spool', join(joblens.folder, name)],
    ...['--spool-size', String(SPOOL_MIB)],
  ];
  const options = (): string[] => [
    ...['--mode', 'enabled', '--url', influxdb.url, '--drain-timeout', '60'],
    ...['--limit-bytes', '0', '--limit-lines', '0'],
  ];

  const stored = (): StoredRows => createStoredRows(influxdb.url, 'joblens');

  /** Prints most lines, one each second until there is a file, and the rest. */
  const startRun = (job: string, more: readonly string[], lines = LINES): Started => {
    const print = `seq -f %0${LINE_CHARS}.0f`;
    const wait = `n=${lines}; until [ -e go-${job} ]; do n=$((n + 1)); ${print} $n $n; sleep 1; done`;
    const script = `${print} 1 ${lines}; ${wait}; ${print} $((n + 1)) $((n + ${LATE_LINES})); exit 3`;
    return joblens.start(['run', '--job', job, ...options(), ...more, '--', 'sh', '-c', script]);
  };
  const letGo = (job: string): void => writeFileSync(join(joblens.folder, `go-${job}`), '');

  /** The lines of a job that are stored, and how many points the notices among them say are missing. */
  async function readLog(job: string): Promise<{ lines: string[]; missing: number[] }> {
    const found = await stored().read('job_log', job);
    const rows = [...found.values()].flat();
    const select = (kind: string): string[] =>
      rows.filter((row) => row['kind'] === kind).map(({ line }) => String(line));
    return { lines: select('output'), missing: countMissing(select('notice')) };
  }

  /** Counting keeps InfluxDB busy: asked all the time it would hardly come to store anything. */
  async function countSeldom(job: string): Promise<number> {
    await sleep(1000);
    return stored().count(job);
  }

  /** How many lines are stored, or counted as missing by a notice. */
  async function countAccountedFor(job: string): Promise<number> {
    const notices = await stored().readNotices(job);
    return (await countSeldom(job)) - notices.length + countMissing(notices).reduce((sum, points) => sum + points, 0);
  }

  const full = 'there is no room for more points: output still passes through, but is not logged until there is room';
  // A real disk of that size needs root.
  const isDiskTried = canMount();
  const cases = [
    ...(isDiskTried ? [['disk', createDisk, /writing to the spool .* failed \(ENOSPC\)/, MANY_LINES] as const] : []),
    ['limit', limitSpool, new RegExp(full), LINES] as const,
  ];

  if (!isDiskTried) it.skip('on a disk that is full (needs root, to mount one)', () => undefined);

  it.each(cases)(
    'lets the job of run go on, and counts what is missing: %s',
    async (name, createSpool, message, count) => {
      const job = `drop-${name}`;
      const child = startRun(job, createSpool(job), count);
      const countPrinted = (): number => child.stdout().length / (LINE_CHARS + 1);
      await until(() => countPrinted() >= count);
      const said = (): string[] => child.stderr().toString().match(new RegExp(message, 'g')) ?? [];
      await until(() => said().length > 0);
      await sleep(500);
      expect(said()).toHaveLength(1);
      await influxdb.restart();
      await until(() => child.stderr().includes('points are stored again'));
      // A notice comes with the next line.
      await until(async () => (await countAccountedFor(job)) > count);
      letGo(job);
      expect((await child.ended).code).toBe(3);
      const early = countPrinted() - LATE_LINES;
      expectAll(child.stdout(), early);

      const { lines: logged, missing } = await readLog(job);
      // A notice ends each time without room; a reader that is behind may fill the new room once more.
      const counted = missing.reduce((sum, points) => sum + points, 0);
      expect([missing.length >= 1, missing.length <= MAX_SPELLS, missing]).toEqual([true, true, missing]);
      // Points are counted, not lines: of a line that was read in two pieces both versions may be missing.
      const found = logged.length + counted - early - LATE_LINES;
      expect([found >= 0, found <= MAX_PIECES, found]).toEqual([true, true, found]);
      expect(logged.slice(-LATE_LINES)).toEqual(
        Array.from({ length: LATE_LINES }, (_, i) => formatLine(early + 1 + i))
      );
    }
  );

  const itOnDisk = isDiskTried ? it : it.skip;
  itOnDisk('loses nothing on a full disk while the server takes points, and says little', async () => {
    await influxdb.restart();
    const job = 'past-disk';
    const [option = '', path = ''] = createDisk(job);
    writeFileSync(join(path, 'of-others'), Buffer.alloc((DISK_MIB - 1) * 2 ** 20));
    letGo(job);
    const child = startRun(job, [option, path], MANY_LINES);
    expect((await child.ended).code).toBe(3);
    expectAll(child.stdout(), MANY_LINES);
    expect(child.stderr().toString()).toMatch(/writing to the spool .* failed \(ENOSPC\): points wait in memory/);
    expect(child.stderr().toString().trim().split('\n').length).toBeLessThan(8);
    const { lines: logged, missing } = await readLog(job);
    expect([logged.length, missing]).toEqual([MANY_LINES + LATE_LINES, []]);
  });

  it.each(cases)(
    'makes the job of run wait with --on-full block, and loses nothing: %s',
    async (name, createSpool, _, count) => {
      const job = `block-${name}`;
      letGo(job);
      const child = startRun(job, [...createSpool(job), '--on-full', 'block'], count);
      await until(() => child.stdout().length > 0);
      await untilStill(() => child.stdout().length, 2000);
      expect(child.stdout().length).toBeLessThan(count * (LINE_CHARS + 1));
      await influxdb.restart();
      expect((await child.ended).code).toBe(3);
      expectAll(child.stdout(), count);
      expectAll(formatLines((await readLog(job)).lines), count);
    }
  );

  it.each(cases)('makes watch wait, and loses nothing: %s', async (name, createSpool) => {
    const folder = join(joblens.folder, `files-${name}`);
    mkdirSync(folder);
    const path = join(folder, `watch-${name}.out`);
    appendFileSync(path, cutOutput(LINES));
    const job = `watch-${name}`;
    const child = joblens.start(['watch', folder, ...options(), '--health', 'off', ...createSpool(job)]);
    const spool = join(joblens.folder, job);
    await untilStill(() => (existsSync(spool) ? readBytes(spool) : NaN), 2000);
    await influxdb.restart();
    await until(async () => (await countSeldom(job)) === LINES + LATE_LINES);
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
    expectAll(formatLines((await readLog(job)).lines));
  });
});

/** How many points each notice says are missing. */
function countMissing(notices: readonly string[]): number[] {
  return notices.map((line) => Number(/\d+/.exec(line)?.[0]));
}

/** How many bytes a folder and the folders in it hold. */
function readBytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** The output of a run that prints this many lines before the late ones. */
function cutOutput(lines: number): Buffer {
  return OUTPUT.subarray(0, (lines + LATE_LINES) * (LINE_CHARS + 1));
}

/** As toEqual, but a difference in megabytes of text is not looked for. */
function expectAll(output: Buffer, count = LINES): void {
  if (output.equals(cutOutput(count))) return;
  const lines = output.toString().split('\n');
  const firstWrong = lines.findIndex((line, i) => line !== formatLine(i + 1));
  expect({ firstWrong, lines: lines.length - 1 }).toEqual({ firstWrong: undefined, lines: count + LATE_LINES });
}
