import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Host } from '../../host.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { Reporter } from '../../report.js';
import type { SessionOptions } from '../../session.js';
import { openSession } from '../../session.js';
import { describeJob } from '../describe-job.js';
import { copyOutput } from './copy-output.js';
import type { CommandEnd } from './exit-status.js';
import { isStopSignal, toExitCode, toFinalState } from './exit-status.js';
import type { Pipe } from './pipes.js';
import { closeWriteEnds, createPipes } from './pipes.js';
import { passSignalsOn } from './signals.js';

export interface RunOptions extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Runs a command, passes its output through untouched and logs it. Returns the command's own exit code, whatever becomes of the logging.
 * Where nothing is logged the command has our descriptors and nothing stands between.
 */
export async function run(options: RunOptions): Promise<number> {
  const { settings, host, report } = options;
  const session = await openSession(options);
  const { pipeline } = session;
  const pipes = pipeline === undefined ? undefined : await openPipes(report);
  const isLogged = pipeline !== undefined && settings.isLeader;
  if (isLogged) await describeStart(pipeline, options);

  const { end, wasAskedToStop } = await runToEnd(options, pipeline, pipes);
  if (end.kind === 'spawn-error') report.error(explainSpawnError(options.command, end.code));
  if (isLogged) describeEnd(pipeline, host, end, wasAskedToStop);
  await session.close();
  return toExitCode(end);
}

async function openPipes(report: Reporter): Promise<readonly [Pipe, Pipe] | undefined> {
  try {
    const [out, error] = await createPipes(2);
    if (out !== undefined && error !== undefined) return [out, error];
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    report.error(
      `nothing of the output is logged: cannot make pipes in the folder for temporary files: ${found}; set TMPDIR`
    );
  }
  return undefined;
}

/** Starts the command, passes signals on, copies the output; resolves when the command has ended and its output is read. */
async function runToEnd(
  { command, args, host, report }: RunOptions,
  pipeline: JobPipeline | undefined,
  pipes: readonly [Pipe, Pipe] | undefined
): Promise<{ end: CommandEnd; wasAskedToStop: boolean }> {
  let wasAskedToStop = false;
  const early: NodeJS.Signals[] = [];
  let send = (signal: NodeJS.Signals): void => void early.push(signal);
  const stopPassing = passSignalsOn(
    host,
    (signal) => send(signal),
    (signal) => (wasAskedToStop ||= isStopSignal(signal))
  );
  const [out, error] = pipes ?? [];
  const stdio: StdioOptions = ['inherit', out?.writeFd ?? 'inherit', error?.writeFd ?? 'inherit'];
  const { child, ended } = start(command, args, stdio);
  send = (signal) => void child?.kill(signal);
  early.forEach(send);
  if (pipes !== undefined && pipeline !== undefined) {
    await closeWriteEnds(pipes);
    await copyOutput({ host, report, pipeline, out: pipes[0].readable, error: pipes[1].readable, ended });
  }
  const end = await ended;
  stopPassing();
  return { end, wasAskedToStop };
}

function start(
  command: string,
  args: readonly string[],
  stdio: StdioOptions
): { child?: ChildProcess; ended: Promise<CommandEnd> } {
  try {
    const child = spawn(command, args, { stdio });
    return { child, ended: untilEnd(child) };
  } catch (error) {
    // Node refuses some names and arguments (an empty one, a NUL byte) before it asks the system.
    return { ended: Promise.resolve({ kind: 'spawn-error', code: (error as NodeJS.ErrnoException).code ?? '' }) };
  }
}

function untilEnd(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'spawn-error', code: error.code ?? '' }));
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal });
    });
  });
}

async function describeStart(
  pipeline: JobPipeline,
  { command, args, settings, host, report }: RunOptions
): Promise<void> {
  const startedMs = host.clock.nowMs();
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
