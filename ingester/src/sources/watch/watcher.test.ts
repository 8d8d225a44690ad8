import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { geteuid } from 'node:process';
import type { DiscoveredJob, JobWriter } from '../file-discovery.js';
import { ann, createWatched, type Watched } from './testing/watched.js';
import { EntryBook } from './watched-entries.js';

/** Which files below a folder this process holds open, also deleted ones. */
function listOpenFiles(folder: string): string[] {
  const names = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return names.filter((name) => name.startsWith(folder));
}

const ofFile = (watched: Watched, rest: Partial<DiscoveredJob> = {}): DiscoveredJob => ({
  ...{ id: '1', files: [{ path: watched.at('job.out'), stream: 'stdout' }], ...rest },
});

describe('Watcher', () => {
  it('gives the job of a scheduler its writer before it has a file, and ends it when it is told so', async () => {
    const watched = createWatched();
    const writers: JobWriter[] = [];
    const job = ofFile(watched, { owner: ann, onPipeline: (writer) => void writers.push(writer) });
    watched.jobs = [job];
    await watched.poll();
    expect(writers).toHaveLength(1);
    writers[0]?.changeState({ origin: 'slurm', toState: 'RUNNING', data: {} });
    watched.append('first\nlast');
    await watched.poll();
    await watched.untilWritten('line="last"');
    expect(watched.log('1')).toEqual(['first', 'last']);
    watched.jobs = [{ ...job, isEnded: true }];
    await watched.poll();
    writers[0]?.changeState({ origin: 'slurm', fromState: 'RUNNING', toState: 'COMPLETED', data: {} });
    await watched.poll();
    await watched.poll();
    expect(watched.records.at(-1)?.states).toEqual([expect.objectContaining({ kind: 'gone' })]);
    expect(watched.text).toContain('COMPLETED');
    expect(writers).toHaveLength(1);
    await watched.close();
  });

  it('takes a job again only when it is another object, and gives up one that is no longer listed', async () => {
    const watched = createWatched();
    const createJob = (id: string): DiscoveredJob => ({
      ...{ id, owner: ann, files: [{ path: watched.at(`${id}.out`), stream: 'stdout' }] },
    });
    const [kept, left] = [createJob('kept (1)'), createJob('left "2"')];
    for (const { id } of [kept, left]) watched.append('first\n', `${id}.out`);
    const list = jest.spyOn(EntryBook.prototype, 'list');
    const listTaken = (): string[] => list.mock.calls.splice(0).map(([{ id }]) => id);
    await watched.pass(1000, [kept, left]);
    expect(listTaken()).toEqual([kept.id, left.id]);
    await watched.pass(1000, [kept, left]);
    expect(listTaken()).toEqual([]);
    await watched.pass(1000, [kept, { ...left }]);
    expect(listTaken()).toEqual([left.id]);
    list.mockRestore();

    await watched.pass(1000, [kept]);
    for (let i = 0; i < 2; i += 1) await watched.pass(2 * 3_600_000);
    watched.append('last\n', `${kept.id}.out`);
    await watched.poll();
    expect(watched.log(kept.id)).toEqual(['first', 'last']);
    expect(watched.records.flatMap(({ states }) => states)).toContainEqual(
      expect.objectContaining({ kind: 'gone', key: expect.stringContaining('left') as string })
    );
    await watched.close();
  });

  it('ends a job that is seen for the first time when it has ended already', async () => {
    const watched = createWatched();
    watched.append('all of it');
    watched.jobs = [ofFile(watched, { owner: ann, isEnded: true })];
    for (let i = 0; i < 3; i += 1) await watched.poll();
    expect(watched.log('1')).toEqual(['all of it']);
    expect(watched.records.at(-1)?.states).toEqual([expect.objectContaining({ kind: 'gone' })]);
    await watched.close();
  });

  const itAsRoot = geteuid?.() === 0 ? it : it.skip;
  itAsRoot("refuses a file that is not the job owner's, and says so once", async () => {
    const watched = createWatched();
    watched.append('stolen\n');
    chownSync(watched.at('job.out'), 12_345, 12_345);
    watched.jobs = [ofFile(watched, { owner: ann })];
    await watched.poll();
    await watched.poll();
    expect(watched.log('1')).toEqual([]);
    expect(watched.said).toEqual([
      `not following ${watched.at('job.out')}: it belongs to user id 12345, the job to ${ann.uid}`,
    ]);
    await watched.close();
  });

  it.each([
    ['nobody opted in', undefined],
    ['the opt-in is not valid', 'mode: some\n'],
  ])('decides once, also over a restart, when %s', async (_, optIn) => {
    const watched = createWatched(optIn ?? '');
    if (optIn === undefined) rmSync(watched.optInPath);
    watched.jobs = [ofFile(watched)];
    watched.append('secret\n');
    await watched.poll();
    const said = watched.said.length;
    writeFileSync(watched.optInPath, '');
    watched.append('secret\n');
    await watched.poll();
    watched.kill();
    await watched.poll();
    expect(watched.text).not.toContain('secret');
    expect(watched.said).toHaveLength(said);
    await watched.close();
  });

  it('goes on after a kill where it was: open file, quiet file, rotated file, opt-in', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('one\n');
    await watched.poll();
    watched.commit();
    rmSync(watched.optInPath);
    watched.append('two\nthree\n');
    await watched.poll();
    watched.kill();
    await watched.poll();
    watched.commit();
    expect(watched.log('1')).toEqual(['one', 'two', 'three']);
    // Quiet for more than ten minutes, then killed: only the checkpoint is left.
    watched.nowMs += 700_000;
    await watched.poll();
    watched.commit();
    watched.kill();
    await watched.poll();
    watched.append('four\n');
    renameSync(watched.at('job.out'), watched.at('job.out.1'));
    watched.append('five\n');
    await watched.poll();
    expect(watched.log('1')).toEqual(['one', 'two', 'three', 'four', 'five']);
    await watched.close();
  });

  it('completes the last line after a quiet time, and begins a new one when content is replaced', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('10%');
    await watched.poll();
    watched.nowMs += 700_000;
    await watched.poll();
    watched.append(' more');
    await watched.poll();
    truncateSync(watched.at('job.out'));
    watched.append('anew, and this is longer');
    await watched.poll();
    await watched.untilWritten('line="anew, and this is longer"');
    expect(watched.log('1')).toEqual(['10%', ' more', 'anew, and this is longer']);
    await watched.close();
  });

  it('does not follow a file twice under two names', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('first\n');
    await watched.poll();
    renameSync(watched.at('job.out'), watched.at('kept.out'));
    watched.jobs = [ofFile(watched), { id: '2', files: [{ path: watched.at('kept.out'), stream: 'stdout' }] }];
    watched.append('second\n', 'kept.out');
    await watched.poll();
    expect(watched.log('1')).toEqual(['first', 'second']);
    expect(watched.log('2')).toEqual([]);
    expect(existsSync(watched.at('job.out'))).toBe(false);
    await watched.close();
  });

  /** How the file of a job that runs, and is followed, is taken away. */
  const endings: readonly (readonly [string, (path: string) => void])[] = [
    ['a link in its place', (path) => symlinkSync('/etc/passwd', path)],
    ['a folder in its place', (path) => mkdirSync(path)],
    ['another file in its place', (path) => writeFileSync(path, 'other\n')],
    ['nothing in its place', () => undefined],
  ];
  it.each(endings)('closes every file of a job that ends with %s', async (_, replace) => {
    const watched = createWatched();
    const jobs = Array.from({ length: 40 }, (_, i) => {
      const path = watched.at(`${i}.out`);
      return { id: String(i), owner: ann, files: [{ path, stream: 'stdout' as const }] };
    });
    for (const { id } of jobs) watched.append('first\n', `${id}.out`);
    watched.jobs = jobs;
    await watched.poll();
    for (const { files } of jobs) for (const { path } of files) rmSync(path);
    for (const { files } of jobs) for (const { path } of files) replace(path);
    await watched.poll();
    watched.jobs = jobs.map((job) => ({ ...job, isEnded: true }));
    for (let i = 0; i < 3; i += 1) await watched.poll();
    expect(listOpenFiles(watched.folder)).toEqual([]);
    expect(watched.log('7')[0]).toBe('first');
    expect(watched.text).not.toContain('root:');
    await watched.close();
  });

  it('holds no deleted file of a job that has put a link in its place', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched, { owner: ann })];
    watched.append('first\n');
    await watched.poll();
    rmSync(watched.at('job.out'));
    symlinkSync('/etc/passwd', watched.at('job.out'));
    for (let i = 0; i < 3; i += 1) await watched.poll();
    expect(listOpenFiles(watched.folder)).toEqual([]);
    expect(watched.said).toEqual([
      `not following ${watched.at('job.out')}: it is a symbolic link; name the file that it leads to`,
    ]);
    rmSync(watched.at('job.out'));
    watched.append('second\n');
    await watched.poll();
    expect(watched.log('1')).toEqual(['first', 'second']);
    await watched.close();
  });

  it('says so when the file of a job never was where it should be', async () => {
    const watched = createWatched();
    const paths = ['job-\ufffd.out', 'other.out'].map((name) => watched.at(name));
    const files = paths.map((path) => ({ path, stream: 'stdout' as const }));
    const found = {
      id: '2',
      owner: ann,
      files: [...files, { path: watched.at('found.out'), stream: 'stdout' as const }],
    };
    watched.append('found\n', 'found.out');
    watched.jobs = [{ id: '1', owner: ann, files }, found];
    await watched.poll();
    watched.jobs = watched.jobs.map((job) => ({ ...job, isEnded: true }));
    await watched.poll();
    const none = paths.join(' and no ');
    expect(watched.log('1')).toEqual([
      expect.stringContaining(`the stdout of this job was not found: there was no ${none}`),
    ]);
    expect(watched.log('2')).toEqual(['found']);
    expect(watched.said).toEqual([`job 1: there was no ${none}; its stdout is not logged`]);
    await watched.close();
  });

  it('gives up a job whose file cannot be read an hour after its end', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched, { owner: ann })];
    watched.append('first\n');
    await watched.poll();
    // Links that lead to themselves cannot even be looked up, as little as what a network file system refuses to root.
    rmSync(watched.folder, { recursive: true });
    symlinkSync(watched.folder, watched.folder);
    watched.jobs = [ofFile(watched, { owner: ann, isEnded: true })];
    await watched.poll();
    watched.jobs = [];
    await watched.poll();
    expect(watched.records.at(-1)?.states).not.toEqual([expect.objectContaining({ kind: 'gone' })]);
    watched.nowMs += 3_700_000;
    await watched.poll();
    expect(watched.records.at(-1)?.states).toEqual([expect.objectContaining({ kind: 'gone' })]);
    expect(listOpenFiles(watched.folder)).toEqual([]);
    rmSync(watched.folder);
    await watched.close();
  });

  it('lets a big file not keep others waiting, and many files be read', async () => {
    const watched = createWatched();
    const big = Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(100)} ${i}\n`);
    watched.append(big.join(''), 'big.out');
    const names = Array.from({ length: 400 }, (_, i) => `small-${i}.out`);
    for (const name of names) watched.append(`I am ${name}\n`, name);
    watched.jobs = ['big.out', ...names].map((name) => ({
      ...{ id: name, files: [{ path: watched.at(name), stream: 'stdout' }] },
    }));
    await watched.poll();
    expect(watched.log('small-399.out')).toEqual(['I am small-399.out']);
    const text = watched.text;
    // The last of the small files came before the big one was read to its end.
    expect(text.lastIndexOf('I am small')).toBeLessThan(text.lastIndexOf('job=big.out'));
    await watched.close();
  });
});
