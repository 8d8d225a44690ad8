import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasEnded, readProcessLink, readProcessText } from './process-files.js';

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
  /** How long the machine has run; without end where it does not tell. */
  uptimeMs(): number;
  /** Whether a process with this id and start time runs in this pid namespace. Where nobody can tell, it may. */
  isAlive(pid: number, startTime: string): boolean;
}

/**
 * Reads the facts of a local process from /proc (proc(5)). Without /proc only the host name and the pid are known.
 * Throws when nobody can tell: others would take a process without its facts for a dead one.
 */
export function readHostFacts(pid: number, uid: number): HostFacts {
  return {
    hostName: hostname(),
    bootId: readProcessText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? 'unknown',
    pidNamespace: /\d+/.exec(readProcessLink(`/proc/${pid}/ns/pid`) ?? '')?.[0],
    pid,
    startTime: parseStartTime(readProcessText(`/proc/${pid}/stat`)) ?? '0',
    uid,
    uptimeMs: () => Number(readProcessText('/proc/uptime')?.split(' ')[0] ?? Infinity) * 1000,
    isAlive(otherPid, startTime) {
      try {
        return parseStartTime(readFileSync(`/proc/${otherPid}/stat`, 'latin1')) === startTime;
      } catch (error) {
        return !hasEnded(error);
      }
    },
  };
}

/** Field 22 of /proc/PID/stat; undefined if no such process runs. A zombie does not run. */
function parseStartTime(stat: string | undefined): string | undefined {
  // The second field is the command's name in parentheses; it may hold spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}
