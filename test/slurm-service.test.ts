import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const itWithSystemd = hasSystemd ? it : it.skip;

describe.each(['joblens.service', 'joblens-serve.service'])('slurm/%s', (name) => {
  itWithSystemd('is a unit that systemd takes, and exposes little', () => {
    const unit = readFileSync(join(__dirname, '..', 'slurm', name), 'utf8');
    const folder = mkdtempSync(join(tmpdir(), 'joblens-unit-'));
    const path = join(folder, name);
    // systemd wants to find the command.
    writeFileSync(path, unit.replace('/usr/bin/joblens', '/bin/true'));
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const security = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=40', path]);
    rmSync(folder, { recursive: true });
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    expect(security.toString()).toContain('OK');
  });
});
