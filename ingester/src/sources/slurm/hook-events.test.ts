import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HookEvents } from './hook-events.js';

const SCRIPT = join(__dirname, '..', '..', '..', '..', 'slurm', 'joblens-hook');

describe('HookEvents', () => {
  let folder: string;
  let path: string;
  let warned: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "joblens hooks (1)' "));
    path = join(folder, 'events');
    warned = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (): HookEvents => new HookEvents(path, (message) => void warned.push(message));
  const put = (text: string): void => appendFileSync(path, text, { mode: 0o640 });
  const told = (events: HookEvents): string[] => events.read().map(({ kind, rawId }) => `${kind} ${rawId}`);

  it('reads what is told from now on, each line once it is whole', () => {
    put('start 1\n');
    const events = open();
    expect(told(events)).toEqual([]);
    put('start 2\nend 1\nsta');
    expect(told(events)).toEqual(['start 2', 'end 1']);
    put('rt 3\n');
    expect(told(events)).toEqual(['start 3']);
    expect(told(events)).toEqual([]);
    events.close();
  });

  it('loses nothing while nobody can tell where the file is, and says each time that it cannot be read', () => {
    const events = open();
    put('');
    expect(told(events)).toEqual([]);
    for (let i = 1; i <= 2; i += 1) {
      const moved = `${folder}-moved`;
      put(`start ${i}\n`);
      renameSync(folder, moved);
      symlinkSync(folder, folder);
      expect(told(events)).toEqual([`start ${i}`]);
      expect(told(events)).toEqual([]);
      rmSync(folder);
      renameSync(moved, folder);
      put(`end ${i}\n`);
      expect(told(events).at(-1)).toBe(`end ${i}`);
      expect(told(events)).toEqual([]);
      expect(warned).toHaveLength(i);
    }
    events.close();
  });

  it('begins when the file comes, and goes on in the next one when it gets another name or is emptied', () => {
    const events = open();
    expect(told(events)).toEqual([]);
    put('start 1\n');
    expect(told(events)).toEqual(['start 1']);
    put('end 1\n');
    renameSync(path, `${path}.1`);
    put('start 2\n');
    expect(told(events)).toEqual(['end 1', 'start 2']);
    writeFileSync(path, '');
    expect(told(events)).toEqual([]);
    put('end 2\n');
    expect(told(events)).toEqual(['end 2']);
    rmSync(path);
    expect(told(events)).toEqual([]);
    put('start 3\n');
    expect(told(events)).toEqual(['start 3']);
    events.close();
    expect(warned).toEqual([]);
  });

  it('leaves out what no hook writes, and reads the newest of very much', () => {
    const events = open();
    expect(told(events)).toEqual([]);
    put('start -1\nstart 1 x\nEND 1\nend 99999999999\n\n start 1\nend 7\n');
    expect(told(events)).toEqual(['end 7']);
    put(`${'start 8\n'.repeat(200_000)}end 9\n`);
    const many = told(events);
    expect(many.length).toBeLessThanOrEqual(2 ** 17);
    expect(many.at(-1)).toBe('end 9');
    events.close();
  });

  it.each([
    [
      'that others may write',
      () => {
        put('start 1\n');
        chmodSync(path, 0o666);
      },
    ],
    [
      'that is a link',
      () => {
        symlinkSync('/etc/passwd', path);
      },
    ],
    ['that is a pipe', () => execFileSync('mkfifo', ['-m', '600', path])],
    ['that is a folder', () => execFileSync('mkdir', ['-m', '700', path])],
  ])('reads no file %s, and says so once', (_what, make) => {
    const events = open();
    expect(told(events)).toEqual([]);
    make();
    expect(told(events)).toEqual([]);
    expect(told(events)).toEqual([]);
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain(`cannot read what Slurm's hooks tell in ${path}`);
  });

  describe('from slurm/joblens-hook', () => {
    function runHook(environment: Readonly<Record<string, string>>, to = path): void {
      const text = readFileSync(SCRIPT, 'utf8').replace('FILE=/var/spool/joblens-hooks/events', () => `FILE="${to}"`);
      const run = spawnSync('/bin/sh', ['-c', text], { env: environment, encoding: 'utf8', timeout: 60_000 });
      expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' });
    }
    const start = (id: string, more = {}): Record<string, string> => ({
      ...{ SLURM_SCRIPT_CONTEXT: 'prolog_slurmctld', SLURM_JOB_ID: id, SLURM_JOB_NAME: "x'\nend 5\n$(touch y)" },
      ...more,
    });

    it('tells of starts and ends by their numbers, with no PATH', () => {
      const events = open();
      expect(told(events)).toEqual([]);
      runHook(start('12'));
      runHook(start('12', { SLURM_SCRIPT_CONTEXT: 'epilog_slurmctld', SLURM_JOB_EXIT_CODE: '0' }));
      // Versions that do not name the context.
      runHook({ SLURM_JOB_ID: '13' });
      runHook({ SLURM_JOB_ID: '13', SLURM_JOB_EXIT_CODE: '256' });
      runHook(start('14', { SLURM_JOB_EXIT_CODE: '256' }));
      for (const id of ['', '1 2', '-1', "1'; touch y", '$(x)']) runHook(start(id));
      expect(told(events)).toEqual(['start 12', 'end 12', 'start 13', 'end 13', 'start 14']);
      expect(warned).toEqual([]);
    });

    it('succeeds and says nothing where it cannot write, and waits for no reader', () => {
      runHook(start('12'), join(folder, 'none', 'events'));
      execFileSync('mkfifo', [path]);
      runHook(start('64', { PATH: '/usr/bin:/bin' }));
      rmSync(path);
      symlinkSync('/dev/full', path);
      runHook(start('64', { PATH: '/usr/bin:/bin' }));
    });

    it('gives a file that has grown another name', () => {
      const events = open();
      expect(told(events)).toEqual([]);
      put('start 1\n'.repeat(130_000));
      expect(told(events).length).toBeGreaterThan(0);
      runHook(start('63', { PATH: '/usr/bin:/bin' }));
      expect(existsSync(`${path}.1`)).toBe(false);
      runHook(start('128', { PATH: '/usr/bin:/bin' }));
      expect(readFileSync(path, 'utf8')).toBe('start 128\n');
      expect(told(events)).toEqual(['start 63', 'start 128']);
      expect(existsSync(`${path}.1`)).toBe(true);
    });
  });
});
