import type { Host } from '../../host.js';
import type { Reporter } from '../../report.js';
import { closeFds, createFifos } from '../tap/fifo.js';
import type { Tap } from '../tap/tap.js';
import { COPY_PIPE_BYTES, openTap, readOn } from '../tap/tap.js';

/** Twice the usual: while tee fetches what is in it the command prints on. */
const COMMAND_PIPE_BYTES = 128 * 1024;
const FAREWELL =
  'joblens: it was killed; the command goes on, and what it prints from here on passes through but is not logged';

/** The command's two streams, on their way to our own descriptors. */
export interface CommandOutput {
  /** What the command writes to: standard output, standard error. */
  readonly writeFds: readonly number[];
  readonly tap: Tap;
  /** Gives up our copies of what the command has, so that the streams end when it does. */
  commandHasStarted(): Promise<void>;
  /** `hasEnded`: whether both streams have; else a process that the command left behind holds one. */
  close(hasEnded: boolean): Promise<void>;
}

/** Undefined, and one line said, when there can be no pipes. */
export async function openCommandOutput(host: Host, report: Reporter): Promise<CommandOutput | undefined> {
  try {
    const toFds = [host.stdoutFd, host.stderrFd];
    // The command's pipes and the tap's, made at once.
    const made = await createFifos([...toFds.map(() => COMMAND_PIPE_BYTES), ...toFds.map(() => COPY_PIPE_BYTES)]);
    const [pipes, fifos] = [made.slice(0, toFds.length), made.slice(toFds.length)];
    const streams = pipes.map(({ readFd }, i) => ({ fromFd: readFd, toFd: toFds[i] }));
    const tap = await openTap(streams, { fifos, clock: host.clock, stderrFd: host.stderrFd, farewell: FAREWELL });
    const writeFds = pipes.map(({ writeFd }) => writeFd);
    await closeFds(pipes.map(({ readFd }) => readFd));
    const held = holdReaders(
      tap,
      pipes.map(({ secondReadFd }) => secondReadFd)
    );
    return {
      writeFds,
      tap,
      commandHasStarted: () => closeFds(writeFds),
      async close(hasEnded) {
        if (hasEnded) await Promise.all(tap.ended);
        else held.forEach(readOn);
        await tap.close();
      },
    };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    report.error(
      `nothing of the output is logged: cannot make pipes in the folder for temporary files: ${found}; set TMPDIR`
    );
    return undefined;
  }
}

/** When a stream is passed on no more its reading end must be closed: so the command learns, by SIGPIPE, that nobody reads it. */
function holdReaders(tap: Tap, fds: readonly number[]): ReadonlySet<number> {
  const held = new Set(fds);
  fds.forEach((fd, i) => {
    void tap.ended[i]?.then(() => {
      if (held.delete(fd)) void closeFds([fd]);
    });
  });
  return held;
}
