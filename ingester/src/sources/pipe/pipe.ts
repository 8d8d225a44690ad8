import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Stream } from '@joblens/core';
import { createFdWriter } from '../../fd-writer.js';
import type { Host } from '../../host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { SessionOptions } from '../../session.js';
import { openSession } from '../../session.js';
import { describeJob } from '../describe-job.js';

export interface PipeOptions extends SessionOptions {
  readonly stream: Stream;
  /** Copy standard input to standard output. */
  readonly isTee: boolean;
}

/**
 * Logs standard input until its end. It reads to the end also when nothing is logged: the program that writes must not
 * die because of us. Returns the exit code: 1 when something that should have been logged was not.
 */
export async function pipe(options: PipeOptions): Promise<number> {
  const { settings, host, report, stream, isTee } = options;
  const input = host.openStdin();
  const session = await openSession(options);
  const log = session.pipeline?.openStream(stream);
  const copy = isTee ? createFdWriter(host.stdoutFd, (message) => report.error(message)) : undefined;
  if (settings.isLeader && stream === 'stdout') await describe(session.pipeline, options);

  const stopped = stopOnSignals(host, input);
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      await copy?.write(chunk);
      await log?.write(chunk);
    }
  } catch (error) {
    if (stopped.signal === undefined) report.error(`cannot read standard input: ${String(error)}`);
  }
  log?.end();
  const isLogged = await session.close();
  if (stopped.signal !== undefined) return 128 + constants.signals[stopped.signal];
  return isLogged ? 0 : 1;
}

/** Of a bare `pipe` nothing is known but job and user; then there is nothing to describe. */
async function describe(pipeline: JobPipeline | undefined, { settings, report }: PipeOptions): Promise<void> {
  if (pipeline === undefined) return;
  const description = await describeJob(settings, report);
  if (Object.keys(description).length > 0) pipeline.describe(description);
}

/**
 * Ctrl+C reaches the whole pipeline: the writer ends by it, and what it still prints is to be logged, so the first one is not for us.
 * SIGTERM, or a second one, ends the reading.
 */
function stopOnSignals(host: Host, input: Readable): { readonly signal: NodeJS.Signals | undefined } {
  let stopSignal: NodeJS.Signals | undefined;
  let isWarned = false;
  const stop = (signal: NodeJS.Signals) => (): void => {
    if (signal !== 'SIGTERM' && !isWarned) {
      isWarned = true;
      return;
    }
    stopSignal = signal;
    input.destroy();
  };
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) host.onSignal(signal, stop(signal));
  return {
    get signal() {
      return stopSignal;
    },
  };
}
