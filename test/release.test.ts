import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const PROGRAM = join(ROOT, 'scripts/release.mjs');
const VERSION_FILE = 'ingester/src/host/version.ts';
const PACKAGES = ['', 'client', 'core', 'ingester', 'plugin', 'standalone'].map((name) => join(name, 'package.json'));
const FOLDERS = ['changes', 'plugin/changes'];
const KEPT = [...PACKAGES, 'package-lock.json', VERSION_FILE, ...FOLDERS];

interface Described {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

describe('the next version', () => {
  const folder = mkdtempSync(join(tmpdir(), "joblens release-('"));
  const root = join(folder, 'checkout');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const write = (file: string, text: string): void => {
    writeFileSync(join(root, file), text);
  };
  const release = (...args: readonly string[]): { readonly code: number | null; readonly stderr: string } => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args, '--root', root], { encoding: 'utf8' });
    return { code: status, stderr };
  };

  beforeEach(() => {
    rmSync(root, { recursive: true, force: true });
    for (const name of KEPT) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      cpSync(join(ROOT, name), join(root, name), { recursive: true });
    }
    write('CHANGELOG.md', '# Changelog\n\nWhat changed.\n\n## 0.0.1 - 2020-01-01\n\n### Fixed\n\n- A fault.\n');
    write('plugin/CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Stood here.\n- And here.\n');
  });

  it('is in each place that says a version', () => {
    expect(release('9.8.7-rc.1')).toEqual({ code: 0, stderr: '' });
    const lock = JSON.parse(read('package-lock.json')) as Described & { packages: Record<string, Described> };
    const locked = PACKAGES.map((name) => lock.packages[dirname(name).replace('.', '')]);
    const described = [...PACKAGES.map((name) => JSON.parse(read(name)) as Described), ...locked];
    for (const one of described) {
      const own = Object.entries(one?.dependencies ?? {}).filter(([name]) => name.startsWith('@joblens/'));
      expect([one?.version, ...own.map(([, version]) => version)]).toEqual(
        Array.from({ length: 1 + own.length }, () => '9.8.7-rc.1')
      );
    }
    expect(lock.version).toBe('9.8.7-rc.1');
    expect(read(VERSION_FILE)).toContain("VERSION = '9.8.7-rc.1'");
  });

  it('says what the files of changes say, by kind, and leaves none of them', () => {
    for (const place of FOLDERS) for (const name of waiting(place)) rmSync(join(root, place, name));
    write('changes/fixed-b (1).md', 'Second `fault`.\n');
    write("changes/fixed-a's.md", 'First\nfault.');
    write('changes/security-.md', 'A hole.');
    write('changes/added-$&.md', 'Costs $1 and $&.');
    write('plugin/changes/fixed-x.md', 'A fault.');
    write('plugin/changes/added-x.md', 'A view.');
    expect(release('1.0.0').stderr).toBe('');
    const day = /^## 1\.0\.0 - (\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))?.[1] ?? '';
    const lists = [
      'Added\n\n- Costs $1 and $&.',
      'Fixed\n\n- First\n  fault.\n- Second `fault`.',
      'Security\n\n- A hole.',
    ];
    expect(read('CHANGELOG.md')).toBe(
      `# Changelog\n\nWhat changed.\n\n## 1.0.0 - ${day}\n\n### ${lists.join('\n\n### ')}\n\n` +
        `## 0.0.1 - 2020-01-01\n\n### Fixed\n\n- A fault.\n`
    );
    expect(read('plugin/CHANGELOG.md')).toBe(
      `# Changelog\n\n## 1.0.0 - ${day}\n\n- A view.\n- A fault.\n- Stood here.\n- And here.\n`
    );
    expect(FOLDERS.flatMap(waiting)).toEqual([]);
  });

  it('takes what stands under Unreleased by kind, below what has files', () => {
    write('changes/changed-1.md', 'New.');
    write('CHANGELOG.md', '# C\n\n## [Unreleased]\n\n### Changed\n\n- Old.\n  More.\n\n### Fixed\n\n- Mended.\n');
    expect(release('1.0.0').code).toBe(0);
    expect(read('CHANGELOG.md')).toMatch(
      /### Changed\n\n(?:(?:-| ) .*\n)*- New\.\n(?:(?:-| ) .*\n)*- Old\.\n {2}More\.\n/
    );
    expect(read('CHANGELOG.md')).toMatch(/### Fixed\n\n(?:(?:-| ) .*\n)*- Mended\.\n/);
    expect(read('CHANGELOG.md')).not.toContain('Unreleased');
  });

  it.each([
    ['a file without a kind', ['1.0.0'], { 'changes/news.md': 'News.' }, 1, /news\.md: its name begins with none of/],
    ['a file with two paragraphs', ['1.0.0'], { 'changes/added-x.md': 'A.\n\nB.' }, 1, /write one paragraph/],
    ['a file with a list', ['1.0.0'], { 'plugin/changes/added-x.md': '- A.' }, 1, /write one paragraph/],
    ['an empty file', ['1.0.0'], { 'plugin/changes/added-x.md': '\n' }, 1, /write one paragraph/],
    ['a version that was released', ['0.0.1'], {}, 1, /0\.0\.1 has a section/],
    ['no version', [], {}, 2, /give the version/],
    ['no semantic version', ['v1'], {}, 2, /give the version/],
    ['two versions', ['1.0.0', '1.0.1'], {}, 2, /give the version/],
  ])('is refused for %s, and nothing is written', (_, args, files, code, message) => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    const before = KEPT.filter((name) => name.includes('.')).map(read);
    const result = release(...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(KEPT.filter((name) => name.includes('.')).map(read)).toEqual(before);
    expect(read('CHANGELOG.md')).not.toContain('1.0.0');
    for (const name of Object.keys(files)) expect(existsSync(join(root, name))).toBe(true);
  });

  /** The changes that wait for a release in a folder of the copy. */
  function waiting(place: string): string[] {
    return readdirSync(join(root, place)).filter((name) => name !== 'README.md');
  }
});
