import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { pid } from 'node:process';

const SIGKILL_STATUS = 137;
const PROBE_LIMIT_BYTES = 16 * 2 ** 20;

/**
 * Whether cgroups of version 1 can be made here, as slurmd makes them, and the kernel kills what takes more memory than
 * they may; mostly not in a container.
 */
export function canMakeCgroups(): boolean {
  const folders = ['freezer', 'cpuacct', 'memory'].map((name) => `/sys/fs/cgroup/${name}/joblens-${String(pid)}`);
  const memory = folders[2] ?? '';
  const made: string[] = [];
  try {
    for (const folder of folders) {
      mkdirSync(folder);
      made.push(folder);
    }
    writeFileSync(`${memory}/memory.limit_in_bytes`, String(PROBE_LIMIT_BYTES));
    // tail keeps what has no line feed.
    const greedy = `echo $$ > ${memory}/cgroup.procs && head -c ${String(4 * PROBE_LIMIT_BYTES)} /dev/zero | tail > /dev/null`;
    return spawnSync('sh', ['-c', greedy], { timeout: 10_000 }).status === SIGKILL_STATUS;
  } catch {
    return false;
  } finally {
    // The kernel may still be busy with what it killed; an empty cgroup harms nobody.
    for (const folder of made) spawnSync('rmdir', [folder]);
  }
}
