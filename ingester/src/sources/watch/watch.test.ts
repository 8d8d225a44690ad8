import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';
import { readLog, storePoints } from '../../testing/stored-points.js';
import { findFiles } from './discovery/find-files.js';
import { readJobOfPath } from './jobs/job-of-path.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

interface Watched {
  readonly folder: string;
  readonly child: Started;
  /** Everything that is stored so far. */
  readonly points: () => readonly Point[];
  /** The log of one job as stored so far. */
  readonly log: (job: string) => string[];
  /** Its messages on stderr, except those that name the files it follows. */
  readonly said: () => string[];
  readonly stop: () => Promise<number | null>;
}

/** The first message of `watch` about these paths. */
async function readStart(paths: readonly string[]): Promise<string> {
  const environment = { JOBLENS_LOG_LEVEL: 'info' };
  const child = joblens.start(['watch', '--mode', 'enabled', '--out', '/dev/null', ...paths], environment);
  await until(() => child.stderr().includes('logging to'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGTERM');
  await child.ended;
  return child
    .stderr()
    .toString()
    .replace(/^joblens: logging job .*\n/gm, '');
}

function startWatch(paths: readonly string[], options: readonly string[] = ['--mode', 'enabled']): Watched {
  const folder = mkdtempSync(join(joblens.folder, 'watch-'));
  const out = join(folder, '.points.lp');
  const child = joblens.start(['watch', ...options, '--out', out, ...paths.map((path) => join(folder, path))]);
  const points = (): Point[] => {
    let text = '';
    try {
      text = readFileSync(out, 'utf8');
    } catch {
      // Nothing was written yet.
    }
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return storePoints(lines.filter((line) => line !== ''));
  };
  const log = (job: string): string[] => readLog(points().filter(({ tags }) => tags.get('job') === job));
  const said = (): string[] =>
    child
      .stderr()
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('joblens: following '));
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return (await child.ended).code;
  };
  return { folder, child, points, log, said, stop };
}

