import { execFile } from 'node:child_process';
import { close, constants, open } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

const openFd = promisify(open);
const closeFd = promisify(close);
const run = promisify(execFile);

/** One end for a child to write to, the other for us to read from. */
export interface Pipe {
  readonly writeFd: number;
  readonly readable: Readable;
}

/**
 * Makes real pipes. The "pipes" that child_process makes are sockets, and a program that opens /dev/stdout or /dev/stderr then fails.
 * Throws when the folder for temporary files cannot be used.
 */
export async function createPipes(count: number): Promise<Pipe[]> {
  const folder = await mkdtemp(join(tmpdir(), 'joblens-'));
  try {
    const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
    await run('mkfifo', ['-m', '600', ...paths]);
    return await Promise.all(paths.map(openPipe));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openPipe(path: string): Promise<Pipe> {
  // The reading end first and without waiting for a writer; then the writing end opens at once.
  const readFd = await openFd(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeFd = await openFd(path, constants.O_WRONLY);
  return { writeFd, readable: new Socket({ fd: readFd, readable: true, writable: false }) };
}

/** Gives up our copy of the writing end, so that the reader sees the end when the child's copies are closed. */
export async function closeWriteEnds(pipes: readonly Pipe[]): Promise<void> {
  await Promise.all(pipes.map(({ writeFd }) => closeFd(writeFd)));
}
