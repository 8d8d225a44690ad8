import { spawn } from 'node:child_process';
import { ProcessTree } from './process-tree.js';
import { createSystemFiles } from './system-files.js';
import { createFakeFiles } from './testing/fake-files.js';
import type { UsageReading } from './usage-source.js';

interface FakeProcess {
  readonly parent: number;
  readonly name?: string;
  /** utime, stime, cutime, cstime. */
  readonly ticks?: readonly [number, number, number, number];
  readonly anonKb?: number;
  readonly fileKb?: number;
  readonly readBytes?: number;
}

/** /proc/PID of a process, as Linux 5.10 writes it, shortened. */
function createProcess(pid: number, { parent, name = 'python', ...facts }: FakeProcess): Record<string, string> {
  const { ticks = [0, 0, 0, 0], anonKb = 0, fileKb = 0, readBytes = 0 } = facts;
  const times = ticks.join(' ');
  return {
    [`/proc/${pid}/stat`]: `${pid} (${name}) S ${parent} ${pid} ${pid} 0 -1 4194304 100 200 0 0 ${times} 20 0 1 0 99 1 1\n`,
    [`/proc/${pid}/status`]: `Name:\tpython\nVmRSS:\t${anonKb + fileKb} kB\nRssAnon:\t${anonKb} kB\nRssFile:\t${fileKb} kB\nRssShmem:\t0 kB\n`,
    [`/proc/${pid}/io`]: `rchar: 9\nwchar: 9\nsyscr: 1\nsyscw: 1\nread_bytes: ${readBytes}\nwrite_bytes: 7\ncancelled_write_bytes: 3\n`,
  };
}

const MB = 1024 * 1024;

describe('ProcessTree', () => {
  it('sums a process and all that it has started, with what ended ones have left to their parents', () => {
    const files = createFakeFiles(
      createProcess(1, { parent: 0, ticks: [9000, 9000, 9000, 9000], anonKb: 1024 }),
      createProcess(20, { parent: 10, ticks: [50, 50, 0, 0], anonKb: 2048, fileKb: 3072, readBytes: 1000 }),
      createProcess(10, { parent: 1, ticks: [100, 20, 30, 50], anonKb: 1024, fileKb: 1024, readBytes: 500 }),
      createProcess(5, { parent: 20, name: 'a) S 1 (b', ticks: [0, 100, 0, 0] }),
      createProcess(30, { parent: 1, ticks: [700, 0, 0, 0] })
    );
    expect(new ProcessTree(files, 10).read()).toEqual({
      cpuSeconds: 4,
      memoryBytes: 3 * MB + 3 * MB,
      readBytes: 1500,
      writtenBytes: 21,
    });
  });

  it('finds new processes, and keeps those that lose their parent', () => {
    const files = createFakeFiles(createProcess(10, { parent: 1 }), createProcess(11, { parent: 10 }));
    const tree = new ProcessTree(files, 10);
    tree.read();
    for (const path of [...files.texts.keys()]) if (path.startsWith('/proc/10/')) files.texts.delete(path);
    const later = { ...createProcess(11, { parent: 1, ticks: [100, 0, 0, 0] }), ...createProcess(12, { parent: 11 }) };
    for (const [path, text] of Object.entries(later)) files.texts.set(path, text);
    expect(tree.read()).toMatchObject({ cpuSeconds: 1, writtenBytes: 14 });
  });

  it('tells nothing when all have ended', () => {
    expect(new ProcessTree(createFakeFiles(createProcess(1, { parent: 0 })), 10).read()).toEqual({});
  });

  it('tells what another user may see of a process', () => {
    const files = createFakeFiles(createProcess(10, { parent: 1, ticks: [100, 0, 0, 0] }));
    files.texts.delete('/proc/10/io');
    expect(new ProcessTree(files, 10).read()).toEqual({ cpuSeconds: 1, memoryBytes: 0 });
  });

  it('tells the CPU time and memory of real processes', async () => {
    const program = `const bytes = Buffer.alloc(${100 * MB}, 1);
      const { execFileSync } = require('child_process');
      execFileSync(process.execPath, ['-e', 'const end = process.hrtime.bigint() + 300000000n; while (process.hrtime.bigint() < end);']);
      console.log('ready', bytes.length);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const tree = new ProcessTree(createSystemFiles(), child.pid ?? 0);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const reading: UsageReading = tree.read();
      expect(reading.cpuSeconds).toBeGreaterThan(0.1);
      expect(reading.cpuSeconds).toBeLessThan(60);
      expect(reading.memoryBytes).toBeGreaterThan(100 * MB);
      expect(reading.memoryBytes).toBeLessThan(1000 * MB);
      expect(reading.writtenBytes).toBeGreaterThanOrEqual(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