describe('joblens watch', () => {
  it('says what it follows, and what it will follow when it comes', async () => {
    const folder = mkdtempSync(join(joblens.folder, 'start-'));
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('a.out'), '');
    const to = 'logging to /dev/null';
    expect(await readStart([at('a.out'), folder, at('a*')])).toBe(
      `joblens: following ${at('a.out')} ${folder} ${at('a*')}, ${to}\n`
    );
    expect(await readStart([at('b.out')])).toBe(
      `joblens: ${at('b.out')} is not there yet: followed when it comes, ${to}\n`
    );
    expect(await readStart([at('a.out'), at('b.out'), at('c*')])).toBe(
      `joblens: following ${at('a.out')}, ${to}\njoblens: ${at('b.out')} ${at('c*')} are not there yet: followed when they come\n`
    );
  });

  it('follows the files of a folder from their start, what grows and what appears later', async () => {
    const { folder, log, said, stop } = startWatch(['.']);
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('slurm-1.out'), 'a\n');
    await until(() => log('1').join() === 'a');
    appendFileSync(path('slurm-1.out'), 'b\nc');
    await until(() => log('1').length === 3);
    writeFileSync(path('slurm-1.err'), '/LOGCOMMAND {"mode": "disabled"}\n');
    writeFileSync(path('train.log'), 'other\n');
    await until(() => log('1').length === 4 && log('train').length === 1);
    appendFileSync(path('slurm-1.out'), ' dropped\nd\n');
    appendFileSync(path('train.log'), 'still\n');
    await until(() => log('train').length === 2);
    expect(await stop()).toBe(0);
    expect(log('1').sort()).toEqual(['[command] stderr: /LOGCOMMAND {"mode": "disabled"}', 'a', 'b', 'c']);
    expect(log('train')).toEqual(['other', 'still']);
    expect(said()).toEqual([]);
  });

  it.each([
    ['as log lines, where each stream has a file', [], 0],
    ['as metadata, where both streams share the file', ['--merged'], 4],
  ])('takes JSON behind unfinished bars %s', async (_name, options, rows) => {
    const { folder, points, stop } = startWatch(['.'], ['--mode', 'enabled', ...options]);
    const bars = [1, 2, 3, 4].map(
      (step) => `\r ${step * 25}%|##| ${step}/4 [00:01]{"step": ${step}, "loss (a.b)": 0.5}\n`
    );
    writeFileSync(join(folder, 'lr=3e-4 (1).out'), `begin\n${bars.join('')}{"epoch": 1, "acc": 0.5}\nend\n`);
    await until(() => points().some(({ fields }) => fields.get('line') === 'end'));
    expect(await stop()).toBe(0);
    const metadata = points().filter(({ measurement }) => measurement === 'job_metadata');
    expect(metadata.filter(({ tags }) => tags.get('series') === 'loss (a.b),step')).toHaveLength(rows);
    expect(metadata.filter(({ tags }) => tags.get('series') === 'acc,epoch')).toHaveLength(1);
  });

  it('waits for a file, and follows it through truncation and rotation', async () => {
    const { folder, log, stop } = startWatch(['job.out']);
    const path = join(folder, 'job.out');
    // A file that is shorter than before was truncated, whenever somebody looks.
    writeFileSync(path, 'the first\n');
    await until(() => log('job').length === 1);
    truncateSync(path);
    appendFileSync(path, 'second\n');
    await until(() => log('job').length === 2);
    appendFileSync(path, 'third\n');
    renameSync(path, join(folder, 'job.out.1'));
    writeFileSync(path, 'fourth\n');
    await until(() => log('job').length === 4);
    await stop();
    expect(log('job')).toEqual(['the first', 'second', 'third', 'fourth']);
  });

  it('shows a last line without end, and leaves links alone', async () => {
    const { folder, log, said, stop } = startWatch(['*.out']);
    writeFileSync(join(folder, 'a.out'), '10%');
    symlinkSync('/etc/passwd', join(folder, 'b.out'));
    await until(() => log('a').join() === '10%');
    await until(() => said().length > 0);
    await stop();
    expect(said()).toEqual([
      `joblens: not following ${folder}/b.out: it is a symbolic link; name the file that it leads to`,
    ]);
    expect(log('b')).toEqual([]);
  });

  it('leaves out what is not text, with one line each, and follows what is', async () => {
    const { folder, log, points, said, stop } = startWatch(['']);
    const binary = Buffer.from(Float32Array.from({ length: 750_000 }, (_, i) => Math.sin(i) / 10).buffer);
    writeFileSync(join(folder, 'model-1.(a) b.pt'), binary);
    writeFileSync(
      join(folder, 'state.db'),
      Buffer.concat([Buffer.from('SQLite format 3\0\x10\0\x01\x01\0@  '), binary])
    );
    writeFileSync(join(folder, 'wide.out'), Buffer.from('\ufeffstep 1\n', 'utf16le'));
    writeFileSync(join(folder, 'latin.out'), Buffer.from('caf\xe9\n', 'latin1'));
    writeFileSync(join(folder, 'stray.out'), 'a\0b\n');
    const grows = join(folder, 'grows.out');
    writeFileSync(grows, 'begins as text\n');
    await until(() => [log('latin'), log('stray'), log('grows')].every((lines) => lines.length > 0));
    appendFileSync(grows, binary);
    await until(() => said().length === 4);
    appendFileSync(join(folder, 'model-1.(a) b.pt'), 'line\n');
    appendFileSync(join(folder, 'latin.out'), 'end\n');
    await until(() => log('latin').includes('end'));
    await until(() => log('stray').includes('ab'));
    expect(log('latin')[0]).toBe('caf\ufffd');
    expect(new Set(points().map(({ tags }) => tags.get('job')))).toEqual(
      new Set(['latin', 'stray', 'grows', undefined])
    );
    expect(said().sort()).toEqual([
      expect.stringMatching(/not following .*grows\.out: it is binary, as its first bytes say; text is followed$/),
      expect.stringMatching(/not following .*model-1\.\(a\) b\.pt: it is binary/),
      expect.stringMatching(/not following .*state\.db: it is binary/),
      expect.stringMatching(/not following .*wide\.out: it is UTF-16/),
    ]);
    expect(await stop()).toBe(0);
  });

  it('follows a file that turns binary after its start', async () => {
    const { folder, log, said, stop } = startWatch(['']);
    const path = join(folder, 'long.out');
    writeFileSync(path, 'a line of text\n'.repeat(600));
    await until(() => log('long').length > 0);
    appendFileSync(path, Buffer.from([1, 2, 3, 10]));
    appendFileSync(path, 'end\n');
    await until(() => log('long').includes('end'));
    expect([said(), await stop()]).toEqual([[], 0]);
  });

  it('follows a path that becomes a folder, and says nothing of it', async () => {
    const { folder, log, said, stop } = startWatch(['later (a)', 'link-1', 'link-2']);
    mkdirSync(join(folder, 'later (a)'));
    symlinkSync('later (a)', join(folder, 'link-1'));
    symlinkSync('nothing', join(folder, 'link-2'));
    await until(() => said().length > 0);
    writeFileSync(join(folder, 'later (a)', 'a.out'), 'one\n');
    await until(() => log('a').length > 0);
    expect(said()).toEqual([
      expect.stringMatching(/not following .*link-2: it is a symbolic link; name the file that it leads to$/),
    ]);
    expect(await stop()).toBe(0);
  });

  it('follows files whose names are no UTF-8, on over a rotation, each as a job of its own', async () => {
    const { folder, log, said, stop } = startWatch(['']);
    const at = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
    writeFileSync(at('caf\xe9-1.(a) b.out'), 'one\n');
    writeFileSync(at('caf\xe8-1.(a) b.out'), 'other\n');
    const job = 'caf\\xe9-1.(a) b';
    await until(() => log(job).length > 0);
    appendFileSync(at('caf\xe9-1.(a) b.out'), 'two\n');
    renameSync(at('caf\xe9-1.(a) b.out'), at('caf\xe9-1.(a) b.out.1'));
    writeFileSync(at('caf\xe9-1.(a) b.out'), 'three\n');
    await until(() => log(job).includes('three'));
    expect([log(job), log('caf\\xe8-1.(a) b'), said()]).toEqual([['one', 'two', 'three'], ['other'], []]);
    expect(await stop()).toBe(0);
  });

  it('takes the owner of the file for the user and for the opt-in', async () => {
    const optIn = join(joblens.folder, 'watch-optin');
    writeFileSync(optIn, 'mode: some\n');
    const { folder, log, said, stop } = startWatch(['.'], ['--optin', optIn]);
    writeFileSync(join(folder, 'a.out'), 'x\n');
    await until(() => log('a').length > 0);
    await stop();
    expect(log('a')).toEqual([expect.stringMatching(/^\[notice\] \(joblens: nothing is logged: .*watch-optin:1:1: /)]);
    expect(said()).toHaveLength(1);
    expect(readFileSync(join(folder, '.points.lp'), 'utf8')).toContain(`user=${userInfo().username} `);
  });

  it('puts a prefix in front of the ids that names give', async () => {
    const { folder, log, stop } = startWatch(['.'], ['--mode', 'enabled', '--job-prefix', 'alpha/']);
    writeFileSync(join(folder, 'slurm-7.out'), 'x\n');
    await until(() => log('alpha/7').length > 0);
    await stop();
    expect([log('alpha/7'), log('7')]).toEqual([['x'], []]);
  });

  it('ends at once while InfluxDB is down, and says what is lost', async () => {
    const folder = mkdtempSync(join(joblens.folder, 'watch-'));
    writeFileSync(join(folder, 'a.out'), 'line\n'.repeat(10) + 'x\n'.repeat(10));
    const options = ['--mode', 'enabled', '--url', 'http://127.0.0.1:1', '--drain-timeout', '0.2'];
    const child = joblens.start(['watch', ...options, folder]);
    await until(() => child.stderr().includes('cannot reach InfluxDB'));
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(1);
    expect(child.stderr().toString()).toMatch(/could not send \d+ points/);
  });
});

