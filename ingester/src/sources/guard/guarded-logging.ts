import type { Stream } from '@joblens/core/schema/measurements';
import { withPatience } from '../../clock/deadline.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { StreamWriter } from '../../pipeline/job-stream.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import type { Session } from '../../session/session.js';
import type { CopyWriter } from '../tap/log-tap.js';
import type { LeftOutputs } from '../writers/left-outputs.js';
import type { PipeNotes } from '../writers/pipe-loggers.js';
import type { FaultGuard } from './fault-guard.js';

/** Logging that is not ready by then never will be. */
const OPEN_PATIENCE_MS = 15_000;
/** How long closing may take beyond the time for unsent points. */
const CLOSE_PATIENCE_MS = 5000;

/** What is logged. */
interface Opened {
  /** The pipes that are read (identifyPipe), and by which subcommand. */
  readonly inputs: { readonly kind: 'run' | 'pipe'; readonly pipes: readonly string[] };
  /** Where the output goes on to. */
  readonly outputFds: readonly number[];
  /** `isWithin`: a `run` further up tells the state of the job. */
  readonly describe: (pipeline: JobPipeline, isWithin: boolean) => Promise<void>;
}

export interface GuardedSession extends Session {
  /** What goes on to these descriptors is logged by a `watch` already. */
  readonly followedFds: ReadonlySet<number>;
  /** What another `run` or `pipe` logs already; undefined where nothing is logged. */
  readonly left: LeftOutputs | undefined;
  /** What is said of the pipes that are read. */
  readonly notes: PipeNotes;
}

const NO_NOTES: PipeNotes = { logging: () => undefined, end: () => undefined };
const OFF = {
  pipeline: undefined,
  close: () => Promise.resolve(true),
  followedFds: new Set<number>(),
  left: undefined,
};

/** Says who reads the pipes, for which others wait. */
async function notePipes(
  options: SessionOptions,
  decided: LoggingDecision,
  inputs: Opened['inputs']
): Promise<PipeNotes> {
  if (inputs.pipes.length === 0) return NO_NOTES;
  return (await import('../writers/pipe-loggers.js')).notePipes(options, decided, inputs);
}

/**
 * Opens the session and describes the job; undefined when it failed. One of several tasks of a job describes it. What
 * logs is loaded here: the job need not wait for it.
 */
export function openGuarded(
  options: SessionOptions,
  decision: Promise<LoggingDecision>,
  guard: FaultGuard,
  { inputs, outputFds, describe }: Opened
): Promise<GuardedSession | undefined> {
  return guard.attempt(() =>
    withPatience('getting ready', OPEN_PATIENCE_MS, async () => {
      const decided = await decision;
      const notes = await notePipes(options, decided, inputs);
      guard.onFailure(() => notes.end());
      if (decided.kind === 'absent') return { ...OFF, notes };
      const { openSession } = await import('../../session/session.js');
      const { findOwnOutputs, noteOwnOutputs } = await import('../writers/own-outputs.js');
      const { findLeftOutputs } = await import('../writers/left-outputs.js');
      const fds = decided.kind === 'config' ? outputFds : [];
      const [session, outputs, left] = await Promise.all([
        openSession(options, decided),
        findOwnOutputs(options, fds),
        findLeftOutputs(options, decided, fds),
      ]);
      const { pipeline } = session;
      notes.logging(pipeline !== undefined);
      await pipeline?.contain(() => {
        if (left.isEmpty || outputs.followed.size > 0) noteOwnOutputs(pipeline, outputs, options);
      });
      if (pipeline !== undefined && options.settings.isLeader) {
        await pipeline.contain(() => describe(pipeline, left.isWithin));
        left.onOutside(() => pipeline.contain(() => describe(pipeline, false)));
      }
      return { ...session, followedFds: outputs.followed, left, notes };
    })
  );
}

interface GuardedStream {
  readonly name: Stream;
  readonly isMixed: boolean;
  /** Where it goes on to. */
  readonly toFd: number;
}

/**
 * Opens a stream that takes all output, also when its logging has failed or there is none. What another logs shows only
 * that the job lives.
 */
export async function openGuardedStream(
  session: GuardedSession | undefined,
  { name, isMixed, toFd }: GuardedStream,
  guard: FaultGuard
): Promise<CopyWriter> {
  const pipeline = session?.pipeline;
  const noteOutput = (): Promise<void> => guard.attempt(() => pipeline?.noteOutput());
  if (session?.followedFds.has(toFd) === true) return { write: noteOutput, end: () => Promise.resolve() };
  const open = (): Promise<StreamWriter | undefined> =>
    guard.attempt(() => (isMixed ? pipeline?.openMixedStream() : pipeline?.openStream(name)));
  const stream = session?.left?.openStream(toFd, { noteOutput, open }) ?? (await open());
  return {
    write: (bytes) => guard.attempt(() => stream?.write(bytes)),
    end: () => guard.attempt(() => stream?.end()),
  };
}

/**
 * Sends everything that was logged before a fault, if it can. False when something that should have been logged was
 * not.
 */
export async function closeGuarded(
  session: GuardedSession | undefined,
  { settings }: SessionOptions,
  guard: FaultGuard
): Promise<boolean> {
  guard.jobHasEnded();
  if (session === undefined) return false;
  const patienceMs = settings.options.drainTimeoutMs + CLOSE_PATIENCE_MS;
  const close = (): Promise<boolean> => withPatience('sending the rest', patienceMs, () => session.close());
  const hadFailed = guard.hasFailed;
  const isLogged = await (hadFailed ? close().catch(() => false) : guard.attempt(close));
  session.notes.end();
  return isLogged === true && !hadFailed;
}
