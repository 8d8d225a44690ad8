import { type ChildProcess, spawn } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import type { Clock } from '../../clock/clock.js';
import { closeFds, type Fifo } from './fifo.js';
import { openPipeReader, type PipeReader } from './pipe-reader.js';

/**
 * The size of a copy's pipe, so that a short pause of this process, e.g. to collect garbage, does not stop the writer.
 * All pipes of a user share 64 MiB (pipe(7)); beyond that, new ones are tiny.
 */
export const COPY_PIPE_BYTES = 256 * 1024;

/** Without this (sched(7)), each write of the job wakes tee, which takes a third of the job's processor time. */
const YIELD_TO_JOB = 'chrt -b -p 0 $$ >/dev/null 2>&1';

/**
 * Without the option, tee ends when nobody reads a pipe, but at a socket it gets another error (unix(7)), drops that
 * output and continues. Not every tee knows the option. The error is the reader's concern.
 */
const END_ON_ERROR = 'tee --output-error=exit';
const END_WITH_SOCKET = `${END_ON_ERROR} </dev/null >/dev/null 2>&1 && exec ${END_ON_ERROR} /dev/fd/3 2>/dev/null`;

/**
 * A process that passes output on ends with that output, not by a signal sent to the whole job. Not every shell knows
 * the names of STKFLT, IO and PWR; the supervisor sees to the real-time signals.
 */
const IGNORE_SIGNALS = `trap '' HUP INT QUIT TERM USR1 USR2 ALRM XCPU XFSZ VTALRM PROF SYS TRAP ABRT 16 29 30`;

/** A stream that passes through the tap. The tap owns neither descriptor. */
interface TappedStream {
  readonly fromFd: number;
  /** Undefined when the stream goes only into the log. */
  readonly toFd: number | undefined;
}

/** Passes streams on, and gives a copy of each to read. */
export interface Tap {
  /** The output that was passed on, in the order of the streams. Each copy ends with its stream. */
  readonly copies: readonly PipeReader[];
  /** Each resolves when its stream is no longer passed on: it has ended, or nobody reads it. */
  readonly ended: readonly Promise<void>[];
  /** For each stream, whether its reader may not have taken all output yet. */
  readonly areWriting: readonly boolean[];
  /** Ends the processes that pass the output on, even before the output ends: they only wait for more. */
  close(): Promise<void>;
  /** Lets further output pass through without this process and without a message, until the streams end. */
  leave(): Promise<void>;
}

interface TapOptions {
  /** The pipes of the copies, one for each stream; they belong to the tap. */
  readonly fifos: readonly Fifo[];
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stderrFd: number;
  /** The line for `stderrFd` when this process is gone. */
  readonly farewell: string;
}

/**
 * Puts tee(1) between the ends of each stream, so that nothing of ours is in its way: whatever happens to this process,
 * tee passes the output on, byte for byte and at once. This process reads tee's copy. Until it does, tee waits, and so
 * does the writer. A guardian holds the copy too: if this process is gone, it prints a message and reads on.
 */
export async function openTap(
  streams: readonly TappedStream[],
  { fifos, clock, stderrFd, farewell }: TapOptions
): Promise<Tap> {
  const tees = streams.map(({ fromFd, toFd }, i) => startTee(fromFd, toFd, stderrFd, fifos[i]?.writeFd ?? -1));
  const secondReadFds = fifos.map(({ secondReadFd }) => secondReadFd);
  const guardian = startGuardian(secondReadFds, stderrFd, farewell);
  await closeFds([...fifos.map(({ writeFd }) => writeFd), ...secondReadFds]);
  return {
    copies: fifos.map(({ readFd }) => openPipeReader(readFd, clock)),
    ended: tees.map(untilEnd),
    get areWriting() {
      return tees.map((tee) => isRunning(tee) && findActivity(tee.pid) === 'writing');
    },
    async close() {
      const ended = tees.filter(isRunning).map((tee) => endIfIdle(tee));
      // The guardian ends last. It stays while a tee is left, so that this tee always has a reader.
      if ((await Promise.all(ended)).every((isEnded) => isEnded)) await end(guardian);
    },
    leave: () => new Promise((resolve) => guardian.stdin?.write('leave\n', () => resolve())),
  };
}

/**
 * A writer must not die of SIGPIPE when we end, so its remaining output is read and thrown away. The process holds
 * nothing else of ours.
 */
export function readOn(fd: number): void {
  const reader = spawn('/bin/sh', ['-c', `${IGNORE_SIGNALS}; exec cat`], {
    stdio: [fd, 'ignore', 'ignore'],
    detached: true,
  });
  reader.on('error', () => undefined);
  reader.unref();
}

function startTee(fromFd: number, toFd: number | undefined, stderrFd: number, copyFd: number): ChildProcess {
  const ending = toFd !== undefined && fstatSync(toFd).isSocket() ? `${END_WITH_SOCKET}; ` : '';
  const script = `${IGNORE_SIGNALS}; ${YIELD_TO_JOB}; ${ending}exec tee /dev/fd/3`;
  return start(script, [fromFd, toFd ?? 'ignore', stderrFd, copyFd]);
}

/**
 * Waits for a word, or for the end of a pipe whose other end only this process holds: however this process ends, the
 * system closes it. A word means that no message is needed; the guardian then holds nothing that anybody may wait for.
 */
function startGuardian(fds: readonly number[], stderrFd: number, farewell: string): ChildProcess {
  const readers = fds.map((_fd, i) => `cat <&${i + 3} >/dev/null &`).join(' ');
  // The line is printed last, by a child: nobody may read it, and the readers must live.
  const farewellUnlessTold = `[ -n "$word" ] || (printf '%s\\n' "$1" >&2)`;
  const script = `${IGNORE_SIGNALS}; read -r word; [ -z "$word" ] || exec 2>/dev/null; ${readers} ${farewellUnlessTold}; wait`;
  const guardian = start(script, ['pipe', 'ignore', stderrFd, ...fds], farewell);
  // Somebody may have killed it.
  guardian.stdin?.on('error', () => undefined);
  return guardian;
}

function start(script: string, stdio: (number | 'pipe' | 'ignore')[], ...args: string[]): ChildProcess {
  return spawn('/bin/sh', ['-c', script, 'joblens', ...args], { stdio });
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** A tee that reads waits for more output; one that writes still holds some. */
function findActivity(pid: number | undefined): 'reading' | 'writing' | 'unknown' {
  try {
    // The system call of the process, and its arguments (proc(5)). The first argument of read and write is the
    // descriptor.
    const [, fd] = readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ');
    return fd === '0x0' ? 'reading' : 'writing';
  } catch {
    return 'unknown';
  }
}

/** Returns whether it has ended. */
async function endIfIdle(tee: ChildProcess): Promise<boolean> {
  if (findActivity(tee.pid) !== 'reading') return !isRunning(tee);
  await end(tee);
  return true;
}

function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  return untilEnd(child);
}

function untilEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (!isRunning(child)) resolve();
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
