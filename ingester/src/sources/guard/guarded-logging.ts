import type { Stream } from '@joblens/core/schema/measurements';
import { withPatience } from '../../clock/deadline.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { StreamWriter } from '../../pipeline/job-stream.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import type { Session } from '../../session/session.js';
import type { FaultGuard } from './fault-guard.js';

/** Logging that is not ready by then never will be. */
const OPEN_PATIENCE_MS = 15_000;
/** How long closing may take beyond the time for unsent points. */
const CLOSE_PATIENCE_MS = 5000;

/** What is logged. */
interface Opened {
  /** Where the output goes on to. */
  readonly outputFds: readonly number[];
  readonly describe: (pipeline: JobPipeline) => Promise<void>;
}

export interface GuardedSession extends Session {
  /** What goes on to these descriptors is logged by a `watch` already. */
  readonly followedFds: ReadonlySet<number>;
}

/**
 * Opens the session and describes the job; undefined when it failed. One of several tasks of a job describes it. What
 * logs is loaded here: the job need not wait for it.
 */
export function openGuarded(
  options: SessionOptions,
  decision: Promise<LoggingDecision>,
  guard: FaultGuard,
  { outputFds, describe }: Opened
): Promise<GuardedSession | undefined> {
  return guard.attempt(() =>
    withPatience('getting ready', OPEN_PATIENCE_MS, async () => {
      const { openSession } = await import('../../session/session.js');
      const { findOwnOutputs, noteOwnOutputs } = await import('../writers/own-outputs.js');
      const decided = await decision;
      const [session, outputs] = await Promise.all([
        openSession(options, decided),
        findOwnOutputs(options, decided.kind === 'config' ? outputFds : []),
      ]);
      const { pipeline } = session;
      await pipeline?.contain(() => noteOwnOutputs(pipeline, outputs, options));
      if (pipeline !== undefined && options.settings.isLeader) await pipeline.contain(() => describe(pipeline));
      return { ...session, followedFds: outputs.followed };
    })
  );
}

/**
 * Opens a stream that takes all output, also when its logging has failed or there is none. What a `watch` logs shows
 * only that the job lives.
 */
export async function openGuardedStream(
  pipeline: JobPipeline | undefined,
  { name, isMixed, isFollowed }: { readonly name: Stream; readonly isMixed: boolean; readonly isFollowed: boolean },
  guard: FaultGuard
): Promise<StreamWriter> {
  if (isFollowed) return { write: () => guard.attempt(() => pipeline?.noteOutput()), end: () => undefined };
  const stream = await guard.attempt(() => (isMixed ? pipeline?.openMixedStream() : pipeline?.openStream(name)));
  return {
    write: (bytes) => guard.attempt(() => stream?.write(bytes)),
    end: () => void guard.attempt(() => stream?.end()),
  };
}

/**
 * Sends everything that was logged before a fault, if it can. False when something that should have been logged was
 * not.
 */
export async function closeGuarded(
  session: Session | undefined,
  { settings }: SessionOptions,
  guard: FaultGuard
): Promise<boolean> {
  guard.jobHasEnded();
  if (session === undefined) return false;
  const patienceMs = settings.options.drainTimeoutMs + CLOSE_PATIENCE_MS;
  const close = (): Promise<boolean> => withPatience('sending the rest', patienceMs, () => session.close());
  const hadFailed = guard.hasFailed;
  const isLogged = await (hadFailed ? close().catch(() => false) : guard.attempt(close));
  return isLogged === true && !hadFailed;
}
