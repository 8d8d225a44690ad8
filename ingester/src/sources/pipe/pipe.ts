import { fstatSync, read } from 'node:fs';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import type { Stream } from '@joblens/core/schema/measurements';
import { createFdWriter } from '../../host/fd-writer.js';
import type { Host } from '../../host/host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import { identifyPipe } from '../../peers/pipe-note.js';
import { decideLogging } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { describeJob } from '../describe-job.js';
import { createFaultGuard } from '../guard/fault-guard.js';
import { closeGuarded, openGuarded, openGuardedStream } from '../guard/guarded-logging.js';
import { createFifos } from '../tap/fifo.js';
import { type CopyWriter, logTap } from '../tap/log-tap.js';
import { COPY_PIPE_BYTES, openTap, readOn, type Tap } from '../tap/tap.js';

const readFd = promisify(read);

const STDIN_FD = 0;
/** The points of a chunk fit into the pool of buffers. */
const FILE_CHUNK_BYTES = 512 * 1024;
/** After a signal to stop, how long to read the output of a writer that does not stop. */
const PATIENCE_MS = 5000;
const FAREWELL =
  'joblens ended before the program that it logs; the output of that still passes through, but it is not logged any more';

interface PipeOptions extends SessionOptions {
  readonly stream: Stream;
  /** Copy standard input to standard output. */
  readonly isTee: boolean;
}

/**
 * Logs standard input until its end. It reads to the end even when nothing is logged: the writing program must not die
 * because of us. Returns the exit code: 1 when output that should have been logged was not.
 */
export async function pipe(options: PipeOptions): Promise<number> {
  const { host, report, stream } = options;
  const stop = stopOnSignals(host);
  host.supervisor?.endWithIt();
  host.supervisor?.sayAlive();
  const guard = createFaultGuard(host, report);
  const tap = await openInput(options);
  const session = await openGuarded(options, decideLogging(options), guard, {
    inputs: { kind: 'pipe', pipes: [identifyPipe(STDIN_FD) ?? []].flat() },
    outputFds: options.isTee ? [host.stdoutFd] : [],
    describe: (pipeline) => describe(pipeline, options),
  });
  const writer = await openGuardedStream(
    session,
    { name: stream, isMixed: stream === 'stdout', toFd: host.stdoutFd },
    guard
  );
  await (tap === undefined ? logDirectly(writer, options, stop) : logTapped(tap, writer, options, stop));
  const isLogged = await closeGuarded(session, options, guard);
  if (stop.signal !== undefined) return 128 + constants.signals[stop.signal];
  return isLogged ? 0 : 1;
}

/**
 * Undefined if this process reads by itself: for a file, which has no writer to be harmed, or if no pipes can be made.
 */
async function openInput({ host, isTee, report }: PipeOptions): Promise<Tap | undefined> {
  if (isFile(STDIN_FD)) return undefined;
  const toFd = isTee ? host.stdoutFd : undefined;
  try {
    const fifos = await createFifos([COPY_PIPE_BYTES]);
    const { clock, stderrFd } = host;
    return await openTap([{ fromFd: STDIN_FD, toFd }], { fifos, clock, stderrFd, farewell: FAREWELL });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    report.info(`the input is read directly: ${found}`);
    return undefined;
  }
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    // A closed descriptor is not a file.
    return false;
  }
}

/** Reads the file from the descriptor's position. Each chunk is valid until the next is requested. */
async function* readFile(fd: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(FILE_CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await readFd(fd, buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function logTapped(tap: Tap, writer: CopyWriter, { host, isTee }: PipeOptions, stop: Stop): Promise<void> {
  const ended = Promise.race([stop.stopped, ...tap.ended]);
  const patience = { lingerMs: PATIENCE_MS, patienceMs: PATIENCE_MS };
  const hasEnded = await logTap({ tap, writers: [writer], clock: host.clock, ended, ...patience });
  if (!hasEnded && isTee) return;
  if (!hasEnded) readOn(STDIN_FD);
  await tap.close();
}

async function logDirectly(writer: CopyWriter, { host, report, isTee }: PipeOptions, stop: Stop): Promise<void> {
  const copy = isTee ? createFdWriter(host.stdoutFd, (message) => report.error(message)) : undefined;
  try {
    for await (const chunk of openInputChunks(host, stop)) {
      await copy?.write(chunk);
      await writer.write(chunk);
      if (stop.signal !== undefined) break;
    }
  } catch (error) {
    if (stop.signal === undefined) report.error(`cannot read standard input: ${String(error)}`);
  }
  await writer.end();
}

function openInputChunks(host: Host, stop: Stop): AsyncIterable<Buffer> {
  if (isFile(STDIN_FD)) return readFile(STDIN_FD);
  const input = host.openStdin();
  void stop.stopped.then(() => input.destroy());
  return input;
}

/** A bare `pipe` knows only job and user, and has nothing to describe. */
async function describe(pipeline: JobPipeline, { settings, report, stream }: PipeOptions): Promise<void> {
  if (stream !== 'stdout') return;
  const description = await describeJob(settings, report);
  if (Object.keys(description).length > 0) pipeline.describe(description);
}

interface Stop {
  /** The signal that asked this process to stop. */
  readonly signal: NodeJS.Signals | undefined;
  readonly stopped: Promise<void>;
}

/**
 * Ctrl+C reaches the whole pipeline. It ends the writer, whose remaining output is to be logged, so the first one is
 * not for us. SIGTERM, or a second Ctrl+C, ends the reading once the pipe's content is read.
 */
function stopOnSignals(host: Host): Stop {
  let signal: NodeJS.Signals | undefined;
  let isWarned = false;
  const stopped = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
      host.onSignal(name, () => {
        if (name === 'SIGTERM' || isWarned) {
          signal = name;
          resolve();
        }
        isWarned = true;
      });
    }
  });
  return {
    stopped,
    get signal() {
      return signal;
    },
  };
}
