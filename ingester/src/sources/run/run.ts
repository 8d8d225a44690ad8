import { basename } from 'node:path';
import type { Stream } from '@joblens/core';
import type { Host } from '../../host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { SessionOptions } from '../../session.js';
import { describeJob } from '../describe-job.js';
import { createFaultGuard } from '../guard/fault-guard.js';
import { closeGuarded, openGuarded, openGuardedLog } from '../guard/guarded-logging.js';
import { logOutput } from '../tap/log-output.js';
import { startCommand } from './command.js';
import type { CommandOutput } from './command-output.js';
import { openCommandOutput } from './command-output.js';
import type { CommandEnd } from './exit-status.js';
import { isStopSignal, toExitCode, toFinalState } from './exit-status.js';
import { passSignalsOn } from './signals.js';
import { startWitness } from './witness.js';

export interface RunOptions extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
}

const STREAMS: readonly Stream[] = ['stdout', 'stderr'];
/** The command does not wait longer for the logging to be ready: until then its output waits in the pipes. */
const HEAD_START_MS = 50;

/**
 * Runs a command, passes its output through untouched and logs it. Returns the command's own exit code, whatever becomes of the logging.
 * Where nothing is logged the command has our descriptors and nothing stands between.
 */
export async function run(options: RunOptions): Promise<number> {
  const { settings, host, report } = options;
  const startedMs = host.clock.nowMs();
  const guard = createFaultGuard(host, report);
  const opening = openGuarded(options, guard, (pipeline) => describeStart(pipeline, startedMs, options));
  const isLogged = await Promise.race([
    opening.then((session) => session?.pipeline !== undefined),
    host.clock.sleep(HEAD_START_MS).then(() => true),
  ]);
  const output = isLogged ? await openCommandOutput(host, report) : undefined;

  const { end, wasAskedToStop } = await runToEnd(options, output, async ({ tap }, ended) => {
    const pipeline = (await opening)?.pipeline;
    const logs = await Promise.all(STREAMS.map((name) => openGuardedLog(pipeline, name, guard)));
    return logOutput({ tap, logs, clock: host.clock, ended });
  });
  if (end.kind === 'spawn-error') report.error(explainSpawnError(options.command, end.code));
  const session = await opening;
  const described = settings.isLeader ? session?.pipeline : undefined;
  if (described !== undefined) await guard.attempt(() => describeEnd(described, host, end, wasAskedToStop));
  await closeGuarded(session, options, guard);
  guard.remove();
  return toExitCode(end);
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
