import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Facts that distinguish a process from all others, including those on machines that share the file system. */
export interface HostFacts {
  readonly hostName: string;
  /** Changes with each start of the machine. */
  readonly bootId: string;
  /** The namespace in which process ids are valid; undefined where it cannot be read. */
  readonly pidNamespace: string | undefined;
  readonly pid: number;
  /** When the process started, in the kernel's ticks since boot. It distinguishes processes that reuse a pid. */
  readonly startTime: string;
  /** The effective user id. */
  readonly uid: number;
  /** How long the machine has run. */
  uptimeMs(): number;
  /** Whether a process with this id and start time runs in this pid namespace. */
  isAlive(pid: number, startTime: string): boolean;
}

/** Reads the facts of a local process from /proc (proc(5)). Without /proc only the host name and the pid are known. */
export function readHostFacts(pid: number, uid: number): HostFacts {
  return {
    hostName: hostname(),
    bootId: readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? 'unknown',
    pidNamespace: /\d+/.exec(readLink(`/proc/${pid}/ns/pid`) ?? '')?.[0],
    pid,
    startTime: readStartTime(pid) ?? '0',
    uid,
    uptimeMs: () => Number(readText('/proc/uptime')?.split(' ')[0] ?? 0) * 1000,
    isAlive: (otherPid, startTime) => readStartTime(otherPid) === startTime,
  };
}

/** Field 22 of /proc/PID/stat; undefined if no such process runs. A zombie does not run. */
function readStartTime(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the command's name in parentheses; it may hold spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
