import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const UNIT = readFileSync(join(__dirname, '..', 'slurm', 'joblens.service'), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const itWithSystemd = hasSystemd ? it : it.skip;

describe('slurm/joblens.service', () => {
  itWithSystemd('is a unit that systemd takes, and exposes little', () => {
    const folder = mkdtempSync(join(tmpdir(), 'joblens-unit-'));
    const path = join(folder, 'joblens.service');
    // systemd wants to find the command.
    writeFileSync(path, UNIT.replace('/usr/bin/joblens', '/bin/true'));
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const security = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=40', path]);
    rmSync(folder, { recursive: true });
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    expect(security.toString()).toContain('OK');
  });
});
