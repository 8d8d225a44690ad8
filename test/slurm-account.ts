import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './slurm.js';

/** A user of this machine, for the time of a test. */
export interface TemporaryAccount extends Account {
  readonly name: string;
  remove(): void;
}

/** Whether this process may make users: root may. */
export function canCreateAccounts(): boolean {
  return process.getuid?.() === 0;
}

/** Makes a user with a home folder of its own. */
export function createAccount(): TemporaryAccount {
  const home = mkdtempSync(join(tmpdir(), 'joblens-home-'));
  const name = `joblens-${home.slice(-6).toLowerCase()}`;
  execFileSync('/usr/sbin/useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/bash', name]);
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  execFileSync('chown', [`${String(uid)}:${String(gid)}`, home]);
  chmodSync(home, 0o755);
  return {
    ...{ name, uid, gid, home },
    remove() {
      execFileSync('/usr/sbin/userdel', [name]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
