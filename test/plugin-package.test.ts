import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'plugin/package.json'), 'utf8')) as { version: string };

/** The names in an archive, from its central directory (APPNOTE 4.3.12). */
function listNames(zip: Buffer): string[] {
  const names: string[] = [];
  const SIGNATURE = Buffer.from([0x50, 0x4b, 1, 2]);
  for (let at = zip.indexOf(SIGNATURE); at !== -1; at = zip.indexOf(SIGNATURE, at + 1)) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + length));
  }
  return names;
}

describe('npm run package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-package-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function pack(name: string): Buffer {
    const target = join(folder, name);
    execFileSync(process.execPath, [join(ROOT, 'plugin/scripts/package.mjs'), target]);
    return readFileSync(join(target, `joblens-app-${version}.zip`));
  }

  it('packs one folder that is named like the plugin, with its licences', () => {
    const names = listNames(pack('once'));
    expect(names.filter((name) => !name.startsWith('joblens-app/'))).toEqual([]);
    const needed = ['plugin.json', 'module.js', 'module.js.map', 'LICENSE', 'CHANGELOG.md', 'README.md'];
    for (const file of [...needed, 'THIRD-PARTY-NOTICES.txt', 'datasource/plugin.json', 'panel/plugin.json'])
      expect(names).toContain(`joblens-app/${file}`);
  });

  it('makes the same archive of the same files', () => {
    expect(pack('first').equals(pack('second'))).toBe(true);
  });
});
