// Describes the machine of the measurement.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { delimiter, join } from 'node:path';

/** One line: processors, memory, systems, versions, and the load of other processes. */
export async function describeMachine() {
  const [first] = cpus();
  const parts = [
    `${cpus().length} x ${first?.model.trim() ?? 'unknown processor'}`,
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `${type()} ${release()}`,
    `Node ${process.version}`,
    readVersion('python3', ['--version']),
    readVersion('influxd', ['version']),
    readVersion('telegraf', ['--version']),
    `load ${loadavg()[0]?.toFixed(2)}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The full path of a program on the PATH; undefined when it is not there. */
export function findProgram(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function readVersion(name, args) {
  const path = findProgram(name);
  if (path === undefined) return undefined;
  try {
    return execFileSync(path, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split('\n')[0]
      .split(' (')[0];
  } catch {
    return `${name} of unknown version`;
  }
}
