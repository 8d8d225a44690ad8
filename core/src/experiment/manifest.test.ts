import { formatManifest, type Manifest, parseManifest } from './manifest.js';

const WHOLE: Manifest = {
  command: {
    argv: ['python', '-c', "print('é')", ''],
    folder: '/a b',
    executable: '/bin/python',
    interpreter: 'Python 3',
  },
  git: { commit: 'c0', branch: 'main', remote: 'https://h/r', dirty: false, tree: '7e', prefix: 'src/' },
  packages: { count: 0, sha256: 'ab' },
  locks: { 'uv.lock': 'cd', ['__proto__']: 'ef' },
  modules: ['gcc/12'],
  container: 'sha256:1',
  gpus: ['NVIDIA H200'],
  driver: '550',
  environment: { OMP_NUM_THREADS: '8' },
  seeds: { seed: '1' },
  inputs: [{ path: '/d.csv', bytes: 1, sha256: '00' }, { path: '-' }],
  machine: { kernel: '6.1', cpu: 'x', cpus: 8 },
  texts: { patch: { sha256: '11', lines: 2, bytes: 3 }, 'odd (name)': { sha256: '22' } },
  missing: { patch: 'it is larger than 1 MiB' },
};

describe('a manifest', () => {
  it.each([[WHOLE], [{}], [{ git: {} }]])('comes back as it was stored: %j', (manifest) => {
    const json = formatManifest(manifest);
    expect(json).not.toContain('\n');
    expect(JSON.parse(json)).toEqual({ version: 1, ...manifest });
    expect(parseManifest(json)).toEqual(manifest);
  });

  it('of a later version keeps what is known, and leaves out what is not', () => {
    const later = {
      ...{ version: 7, planet: 'Mars', gpus: [{ name: 'H300' }], driver: 8 },
      git: { commit: 'c0', tree: { sha256: '7e' }, worktree: true },
      locks: { 'uv.lock': 'cd', 'pixi.lock': { sha256: 'ef' } },
      texts: { patch: { sha256: '11', parts: 4 }, script: { blake3: '22' } },
    };
    expect(parseManifest(JSON.stringify(later))).toEqual({
      ...{ git: { commit: 'c0' }, locks: { 'uv.lock': 'cd' }, texts: { patch: { sha256: '11' } } },
    });
  });

  it('never has a part of a list', () => {
    const json = JSON.stringify({
      version: 1,
      command: { argv: ['rm', 7, '-r'] },
      inputs: [{ path: 'a' }, { url: 'b' }],
    });
    expect(parseManifest(json)).toEqual({ command: {} });
  });

  it.each([undefined, '', '7', '[]', '{}', '{"version": "1"}', '{"version": 1'])('is not %p', (json) => {
    expect(parseManifest(json)).toBeUndefined();
  });
});
