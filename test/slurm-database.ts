import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { mungeSocket, type SlurmPorts } from './slurm-config.js';

/** The tables in which MariaDB keeps what it needs to know of itself. */
const SYSTEM_TABLES = '/usr/share/mysql/mysql_system_tables.sql';

/** A private MariaDB: no port, no users, a folder that others cannot enter. */
export interface SlurmDatabase {
  /** Arguments of mariadbd. */
  readonly args: readonly string[];
  /** By this variable the client library of MariaDB finds it. */
  readonly environment: { readonly MYSQL_UNIX_PORT: string };
  /** Rejects until it takes connections. */
  check(): Promise<void>;
}

/** Makes the files of a database in the folder of a cluster. */
export async function prepareDatabase(base: string): Promise<SlurmDatabase> {
  const folder = join(base, 'database');
  await mkdir(folder, { mode: 0o700 });
  const socket = join(folder, 'socket');
  const args = [
    '--no-defaults',
    `--datadir=${folder}`,
    `--user=${userInfo().username}`,
    // Whoever may open the socket may do everything: it is in the folder, which is closed to others.
    ...['--skip-grant-tables', '--skip-networking', '--innodb-flush-log-at-trx-commit=0'],
  ];
  const statements = `CREATE DATABASE mysql;\nUSE mysql;\n${readFileSync(SYSTEM_TABLES, 'utf8')}`;
  const made = spawnSync('/usr/sbin/mariadbd', [...args, '--bootstrap'], {
    input: statements,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (made.status !== 0) throw new Error(`Cannot make a database: ${made.stderr.slice(-1000)}`);
  return {
    args: [...args, `--socket=${socket}`],
    environment: { MYSQL_UNIX_PORT: socket },
    check: () => access(socket),
  };
}

/** Writes the slurmdbd.conf of a cluster. slurmdbd wants it closed to others. */
export async function writeDatabaseConfig(base: string, { database }: SlurmPorts): Promise<void> {
  const config = `
AuthType=auth/munge
AuthInfo=socket=${mungeSocket(base)}
DbdHost=localhost
DbdPort=${String(database)}
SlurmUser=${userInfo().username}
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=${userInfo().username}
StorageLoc=slurm
PidFile=${base}/slurmdbd.pid
LogFile=${base}/slurmdbd.log
`;
  await writeFile(join(base, 'slurmdbd.conf'), config, { mode: 0o600 });
}
