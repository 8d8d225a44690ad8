import { execFile, spawn } from 'node:child_process';
import { close, constants, open } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeFileError } from '../../host/file-error.js';

const openFd = promisify(open);
const closeFd = promisify(close);
const run = promisify(execFile);

/** The ends of a pipe. They block, and a child inherits only those that it is given. */
export interface Fifo {
  readonly writeFd: number;
  readonly readFd: number;
  /** A reading end that shares no flags with the other one, so that one of the two may be non-blocking. */
  readonly secondReadFd: number;
}

/** Tried where the folder for temporary files is full, or may not be written. */
const OTHER_FOLDERS = ['/tmp', '/dev/shm'] as const;
/** From fcntl(2), which Node does not offer. */
const F_SETPIPE_SZ = 1031;
const SET_SIZES = `while (@ARGV) { open(my $pipe, '<&=', shift); fcntl($pipe, ${F_SETPIPE_SZ}, 0 + shift) }`;

/**
 * Makes real pipes. The "pipes" of child_process are sockets, and a program that opens /dev/stdout or /dev/stderr would
 * fail. `sizes`: the bytes that are to fit into each; 64 KiB if the system, or a missing perl, does not allow more.
 * They are made in the first of the folders that can be used, and nothing of them stays there. Throws where none can,
 * with a message that says what was tried, what happened, and what to do.
 */
export async function createFifos(
  sizes: readonly number[],
  folders: readonly string[] = [tmpdir(), ...OTHER_FOLDERS]
): Promise<Fifo[]> {
  const faults: string[] = [];
  for (const folder of new Set(folders)) {
    try {
      return await createIn(folder, sizes);
    } catch (error) {
      faults.push(`${folder}: ${describe(error)}`);
    }
  }
  throw new Error(`cannot make pipes (${faults.join('; ')}); set TMPDIR to a folder that can be written, with room`);
}

async function createIn(parent: string, sizes: readonly number[]): Promise<Fifo[]> {
  const folder = await mkdtemp(join(parent, 'joblens-'));
  try {
    const paths = sizes.map((_size, i) => join(folder, String(i)));
    await run('mkfifo', ['-m', '600', ...paths]);
    const fifos = await Promise.all(paths.map(openEnds));
    setSizes(fifos, sizes);
    return fifos;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function describe(error: unknown): string {
  const { code, syscall, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: string };
  if (syscall?.startsWith('spawn') === true) return `the program mkfifo cannot be started: ${code}`;
  const said = stderr?.trim().split('\n').at(-1);
  return said === undefined || said === '' ? describeFileError(error) : said;
}

/** Nobody waits for it: the pipes may be in use by then. */
function setSizes(fifos: readonly Fifo[], sizes: readonly number[]): void {
  const args = sizes.flatMap((size, i) => [String(i + 3), String(size)]);
  const stdio: ('ignore' | number)[] = ['ignore', 'ignore', 'ignore', ...fifos.map(({ secondReadFd }) => secondReadFd)];
  spawn('perl', ['-e', SET_SIZES, ...args], { stdio }).on('error', () => undefined);
}

async function openEnds(path: string): Promise<Fifo> {
  // Opening one end waits for the other, unless a descriptor for both exists already (fifo(7)).
  const bothFd = await openFd(path, constants.O_RDWR);
  const [readFd, secondReadFd, writeFd] = await Promise.all([
    openFd(path, constants.O_RDONLY),
    openFd(path, constants.O_RDONLY),
    openFd(path, constants.O_WRONLY),
  ]);
  await closeFd(bothFd);
  return { writeFd, readFd, secondReadFd };
}

export async function closeFds(fds: readonly number[]): Promise<void> {
  await Promise.all(fds.map((fd) => closeFd(fd)));
}
