import type { Readable } from 'node:stream';
import type { Stream } from '@joblens/core';
import type { Clock } from '../../clock/clock.js';
import type { FdWriter } from '../../fd-writer.js';
import { createFdWriter } from '../../fd-writer.js';
import type { Host } from '../../host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { Reporter } from '../../report.js';

/** How long the pipes must be quiet after the command's end until we stop reading what its leftover children may print. */
const QUIET_ROUNDS = 5;
const ROUND_MS = 50;

export interface CopyOptions {
  readonly host: Host;
  readonly report: Reporter;
  readonly pipeline: JobPipeline;
  readonly out: Readable;
  readonly error: Readable;
  /** Resolves when the command has ended. */
  readonly ended: Promise<unknown>;
}

/** Whether a copy has read lately and is not just waiting for its writes. */
interface Activity {
  reads: number;
  writing: number;
}

/**
 * Copies both streams to our own descriptors, first, and then to the log. A fault in the logging is said once and ends the logging,
 * not the copying.
 */
export async function copyOutput({ host, report, pipeline, out, error, ended }: CopyOptions): Promise<void> {
  const activity: Activity = { reads: 0, writing: 0 };
  const onError = (message: string): void => report.error(message);
  const copies = [
    copy(out, createFdWriter(host.stdoutFd, onError), guard(pipeline, 'stdout', report), activity),
    copy(error, createFdWriter(host.stderrFd, onError), guard(pipeline, 'stderr', report), activity),
  ];
  const done = Promise.all(copies).then(() => true);
  await ended;
  if (!(await Promise.race([done, untilQuiet(activity, host.clock)]))) {
    report.warn(
      'the command has ended, but a process that it left behind still holds its output; the rest is not logged'
    );
    out.destroy();
    error.destroy();
  }
  await done;
}

/** Resolves to false when nothing was read for some rounds and no copy is waiting for its writes. */
async function untilQuiet(activity: Activity, clock: Clock): Promise<false> {
  let reads = -1;
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    await clock.sleep(ROUND_MS);
    quiet = activity.reads === reads && activity.writing === 0 ? quiet + 1 : 0;
    reads = activity.reads;
  }
  return false;
}

interface GuardedLog {
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
}

function guard(pipeline: JobPipeline, name: Stream, report: Reporter): GuardedLog {
  const stream = pipeline.openStream(name);
  let hasFailed = false;
  const fail = (error: unknown): void => {
    hasFailed = true;
    const found = error instanceof Error ? error.message : String(error);
    report.error(`logging of ${name} failed and has ended; the command goes on: ${found}`);
  };
  return {
    async write(bytes) {
      if (hasFailed) return;
      try {
        await stream.write(bytes);
      } catch (error) {
        fail(error);
      }
    },
    end() {
      try {
        stream.end();
      } catch (error) {
        if (!hasFailed) fail(error);
      }
    },
  };
}

async function copy(from: Readable, to: FdWriter, log: GuardedLog, activity: Activity): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      activity.reads += 1;
      activity.writing += 1;
      const isOpen = await to.write(chunk);
      if (isOpen) await log.write(chunk);
      activity.writing -= 1;
      // Closing our end is how the command learns, by SIGPIPE, that nobody reads its output any more.
      if (!isOpen) break;
    }
  } catch {
    // The pipe was closed under us, which only we do.
  }
  log.end();
}
