import { basename } from 'node:path';
import type { Stream } from '@joblens/core';
import type { Clock } from '../../clock/clock.js';
import type { Host } from '../../host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { Session, SessionOptions } from '../../session.js';
import { openSession } from '../../session.js';
import { describeJob } from '../describe-job.js';
import type { LogStream } from '../tap/log-copy.js';
import { startCommand } from './command.js';
import type { CommandOutput } from './command-output.js';
import { openCommandOutput } from './command-output.js';
import type { CommandEnd } from './exit-status.js';
import { isStopSignal, toExitCode, toFinalState } from './exit-status.js';
import type { FaultGuard } from './fault-guard.js';
import { createFaultGuard } from './fault-guard.js';
import { logOutput, NO_LOG } from './log-output.js';
import { passSignalsOn } from './signals.js';
import { startWitness } from './witness.js';

export interface RunOptions extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
}

const STREAMS: readonly Stream[] = ['stdout', 'stderr'];
/** The command does not wait longer for the logging to be ready: until then its output waits in the pipes. */
const HEAD_START_MS = 50;
/** Logging that is not ready by then never will be. */
const OPEN_TIMEOUT_MS = 15_000;
/** What closing may take beyond the time for unsent points. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Runs a command, passes its output through untouched and logs it. Returns the command's own exit code, whatever becomes of the logging.
 * Where nothing is logged the command has our descriptors and nothing stands between.
 */
export async function run(options: RunOptions): Promise<number> {
  const { host, report } = options;
  const guard = createFaultGuard(host, report);
  const opening = openLogging(options, guard);
  const isLogged = await Promise.race([
    opening.then((session) => session?.pipeline !== undefined),
    host.clock.sleep(HEAD_START_MS).then(() => true),
  ]);
  const output = isLogged ? await openCommandOutput(host, report) : undefined;

  const { end, wasAskedToStop } = await runToEnd(options, output, async ({ tap }, ended) => {
    const pipeline = (await opening)?.pipeline;
    const logs = await Promise.all(STREAMS.map((name) => openLog(pipeline, name, guard)));
    return logOutput({ tap, logs, clock: host.clock, ended });
  });
  if (end.kind === 'spawn-error') report.error(explainSpawnError(options.command, end.code));
  const session = await opening;
  const logged = chooseDescribed(session, options);
  if (logged !== undefined) await guard.attempt(() => describeEnd(logged, host, end, wasAskedToStop));
  await closeSession(session, options, guard);
  return toExitCode(end);
}

/** Undefined when nothing can be logged. */
function openLogging(options: RunOptions, guard: FaultGuard): Promise<Session | undefined> {
  const startedMs = options.host.clock.nowMs();
  return guard.attempt(() =>
    withTimeout(OPEN_TIMEOUT_MS, options.host.clock, async () => {
      const session = await openSession(options);
      const described = chooseDescribed(session, options);
      if (described !== undefined) await describeStart(described, startedMs, options);
      return session;
    })
  );
}

async function withTimeout<T>(timeoutMs: number, clock: Clock, task: () => Promise<T>): Promise<T> {
  const late = clock.sleep(timeoutMs).then(() => Promise.reject(new Error(`not done within ${timeoutMs / 1000} s`)));
  return Promise.race([task(), late]);
}

/** Of several tasks of a job one describes it. */
function chooseDescribed(session: Session | undefined, { settings }: RunOptions): JobPipeline | undefined {
  return settings.isLeader ? session?.pipeline : undefined;
}

async function openLog(pipeline: JobPipeline | undefined, name: Stream, guard: FaultGuard): Promise<LogStream> {
  const log = await guard.attempt(() => pipeline?.openStream(name));
  if (log === undefined) return NO_LOG;
  return {
    write: (bytes) => guard.attempt(() => log.write(bytes)),
    end: () => void guard.attempt(() => log.end()),
  };
}

/** What was logged before a fault is still sent, if it can be. */
async function closeSession(
  session: Session | undefined,
  { settings, host }: RunOptions,
  guard: FaultGuard
): Promise<void> {
  if (session === undefined) return;
  const timeoutMs = settings.drainTimeoutMs + CLOSE_TIMEOUT_MS;
  const close = (): Promise<boolean> => withTimeout(timeoutMs, host.clock, () => session.close());
  await (guard.hasFailed ? close().catch(() => false) : guard.attempt(close));
  guard.remove();
}

/** Starts the command, passes signals on, logs the output; resolves when the command has ended and its output is read. */
async function runToEnd(
  { command, args, host, report }: RunOptions,
  output: CommandOutput | undefined,
  log: (output: CommandOutput, ended: Promise<CommandEnd>) => Promise<boolean>
): Promise<{ end: CommandEnd; wasAskedToStop: boolean }> {
  let wasAskedToStop = false;
  const signals = passSignalsOn(host, (signal) => (wasAskedToStop ||= isStopSignal(signal)));
  const [outFd, errorFd] = output?.writeFds ?? [];
  const { child, ended } = startCommand(command, args, ['inherit', outFd ?? 'inherit', errorFd ?? 'inherit']);
  signals.start({ send: (signal) => void child?.kill(signal), witness: startWitness(host.clock) });
  if (output !== undefined) {
    await output.commandHasStarted();
    const hasEnded = await log(output, ended);
    if (!hasEnded) {
      report.warn(
        'the command has ended, but a process that it left behind still holds its output; the rest is not logged'
      );
    }
    await output.close(hasEnded);
  }
  const end = await ended;
  signals.stop();
  return { end, wasAskedToStop };
}

async function describeStart(
  pipeline: JobPipeline,
  startedMs: number,
  { command, args, settings, host, report }: RunOptions
): Promise<void> {
  pipeline.describe({
    name: basename(command),
    ...(await describeJob(settings, report)),
    state: 'RUNNING',
    command: [command, ...args].map(quoteForShell).join(' '),
    host: host.machine.host,
    workdir: host.machine.workFolder,
    startedMs,
    // Outside a batch system a job starts when it is submitted.
    ...(settings.isScheduled ? {} : { submittedMs: startedMs }),
  });
  pipeline.addEvent({ topic: 'state', toState: 'RUNNING', data: {} });
}

function describeEnd(pipeline: JobPipeline, host: Host, end: CommandEnd, wasAskedToStop: boolean): void {
  const state = toFinalState(end, wasAskedToStop);
  const exitCode = toExitCode(end);
  pipeline.describe({ state, exitCode, endedMs: host.clock.nowMs() });
  const signal = end.kind === 'signal' ? { signal: end.signal } : {};
  pipeline.addEvent({
    topic: 'state',
    fromState: 'RUNNING',
    toState: state,
    data: { exit_code: exitCode, ...signal },
  });
}

function explainSpawnError(command: string, code: string): string {
  if (code === 'ENOENT') return `cannot run ${command}: command not found; check its name and PATH`;
  if (code === 'EACCES') return `cannot run ${command}: it is not an executable file; check its permissions`;
  return `cannot run ${command}: ${code}`;
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
