import { parseManifest } from '@joblens/core/experiment/manifest';
import { createSecrets } from '../../secrets/secrets.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog } from '../../testing/stored-points.js';
import type { LogConfig } from '../options/log-config.js';
import type { TakenRun } from '../options/reproduce.js';

const HASH = 'ab'.repeat(32);
const PRIVATE = ['secret-argument', '/private/folder', 'https://private.example/r', 'private line', 'private-branch/'];
const RUN: TakenRun = {
  manifest: {
    command: {
      argv: ['x', 'secret-argument'],
      folder: '/private/folder',
      executable: '/private/folder/x',
      interpreter: 'Python 3',
    },
    git: { commit: 'c0', dirty: true, tree: '7e', remote: 'https://private.example/r', prefix: 'private-branch/' },
    packages: { count: 1, sha256: HASH },
    container: '/private/folder/image.sif',
    environment: { OMP_NUM_THREADS: '8', VIRTUAL_ENV: '/private/folder/venv' },
    seeds: { 'secret-argument.seed': '1', PYTHONHASHSEED: '0' },
    inputs: [{ path: '/private/folder/data' }],
    missing: { patch: 'private-branch/ is too large' },
    texts: { patch: { sha256: HASH, lines: 2, bytes: 20 }, packages: { sha256: HASH, lines: 1, bytes: 10 } },
  },
  texts: new Map([
    ['patch', ['private line', '']],
    ['packages', ['numpy==1.26.4']],
  ]),
};

const read = (test: PipelineUnderTest): unknown[] =>
  test.stored().flatMap(({ measurement, fields }) => {
    const manifest = fields.get('manifest');
    return measurement === 'job' && manifest !== undefined ? [parseManifest(String(manifest))] : [];
  });
const texts = (test: PipelineUnderTest): string[] =>
  test
    .stored()
    .flatMap(({ measurement, tags, fields }) =>
      measurement === 'job_text' ? [`${tags.get('name')}: ${String(fields.get('line'))}`] : []
    );
const begin = (config: Partial<LogConfig>): PipelineUnderTest => {
  const test = createPipelineUnderTest({ config });
  test.pipeline.tellRun(RUN);
  return test;
};
const command = (options: object): string => `/LOGCOMMAND ${JSON.stringify(options)}\n`;

describe('what a run was', () => {
  it.each([['off' as const], [undefined]])('is not stored without consent: %p', async (reproduce) => {
    const test = begin(reproduce === undefined ? {} : { reproduce });
    await test.write('stdout', command({ mode: 'metadata' }) + command({ mode: 'enabled' }));
    test.end();
    expect([read(test), texts(test)]).toEqual([[], []]);
  });

  it('is stored whole in the mode enabled and the level full, each line of a text as a point with its own time', () => {
    const test = begin({ reproduce: 'full' });
    test.end();
    expect(read(test)).toEqual([RUN.manifest]);
    expect(texts(test)).toEqual(['patch: private line', 'patch: ', 'packages: numpy==1.26.4']);
    const times = test.stored().flatMap(({ measurement, timeNs }) => (measurement === 'job_text' ? [timeNs] : []));
    expect(new Set(times).size).toBe(3);
  });

  it('has no text in the level basic', () => {
    const test = begin({ reproduce: 'basic' });
    test.end();
    const { texts: _texts, ...others } = RUN.manifest;
    expect([read(test), texts(test)]).toEqual([[others], []]);
  });

  it('tells nothing of arguments, folders, remote and patch in the mode metadata', () => {
    const test = begin({ reproduce: 'full', mode: 'metadata' });
    test.end();
    expect(read(test)).toEqual([
      {
        command: { interpreter: 'Python 3' },
        git: { commit: 'c0', dirty: true, tree: '7e' },
        packages: { count: 1, sha256: HASH },
        environment: { OMP_NUM_THREADS: '8' },
        seeds: { PYTHONHASHSEED: '0' },
        texts: { packages: { sha256: HASH, lines: 1, bytes: 10 } },
      },
    ]);
    for (const word of PRIVATE) expect(test.text()).not.toContain(word);
  });

  it('is withheld while the job is disabled, and follows once, as far as each mode allows', async () => {
    const test = begin({ reproduce: 'full', mode: 'disabled' });
    await test.write('stdout', 'a\n');
    test.pipeline.commit();
    expect([read(test), texts(test)]).toEqual([[], []]);
    expect(test.pipeline.takeWholeState()).not.toContain('c0');
    await test.write('stdout', command({ mode: 'metadata' }));
    test.pipeline.commit();
    expect(texts(test)).toEqual(['packages: numpy==1.26.4']);
    for (const word of PRIVATE) expect(test.text()).not.toContain(word);
    await test.write(
      'stdout',
      command({ mode: 'enabled' }) + command({ mode: 'disabled' }) + command({ mode: 'enabled' })
    );
    test.end();
    expect(read(test)).toHaveLength(2);
    expect(read(test).at(-1)).toEqual(RUN.manifest);
    expect(texts(test)).toEqual(['packages: numpy==1.26.4', 'patch: private line', 'patch: ']);
  });

  it('counts by the mode that holds when it comes', async () => {
    const test = createPipelineUnderTest({ config: { reproduce: 'full' } });
    await test.write('stdout', command({ mode: 'disabled' }));
    test.pipeline.tellRun(RUN);
    test.end();
    expect([read(test), texts(test)]).toEqual([[], []]);
  });

  it('is lowered by a command, and never raised by one', async () => {
    const test = createPipelineUnderTest({ config: { reproduce: 'basic' } });
    await test.write('stdout', command({ reproduce: 'full', mode: 'metadata' }) + 'still enabled\n');
    await test.write('stdout', command({ reproduce: 'off' }) + command({ reproduce: 'basic' }));
    test.pipeline.tellRun(RUN);
    test.end();
    expect([read(test), texts(test)]).toEqual([[], []]);
    const log = readLog(test.stored());
    expect(log).toContain(
      '[notice] (joblens: the command above was not obeyed: reproduce is basic, and can only be lowered)'
    );
    expect(log).toContain(
      '[notice] (joblens: the command above was not obeyed: reproduce is off, and can only be lowered)'
    );
    expect(log).toContain('still enabled');
  });

  it('holds no token of the store', () => {
    const secrets = createSecrets(['private line', 'secret-argument']);
    const test = createPipelineUnderTest({ config: { reproduce: 'full' }, secrets });
    test.pipeline.tellRun(RUN);
    test.end();
    expect(test.text()).not.toMatch(/private line|"secret-argument/);
  });
});