describe('readJobOfPath', () => {
  it.each([
    ['/x/slurm-123.out', '123', 'stdout'],
    ['slurm-123_4.out', '123_4', 'stdout'],
    ['slurm-125_4294967294.out', '125', 'stdout'],
    ['slurm-125_4294967295.err', '125_4294967295', 'stderr'],
    ['slurm-123.err', '123', 'stderr'],
    ['/logs/train.log', 'train', 'stdout'],
    ['/logs/train-7.out', 'train-7', 'stdout'],
    ['output', 'output', 'stdout'],
    ['slurm-x.out', 'slurm-x', 'stdout'],
    ['.out', '.out', 'stdout'],
  ])('reads %s as job %s, %s', (path, job, stream) => {
    expect(readJobOfPath(path)).toMatchObject({ job, stream });
  });
});

describe('findFiles', () => {
  const folder = mkdtempSync(join(joblens.folder, 'find-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['a', 'b', 'a/sub']) mkdirSync(at(name));
  for (const name of ['a/1.out', 'a/2.err', 'b/3.out', 'a/.hidden.out', 'a/sub/4.out', 'b/[x].out', 'b/+.out'])
    writeFileSync(at(name), '');

  it.each([
    ['a', ['a/1.out', 'a/2.err']],
    ['a/1.out', ['a/1.out']],
    ['none.out', ['none.out']],
    ['*/*.out', ['a/1.out', 'b/+.out', 'b/3.out', 'b/[x].out']],
    ['?/[0-9].*', ['a/1.out', 'a/2.err', 'b/3.out']],
    ['b/[!0-9].out', ['b/+.out']],
    ['a/.*.out', ['a/.hidden.out']],
    ['*/sub/*', ['a/sub/4.out']],
    ['none/*', []],
    ['[z-a]', []],
  ])('%s names %j', async (pattern, found) => {
    expect((await findFiles([at(pattern)])).files).toEqual(found.map(at));
  });

  it('names each file once, sorted', async () => {
    expect((await findFiles([at('a/2.err'), at('a'), at('a/*')])).files).toEqual([at('a/1.out'), at('a/2.err')]);
  });
});
