import { fstatSync, statSync } from 'node:fs';
import type { Stream } from '@joblens/core/schema/measurements';
import type { Host } from '../../host/host.js';
import type { Reporter } from '../../host/report.js';
import { identifyPipe } from '../../peers/pipe-note.js';
import { closeFds, createFifos } from '../tap/fifo.js';
import { COPY_PIPE_BYTES, openTap, type Tap } from '../tap/tap.js';

/** Twice the usual size: the command keeps printing while tee empties the pipe. */
const COMMAND_PIPE_BYTES = 128 * 1024;
const FAREWELL =
  'joblens was killed; if the command continues, its output still passes through, but it is not logged any more';
const ORDER_LOST =
  'stdout and stderr go to one place and are kept apart (--separate): output of one may interrupt a line of the other';

/** The command's output on its way to our own descriptors. */
export interface CommandOutput {
  /** The descriptors that the command writes to: standard output, standard error. */
  readonly writeFds: readonly [stdout: number, stderr: number];
  /** The pipes behind them (identifyPipe). */
  readonly pipes: readonly string[];
  /** The streams that pass through the tap: both, or one that carries both. */
  readonly streams: readonly Stream[];
  readonly tap: Tap;
  /** Closes our copies of the command's descriptors, so that the streams end when the command does. */
  commandHasStarted(): Promise<void>;
}

interface CommandOutputOptions {
  readonly host: Host;
  readonly report: Reporter;
  /** Keeps two streams even if both go to one place. */
  readonly isSeparate: boolean;
}

/** Undefined, with one message, when no pipes can be made. */
export async function openCommandOutput(options: CommandOutputOptions): Promise<CommandOutput | undefined> {
  const { host, report } = options;
  try {
    const { stdoutFd, stderrFd } = host;
    // Only one pipe keeps the order between the two.
    const hasOneDestination = isOneDestination(stdoutFd, stderrFd);
    const isOne = hasOneDestination && !options.isSeparate;
    if (hasOneDestination && !isOne) report.info(ORDER_LOST);
    const toFds = isOne ? [stdoutFd] : [stdoutFd, stderrFd];
    // Makes the command's pipes and the tap's in one call.
    const made = await createFifos([...toFds.map(() => COMMAND_PIPE_BYTES), ...toFds.map(() => COPY_PIPE_BYTES)]);
    const [pipes, fifos] = [made.slice(0, toFds.length), made.slice(toFds.length)];
    const streams = pipes.map(({ readFd }, i) => ({ fromFd: readFd, toFd: toFds[i] }));
    const tap = await openTap(streams, { fifos, clock: host.clock, stderrFd, farewell: FAREWELL });
    // We keep no reader, so the command learns by SIGPIPE that nobody reads the output that is passed on.
    await closeFds(pipes.flatMap(({ readFd, secondReadFd }) => [readFd, secondReadFd]));
    const writeFds = pipes.map(({ writeFd }) => writeFd);
    const [out = -1, error = out] = writeFds;
    return {
      writeFds: [out, error],
      pipes: writeFds.flatMap((fd) => identifyPipe(fd) ?? []),
      streams: isOne ? ['stdout'] : ['stdout', 'stderr'],
      tap,
      commandHasStarted: () => closeFds(writeFds),
    };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    report.error(`nothing of the output is logged: ${found}`);
    return undefined;
  }
}

/**
 * Whether two descriptors lead to the same file, pipe, socket or terminal, where the order of the output is visible.
 */
function isOneDestination(fd: number, otherFd: number): boolean {
  try {
    const [facts, other] = [fstatSync(fd), fstatSync(otherFd)];
    if (facts.dev !== other.dev || facts.ino !== other.ino) return false;
    return !(facts.isCharacterDevice() && facts.rdev === statSync('/dev/null').rdev);
  } catch {
    // A closed descriptor leads nowhere.
    return false;
  }
}
