import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';

const joblens = prepareJoblens();
jest.setTimeout(240_000);
afterAll(() => joblens.remove());

describeWith(['influxd'], 'two that log one file, and a real InfluxDB', () => {
  let influxdb: Influxdb;
  const children: Started[] = [];
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGTERM');
      await child.ended;
    }
  });
  afterAll(() => influxdb.stop());

  function to(spool: string): string[] {
    return ['--mode', 'enabled', '--url', influxdb.url, '--spool', join(joblens.folder, spool)];
  }

  function watch(spool: string, path: string, ...options: string[]): Started {
    const child = joblens.start(['watch', ...to(spool), '--health', 'off', ...options, path]);
    children.push(child);
    return child;
  }

  /** How often each line of the job is stored. */
  async function countLines(job: string): Promise<Record<string, number>> {
    const series = await querySeries(influxdb.url, `SELECT "line" FROM "job_log" WHERE "job" = '${job}'`);
    const counts: Record<string, number> = {};
    for (const [, line] of series.flatMap(({ values }) => values))
      counts[String(line)] = (counts[String(line)] ?? 0) + 1;
    return counts;
  }

  /** Waits until the heartbeats say who logs the job. */
  async function untilWritten(job: string, writer: RegExp): Promise<void> {
    await until(async () => {
      const q = `SELECT "writer" FROM "job_heartbeat" WHERE "job" = '${job}'`;
      const series = await querySeries(influxdb.url, q);
      return series.some(({ values }) => values.some(([, said]) => writer.test(String(said))));
    });
  }

  const LEFT = /is logged by another joblens, as its heartbeats say: nothing is logged here/;
  const newFile = (job: string): string => join(mkdtempSync(join(joblens.folder, 'two (a) ')), job);

  it('leaves the file to the watch that began, unless told otherwise, and goes on with its own spool', async () => {
    const job = 'one-(a) b';
    const path = newFile(job);
    writeFileSync(path, 'first\n');
    const one = watch('spool-1', path);
    await untilWritten(job, /^watch [0-9a-f]{12} [0-9a-f]{12}$/);
    const other = watch('spool-2', path);
    await until(() => LEFT.test(other.stderr().toString()));
    appendFileSync(path, 'second\n');
    await until(async () => (await countLines(job))['second'] === 1);
    one.kill('SIGTERM');
    await one.ended;
    const again = watch('spool-1', path);
    appendFileSync(path, 'third\n');
    await until(async () => (await countLines(job))['third'] === 1);
    expect(again.stderr().toString()).not.toMatch(LEFT);
    expect(other.stderr().toString().match(new RegExp(LEFT, 'g'))).toHaveLength(1);
    expect(await countLines(job)).toEqual({ first: 1, second: 1, third: 1 });

    const beside = watch('spool-3', path, '--beside');
    await until(async () => (await countLines(job))['third'] === 2);
    expect(beside.stderr().toString()).not.toMatch(LEFT);
  });

  it('leaves the file to run, whose other runs in the same job are not concerned', async () => {
    const job = 'two-(a) b';
    const path = newFile(job);
    writeFileSync(path, '');
    for (const text of ['first', 'second']) {
      const { code, stdout, stderr } = await joblens.run(['run', ...to('spool-4'), '--job', job, '--', 'echo', text]);
      expect([code, stderr]).toEqual([0, '']);
      appendFileSync(path, stdout);
    }
    await untilWritten(job, /^run$/);
    const other = watch('spool-5', path);
    await until(() => LEFT.test(other.stderr().toString()));
    expect(await countLines(job)).toEqual({ first: 1, second: 1 });
  });

  it('follows other files of a job that another watch follows', async () => {
    const job = 'three';
    const [out, err] = [newFile(`${job}.out`), newFile(`${job}.err`)];
    writeFileSync(out, 'printed\n');
    writeFileSync(err, 'failed\n');
    watch('spool-6', out, '--job', job);
    await untilWritten(job, /^watch /);
    const other = watch('spool-7', err, '--job', job);
    await until(async () => (await countLines(job))['failed'] === 1);
    expect(other.stderr().toString()).not.toMatch(LEFT);
  });
});
