import { fstatSync, readFileSync, readlinkSync } from 'node:fs';
import {
  ifRuns,
  listProcessFolder,
  listProcessIds,
  readProcessLink,
  readProcessStatus,
} from '../../host/process-files.js';
import { identifyFile } from './identify-file.js';

/** A chain of filters is looked through up to this length. */
const MAX_STEPS = 8;
const ACCESS_BITS = 0o3;
const READS = 0;
const STDERR_FD = 2;

/** Where a process has an open file or pipe. */
interface Opened {
  readonly fd: number;
  readonly path: string;
  /** `pipe:[…]` of a pipe, which the processes at its two ends share. */
  readonly target: string;
  readonly doesRead: boolean;
}

/**
 * Whether what is written to the descriptor of a pipe may come to one of the files, each told by a hash: a program that
 * reads it has the file open for writing (`tee`), other than for its errors, directly or behind more pipes. Undefined
 * where nobody is seen to read it: the reader is another user's, as the daemon of Slurm, or on another machine. Rejects
 * when nobody can tell, as with too many open files.
 */
export async function doesLeadTo(fd: number, files: ReadonlySet<string>): Promise<boolean | undefined> {
  const first = readPipe(fd);
  if (first === undefined) return undefined;
  const processes = listProcesses();
  const [asked, isSeen] = [[first], new Set([first])];
  for (let step = 0; step < asked.length && step < MAX_STEPS; step += 1) {
    const readers = processes.filter((opened) =>
      opened.some(({ target, doesRead }) => doesRead && target === asked[step])
    );
    if (readers.length === 0) return undefined;
    for (const { target, path } of readers.flat().filter(({ fd: own, doesRead }) => own !== STDERR_FD && !doesRead)) {
      if (!target.startsWith('pipe:')) {
        const file = await identifyOpened(path);
        if (file !== undefined && files.has(file)) return true;
      } else if (!isSeen.has(target)) {
        isSeen.add(target);
        asked.push(target);
      }
    }
  }
  return false;
}

function readPipe(fd: number): string | undefined {
  return fstatSync(fd).isFIFO() ? readProcessLink(`/proc/self/fd/${fd}`) : undefined;
}

/** What each process has open that may be looked at (proc(5)). */
function listProcesses(): Opened[][] {
  return listProcessIds().map((pid) => listProcessFolder(`/proc/${pid}/fd`).flatMap((fd) => readOpened(pid, fd) ?? []));
}

/** Undefined where the process has ended, or has closed it. */
function readOpened(pid: string, fd: string): Opened | undefined {
  return ifRuns(() => {
    const path = `/proc/${pid}/fd/${fd}`;
    const flags = Number.parseInt(
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1] ?? '',
      8
    );
    return { fd: Number(fd), path, target: readlinkSync(path), doesRead: (flags & ACCESS_BITS) === READS };
  });
}

async function identifyOpened(path: string): Promise<string | undefined> {
  const status = readProcessStatus(path);
  return status?.isFile() === true ? identifyFile(path, status) : undefined;
}
