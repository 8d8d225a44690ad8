import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';

const joblens = prepareJoblens();
jest.setTimeout(300_000);
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

  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`\'`)}'`;

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
    const series = await querySeries(influxdb.url, `SELECT "line" FROM "job_log" WHERE "job" = ${quote(job)}`);
    const counts: Record<string, number> = {};
    for (const [, line] of series.flatMap(({ values }) => values))
      counts[String(line)] = (counts[String(line)] ?? 0) + 1;
    return counts;
  }

  /** Waits until the heartbeats say who logs the job. */
  async function untilWritten(job: string, writer: RegExp): Promise<void> {
    await until(async () => {
      const q = `SELECT /^w/ FROM "job_heartbeat" WHERE "job" = ${quote(job)}`;
      const series = await querySeries(influxdb.url, q);
      return series.some(({ values }) => values.flat().some((said) => writer.test(String(said))));
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

  /** Runs a command of the shell as the job, with its output behind what is in the files. */
  async function runInto(job: string, script: string, path: string, errorPath = path): Promise<void> {
    const fds = [path, errorPath].map((file) => openSync(file, 'a'));
    const args = ['run', ...to(`spool ${job}`), '--job', job, '--', 'sh', '-c', script];
    const env = { PATH: process.env['PATH'], HOME: joblens.folder };
    const child = spawn(joblens.command, args, { stdio: ['ignore', ...fds], env });
    for (const fd of fds) closeSync(fd);
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  }

  const FOLLOWED = /joblens watch follows its output, which is logged there alone/;

  it('is left to the watch by a run that begins later, but for what the watch does not follow', async () => {
    const job = "four-(a) 'b'";
    const [path, errorPath] = [newFile(job), newFile('other')];
    writeFileSync(path, 'before\n');
    watch('spool-8', path, '--job', job);
    await untilWritten(job, /^watch /);
    await runInto(job, 'echo printed; echo failed >&2', path, errorPath);
    appendFileSync(path, 'after\n');
    await until(async () => (await countLines(job))['after'] === 1);
    expect(await countLines(job)).toEqual({ before: 1, printed: 1, failed: 1, after: 1 });
    expect(readFileSync(errorPath, 'utf8')).toMatch(FOLLOWED);
    expect(await querySeries(influxdb.url, `SELECT "state" FROM "job" WHERE "job" = ${quote(job)}`)).not.toEqual([]);
  });

  it('is logged by run where the watch follows other files, and by the watch where run prints elsewhere', async () => {
    const job = 'five-(a) b';
    const [followed, printed, errorPath] = [newFile(job), newFile('printed'), newFile('failed')];
    writeFileSync(followed, 'before\n');
    await runInto(job, 'echo first', printed, errorPath);
    watch('spool-9', followed, '--job', job);
    await untilWritten(job, /^watch /);
    await runInto(job, 'echo second', printed, errorPath);
    appendFileSync(followed, 'after\n');
    await until(async () => (await countLines(job))['after'] === 1);
    expect(await countLines(job)).toEqual({ before: 1, first: 1, second: 1, after: 1 });
  });

  /** Scripts of a shell; `$file` is the one that the watch follows, `$@` are the options. */
  const PIPES: ReadonlyArray<readonly [what: string, script: string, count: number, isSaid: boolean]> = [
    ['run, by tee into the file', '$joblens run "$@" -- echo printed | tee -a "$file" >/dev/null', 1, true],
    ['run, whose tee prints into it', '$joblens run "$@" -- echo printed | tee "$file.copy" >>"$file"', 1, true],
    ['run, through two programs', '$joblens run "$@" -- echo printed | cat | sed -u "s/^//" >>"$file"', 1, true],
    ['both streams', '$joblens run "$@" -- sh -c "echo printed >&2" 2>&1 | grep -v ^joblens >>"$file"', 1, false],
    ['run despite all', '$joblens run "$@" --watcher no -- echo printed | cat >>"$file"', 2, false],
    ['pipe --tee', 'echo printed | $joblens pipe "$@" --tee | cat >>"$file"', 1, true],
    ['run, elsewhere', '$joblens run "$@" -- echo printed | gzip >"$file.gz" 2>>"$file"', 1, false],
    ['run, and nobody keeps it', '$joblens run "$@" -- echo printed | cat >/dev/null', 1, false],
    ['pipe, elsewhere', 'echo printed | $joblens pipe "$@" --tee | cat >"$file.copy"', 1, false],
    ['pipe alone', 'echo printed | $joblens pipe "$@"', 1, false],
  ];

  it.each(PIPES)('is logged once where a pipe leads on from %s', async (what, script, count, isSaid) => {
    const job = `six-(${what}) 'b'`;
    const [file, errors] = [newFile('followed (1).out'), newFile('errors')];
    writeFileSync(file, 'before\n');
    watch(`spool ${job}`, file, '--job', job);
    await until(async () => (await countLines(job))['before'] === 1);
    const args = ['-c', `exec 2>"$errors"; ${script}`, 'sh', ...to(`spool of ${job}`), '--job', job];
    const env = { PATH: process.env['PATH'], HOME: joblens.folder, joblens: joblens.command, file, errors };
    const child = spawn('sh', args, { stdio: 'ignore', env });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    appendFileSync(file, 'after\n');
    await until(async () => (await countLines(job))['after'] === 1 && (await countLines(job))['printed'] !== undefined);
    expect([await countLines(job), FOLLOWED.test(readFileSync(errors, 'utf8'))]).toEqual([
      { before: 1, printed: count, after: 1 },
      isSaid,
    ]);
  });

  it('is logged once by those that begin at the same time', async () => {
    const folder = mkdtempSync(join(joblens.folder, 'many '));
    watch('spool-10', folder);
    watch('spool-11', folder);
    const jobs = Array.from({ length: 8 }, (_, i) => `a (${i})-'`);
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const started = jobs.map(async (job, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 137));
      const script = 'for i in $(seq 0 29); do echo line $i; sleep 0.1; done';
      await runInto(job, script, join(folder, job), join(joblens.folder, 'said'));
    });
    const watched = 'no run';
    for (const line of lines) {
      appendFileSync(join(folder, watched), `${line}\n`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await Promise.all(started);
    for (const job of [...jobs, watched]) {
      await until(async () => (await countLines(job))['line 29'] !== undefined);
      expect([job, await countLines(job)]).toEqual([job, Object.fromEntries(lines.map((line) => [line, 1]))]);
    }
  });
});
