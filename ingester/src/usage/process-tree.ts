import type { SystemFiles } from './system-files.js';
import type { UsageReading, UsageSource } from './usage-source.js';

/** The unit of times in /proc/PID/stat; the same on all machines that Node runs on (USER_HZ). */
const TICKS_PER_SECOND = 100;

/**
 * A process and those that it has started, and so on. What an ended process has used is kept by its parent (proc(5):
 * cutime; the kernel adds its I/O likewise), so the sum over those that live tells what all of them have used.
 */
export class ProcessTree implements UsageSource {
  readonly name = 'the processes of the command';
  readonly #files: SystemFiles;
  /** Known processes, and whether they belong to the tree. One that loses its parent stays what it was. */
  #isOwn: ReadonlyMap<number, boolean>;

  constructor(files: SystemFiles, pid: number) {
    this.#files = files;
    this.#isOwn = new Map([[pid, true]]);
  }

  read(): UsageReading {
    this.#isOwn = this.#findProcesses();
    const processes = [...this.#isOwn].filter(([, isOwn]) => isOwn).map(([pid]) => this.#readProcess(pid));
    const sum = (read: (process: ProcessUsage) => number | undefined): number | undefined => {
      const values = processes.map(read).filter((value) => value !== undefined);
      return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0);
    };
    const ownBytes = sum(({ ownMemoryBytes }) => ownMemoryBytes);
    // Memory that processes share counts once: the largest part is most of it.
    const sharedBytes = Math.max(0, ...processes.map(({ sharedMemoryBytes }) => sharedMemoryBytes));
    return {
      cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
      memoryBytes: ownBytes === undefined ? undefined : ownBytes + sharedBytes,
      readBytes: sum(({ readBytes }) => readBytes),
      writtenBytes: sum(({ writtenBytes }) => writtenBytes),
    };
  }

  /** Looks up the parents of new processes only: a node may have thousands. */
  #findProcesses(): ReadonlyMap<number, boolean> {
    const pids = this.#files.list('/proc').filter((name) => /^\d+$/.test(name));
    const known = new Map<number, boolean>();
    const parents = new Map<number, number>();
    for (const pid of pids.map(Number)) {
      const isOwn = this.#isOwn.get(pid);
      if (isOwn !== undefined) known.set(pid, isOwn);
      else parents.set(pid, Number(this.#readStat(pid)[1] ?? 0));
    }
    // A parent may have a higher number than its child.
    const isOwn = (pid: number, depth = 0): boolean => {
      const parent = parents.get(pid);
      return known.get(pid) ?? (parent !== undefined && depth < parents.size && isOwn(parent, depth + 1));
    };
    for (const pid of parents.keys()) known.set(pid, isOwn(pid));
    return known;
  }

  #readProcess(pid: number): ProcessUsage {
    const times = this.#readStat(pid).slice(11, 15).map(Number);
    const status = this.#files.read(`/proc/${pid}/status`) ?? '';
    const io = this.#files.read(`/proc/${pid}/io`) ?? '';
    const resident = readKilobytes(status, 'VmRSS');
    const shared = (readKilobytes(status, 'RssFile') ?? 0) + (readKilobytes(status, 'RssShmem') ?? 0);
    return {
      cpuSeconds: times.length === 4 ? times.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND : undefined,
      ownMemoryBytes: resident === undefined ? undefined : resident - shared,
      sharedMemoryBytes: shared,
      readBytes: readCount(io, 'read_bytes'),
      writtenBytes: readCount(io, 'write_bytes'),
    };
  }

  /** The fields of /proc/PID/stat behind the name, which may hold spaces and parentheses; none of an ended process. */
  #readStat(pid: number): readonly string[] {
    const stat = this.#files.read(`/proc/${pid}/stat`) ?? '';
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  }
}

interface ProcessUsage {
  readonly cpuSeconds: number | undefined;
  readonly ownMemoryBytes: number | undefined;
  readonly sharedMemoryBytes: number;
  readonly readBytes: number | undefined;
  readonly writtenBytes: number | undefined;
}

function readKilobytes(status: string, key: string): number | undefined {
  const count = readCount(status, key);
  return count === undefined ? undefined : count * 1024;
}

/** The number in a line `key: number …`. */
function readCount(text: string, key: string): number | undefined {
  const digits = new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
