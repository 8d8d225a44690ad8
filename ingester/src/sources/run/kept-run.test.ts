import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { type Manifest, parseManifest } from '@joblens/core/experiment/manifest';
import type { Point } from '@joblens/core/point/point';
import { git } from '../../experiment/testing/random-repository.js';
import { prepareJoblens } from '../../testing/joblens.js';
import { storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
const scratch = join(joblens.folder, 'scratch');
const TOKEN = 'ghp_0123456789abcdefABCDEF';
afterAll(() => joblens.remove());
beforeAll(() => {
  const put = (name: string, text: string): void => writeFileSync(join(joblens.folder, name), text);
  git(joblens.folder, 'init', '--quiet', '--initial-branch=main');
  git(joblens.folder, 'remote', 'add', 'origin', `https://ann:${TOKEN}@host.example/r.git`);
  put('.gitignore', '*.lp\n.local\nscratch\nvenv\n');
  put('train.py', 'print(1)\n');
  git(joblens.folder, 'add', '--all');
  git(joblens.folder, 'commit', '--quiet', '--message=x');
  put('train.py', `print(2)\napi_key = "${TOKEN}"\n`);
  put('new (1).py', 'x = 1\n');
  put('.env', 'PASSWORD=very-private\n');
  put('data -1.csv', '1,2\n');
  put('uv.lock', 'lock\n');
  mkdirSync(scratch);
  // A Python of a virtual environment, and what it has.
  const site = join(joblens.folder, 'venv/lib/python3.12/site-packages');
  for (const name of ['numpy-1.26.4.dist-info', 'My_Package-2.0.dist-info', 'other'])
    mkdirSync(join(site, name), { recursive: true });
  mkdirSync(join(joblens.folder, 'venv/conda-meta'));
  put('venv/conda-meta/blas-lib-1.0-mkl.json', '');
  put('venv/pyvenv.cfg', 'home = /nowhere\n');
  mkdirSync(join(joblens.folder, 'venv/bin'));
  // It ends once all is kept, however busy the machine is.
  const untilKept = '[ -z "$UNTIL_KEPT" ] || until grep -q manifest= "$UNTIL_KEPT"; do sleep 0.05; done';
  put('venv/bin/python', `#!/bin/sh\n[ "$1" != --version ] || { echo Python 3.12.1; exit; }\n${untilKept}\n`);
  chmodSync(join(joblens.folder, 'venv/bin/python'), 0o755);
});

const PYTHON = 'venv/bin/python';
let runs = 0;
/** For a command that shall go on until all is kept. */
const KEPT = { UNTIL_KEPT: 'yes' };

async function run(
  options: readonly string[],
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {}
): Promise<Stored & Ended> {
  runs += 1;
  const out = join(joblens.folder, `out-${runs}.lp`);
  writeFileSync(out, '');
  const args = ['run', '--job', `j-${runs}`, '--user', 'ann', '--out', out, ...options, '--', ...command];
  const { UNTIL_KEPT, ...others } = environment;
  const until = UNTIL_KEPT === undefined ? {} : { UNTIL_KEPT: out };
  const ended = await joblens.run(args, '', { TMPDIR: scratch, ...others, ...until });
  const points = storePoints(
    readFileSync(out, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  );
  return { ...ended, ...readStored(points), written: readFileSync(out, 'utf8') };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly written: string;
}

interface Stored {
  readonly manifests: readonly (Manifest | undefined)[];
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

function readStored(points: readonly Point[]): Stored {
  const texts = new Map<string, string[]>();
  for (const { measurement, tags, fields } of points) {
    if (measurement !== 'job_text') continue;
    const name = tags.get('name') ?? '';
    texts.set(name, [...(texts.get(name) ?? []), String(fields.get('line'))]);
  }
  const manifests = points.flatMap(({ fields }) =>
    fields.has('manifest') ? [parseManifest(String(fields.get('manifest')))] : []
  );
  return { manifests, texts };
}

describe('what a run was', () => {
  it('is not taken where nobody asks for it', async () => {
    const { manifests, texts, code } = await run(['--mode', 'enabled'], [PYTHON, 'train.py']);
    expect([code, manifests, texts.size]).toEqual([0, [], 0]);
  });

  it('is kept by hashes, names and versions', async () => {
    const args = ['--mode', 'enabled', '--reproduce', 'basic', '--input', 'data -1.csv', '--input', 'missing'];
    const environment = {
      OMP_NUM_THREADS: '3',
      LOADEDMODULES: 'gcc/12:cuda',
      PYTHONHASHSEED: '7',
      SECRET: 'very-private',
      ...KEPT,
    };
    const command = [PYTHON, 'train.py', '--seed', '5', '--token', TOKEN];
    const { manifests, texts, written } = await run(args, command, environment);
    const [manifest] = manifests;
    expect(manifests).toHaveLength(1);
    expect(texts.size).toBe(0);
    const { folder } = joblens;
    expect(manifest).toMatchObject({
      command: {
        ...{ argv: [PYTHON, 'train.py', '--seed', '5', '--token', '***'], folder },
        executable: join(folder, PYTHON),
      },
      git: { commit: git(folder, 'rev-parse', 'HEAD').trim(), branch: 'main', remote: 'https://host.example/r.git' },
      environment: { OMP_NUM_THREADS: '3', PYTHONHASHSEED: '7' },
      modules: ['gcc/12', 'cuda'],
      seeds: { seed: '5', PYTHONHASHSEED: '7' },
      inputs: [{ path: join(folder, 'data -1.csv'), bytes: 4 }, { path: join(folder, 'missing') }],
      locks: { 'uv.lock': expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    const sum = execFileSync('sha256sum', ['data -1.csv'], { cwd: folder }).toString().slice(0, 64);
    expect(manifest?.inputs?.[0]?.sha256).toBe(sum);
    git(folder, 'add', '--all');
    expect(manifest?.git).toMatchObject({ dirty: true, tree: git(folder, 'write-tree').trim(), prefix: '' });
    git(folder, 'reset', '--quiet');
    expect(written.split('manifest=')[1]).not.toMatch(/very-private|ghp_/);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('is kept with texts, without secrets in them', async () => {
    const command = ['env', 'A=1', PYTHON, 'train.py'];
    const { manifests, texts, written } = await run(['--mode', 'enabled', '--reproduce', 'full'], command, {
      VIRTUAL_ENV: join(joblens.folder, 'venv'),
      ...KEPT,
    });
    const [manifest] = manifests;
    expect([...texts.keys()].sort()).toEqual(['packages', 'patch', 'script']);
    expect(texts.get('packages')).toEqual(['blas-lib=1.0=mkl', 'my-package==2.0', 'numpy==1.26.4']);
    const patch = texts.get('patch') ?? [];
    expect(patch).toEqual(expect.arrayContaining(['+print(2)', '+api_key = "***"', '+x = 1', '+1,2']));
    expect(written).not.toMatch(/very-private|ghp_/);
    expect(manifest?.missing).toEqual({ patch: expect.stringMatching(/^secrets in .*\.env.*train\.py/) as string });
    expect(manifest?.texts?.['patch']).toMatchObject({ lines: patch.length });
    expect(manifest?.packages?.sha256).toBe(manifest?.texts?.['packages']?.sha256);
  });

  it('is asked for in the opt-in file, and what is typed counts more', async () => {
    const optIn = join(joblens.folder, 'optin.lp');
    writeFileSync(optIn, 'reproduce: basic\n');
    expect((await run(['--optin', optIn], [PYTHON, 'train.py'], KEPT)).manifests).toHaveLength(1);
    expect((await run(['--optin', optIn, '--reproduce', 'off'], [PYTHON, 'train.py'])).manifests).toEqual([]);
    writeFileSync(optIn, 'reproduce: everything\n');
    expect((await run(['--optin', optIn], ['true'])).stderr).toContain(
      'option reproduce is "everything"; allowed are off, basic, full'
    );
  });

  it('is kept of a command that ends at once, or cannot be run, and of one in no repository', async () => {
    const options = ['--mode', 'enabled', '--reproduce', 'basic'];
    const ended = await run(options, ['true']);
    expect(ended.manifests[0]?.command?.argv).toEqual(['true']);
    const missing = await run(options, ['no-such-(command)']);
    expect([missing.code, missing.manifests[0]?.command]).toEqual([
      127,
      { argv: ['no-such-(command)'], folder: joblens.folder },
    ]);
  });

  it('keeps nobody waiting: programs that do not end are ended, and what they would have told is missing', async () => {
    const bin = join(joblens.folder, 'scratch', 'bin');
    mkdirSync(bin);
    const pidFile = join(joblens.folder, 'pid.lp');
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho $$ > '${pidFile}'\nsleep 600\n`);
    chmodSync(join(bin, 'git'), 0o755);
    const startedMs = Date.now();
    const PATH = `${bin}:${env['PATH']}`;
    // The command ends while git runs.
    const script = `until [ -s '${pidFile}' ]; do sleep 0.05; done; echo here`;
    const ended = await run(['--mode', 'enabled', '--reproduce', 'full'], ['sh', '-c', script], { PATH });
    expect(Date.now() - startedMs).toBeLessThan(60_000);
    expect([ended.code, ended.stdout.toString()]).toEqual([0, 'here\n']);
    expect(ended.manifests[0]?.missing).toEqual({ git: 'the command ended before it was read' });
    expect(ended.manifests[0]?.command?.argv).toEqual(['sh', '-c', script]);
    expect(existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)).toBe(false);
    rmSync(bin, { recursive: true });
  });

  it('is shown by --dry-run, which runs nothing and stores nothing', async () => {
    const command = ['sh', '-c', 'echo ran > ran.lp; echo ran'];
    const shown = await run(['--mode', 'enabled', '--reproduce', 'full', '--dry-run'], command);
    const [json = '', ...texts] = shown.stdout.toString().split('\n=== ');
    expect(JSON.parse(json)).toMatchObject({ version: 1, command: { argv: command }, git: { dirty: true } });
    expect(texts.map((text) => text.split(' ')[0])).toEqual(['patch']);
    expect(shown.stdout.toString()).not.toMatch(/very-private|ghp_/);
    const reduced = await run(['--mode', 'metadata', '--reproduce', 'full', '--dry-run'], command);
    expect(reduced.stdout.toString()).not.toMatch(/echo|print\(2\)|host\.example/);
    expect([shown.code, reduced.code, shown.written, reduced.written]).toEqual([0, 0, '', '']);
    expect(readdirSync(joblens.folder)).not.toContain('ran.lp');
  });
});
