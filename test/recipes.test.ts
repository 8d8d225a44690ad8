import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './components.js';
import { pythonPath } from './python.js';

const ROOT = join(__dirname, '..');
const TARBALLS = ['joblens-1.2.3-linux-x64.tar.xz', 'joblens-1.2.3-linux-arm64.tar.xz'];

/** Reads an easyconfig as EasyBuild does: as Python, with its constants. */
const READ_EASYCONFIG = `
import json, sys
found = {'SYSTEM': {'name': 'system'}, 'ARCH': sys.argv[2]}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'), found)
names = ['easyblock', 'name', 'version', 'sources', 'checksums', 'extract_sources', 'install_cmd']
print(json.dumps({name: found[name] for name in names}))
`;

/** Reads a package of Spack as Spack does, with stand-ins for what it imports. */
const READ_PACKAGE = `
import json, platform, sys, types
found = []
def module(name, **values):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(values)
for name in ['spack', 'spack_repo', 'spack_repo.builtin', 'spack_repo.builtin.build_systems']: module(name)
module('spack_repo.builtin.build_systems.generic', Package=object)
module('spack.package', version=lambda name, **values: found.append({'name': name, **values}))
platform.machine = lambda: sys.argv[2]
source = open(sys.argv[1]).read()
exec(compile(source, sys.argv[1], 'exec'), {'__name__': 'package', '__file__': sys.argv[1]})
print(json.dumps(found))
`;

describeWith(['python'], 'recipes for the tarballs', () => {
  const folder = mkdtempSync(join(tmpdir(), "joblens recipes-('"));
  const hashes = Object.fromEntries(TARBALLS.map((name) => [name, createHash('sha256').update(name).digest('hex')]));
  const easyconfig = join(folder, 'joblens-1.2.3.eb');
  const repository = join(folder, 'spack/spack_repo/joblens');

  beforeAll(() => {
    for (const name of TARBALLS) writeFileSync(join(folder, name), name);
    const tarballs = TARBALLS.map((name) => join(folder, name));
    const program = `import { writeRecipes } from ${JSON.stringify(join(ROOT, 'packaging/recipes.mjs'))};
      writeRecipes(process.argv[1], ${JSON.stringify({ version: '1.2.3', tarballs })});`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', program, folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const read = (program: string, file: string, machine: string): unknown =>
    JSON.parse(execFileSync(pythonPath(), ['-c', program, file, machine], { encoding: 'utf8' }));

  it.each([
    ['x86_64', 'x64'],
    ['aarch64', 'arm64'],
  ])('name the tarball of a machine %s, and its checksum', (machine, ours) => {
    const tarball = `joblens-1.2.3-linux-${ours}.tar.xz`;
    expect(read(READ_EASYCONFIG, easyconfig, machine)).toEqual({
      ...{ easyblock: 'Binary', name: 'joblens', version: '1.2.3', extract_sources: true },
      ...{ sources: [`%(name)s-%(version)s-linux-${ours}.tar.xz`], checksums: [hashes] },
      install_cmd: 'sh install.sh %(installdir)s',
    });
    const [version, ...more] = read(READ_PACKAGE, join(repository, 'packages/joblens/package.py'), machine) as [
      { readonly url: string },
      ...unknown[],
    ];
    expect(more).toEqual([]);
    expect(version).toMatchObject({ name: '1.2.3', sha256: hashes[tarball] });
    expect(version.url).toBe(`file://${join(folder, tarball)}`);
    expect(existsSync(version.url.slice('file://'.length))).toBe(true);
  });

  it('offer nothing where there is no tarball of the machine', () => {
    expect(read(READ_PACKAGE, join(repository, 'packages/joblens/package.py'), 'riscv64')).toEqual([]);
    expect(() => read(READ_EASYCONFIG, easyconfig, 'riscv64')).toThrow('riscv64');
  });

  it('make a repository of Spack', () => {
    expect(readFileSync(join(repository, 'repo.yaml'), 'utf8')).toBe('repo:\n  namespace: joblens\n  api: v2.0\n');
  });
});
