import { basename } from 'node:path';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import { decideLogging, type LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { describeJob } from '../describe-job.js';
import { createFaultGuard } from '../guard/fault-guard.js';
import { closeGuarded, type GuardedSession, openGuarded, openGuardedStream } from '../guard/guarded-logging.js';
import { logTap, QUIET_MS } from '../tap/log-tap.js';
import { type StartedCommand, startCommand } from './command.js';
import { type CommandOutput, openCommandOutput } from './command-output.js';
import { findEndNs, findStartNs } from './end-time.js';
import { createSystemFiles } from '../../usage/system-files.js';
import { type CommandUsage, startCommandUsage } from './command-usage.js';
import { type KeptRun, startKeeping } from './kept-run.js';
import { decideReproduce, type ReproduceLevel } from '../../rules/options/reproduce.js';
import { type CommandEnd, isStopSignal, nameSignal, toExitCode, toFinalState } from './exit-status.js';
import { startSupervised } from './supervised-command.js';
import { explainTwice, isStep, WITHIN_SRUN } from './twice-logged.js';

export interface RunOptions extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Keep the two streams apart even if both go to one place. */
  readonly isSeparate: boolean;
  /** How often a row of what the command uses is added; undefined: never. */
  readonly metricsIntervalMs: number | undefined;
  /** How much is kept of what the run is, if somebody typed it. */
  readonly reproduce: ReproduceLevel | undefined;
  /** Files that the run depends on. */
  readonly inputs: readonly string[];
}

/** The command waits at most this long for the opt-in to be read. After that, its output goes through our pipes. */
const HEAD_START_MS = 50;
/** After the end of the command, output of a process that it left behind is logged for this long at most. */
const LINGER_MS = 1000;
const KILLED = 'joblens was killed, and the command with it';
const LEFT_BEHIND =
  'the command has ended, but a process that it left behind still holds its output. ' +
  `The output of that process was logged until nothing came for ${QUIET_MS} ms, for ${LINGER_MS} ms at most. ` +
  'From here on it passes through, but it is not logged';

/**
 * Runs a command, passes its output through untouched and logs it. Returns the command's own exit code, whatever
 * happens to the logging. Without logging, the command has this process's own descriptors.
 */
export async function run(options: RunOptions): Promise<number> {
  const { host, report } = options;
  const [startedMs, sinceMs] = [host.clock.nowMs(), host.clock.monotonicMs()];
  // The wall clock may be set back before the first row.
  host.clock.reserve(findStartNs(startedMs));
  const guard = createFaultGuard(host, report);
  const decision = decideLogging(options).then((decided) => withReproduce(decided, options));
  const output = (await mayBeLogged(host, decision)) ? await openCommandOutput(options) : undefined;
  let wasAskedToStop = false;
  const started = await start(options, output, (signal) => (wasAskedToStop ||= isStopSignal(signal)));
  // Until the logging is ready, the output of the command waits in the pipes.
  let config: string | undefined;
  const opening = openGuarded(options, decision, guard, {
    inputs: { kind: 'run', pipes: output?.pipes ?? [] },
    outputFds: [host.stdoutFd, host.stderrFd],
    describe: async (pipeline, isWithin) => {
      config = await (isWithin ? describeGiven(pipeline, options) : describeStart(pipeline, startedMs, options));
    },
  });

  const end = await logToEnd(options, started, output, async ({ tap, streams }, { pid, ended }) => {
    const opened = await opening;
    const pipeline = opened?.pipeline;
    await opened?.pipeline?.contain(async () => sayTwice(options, await decision, opened));
    let usage: CommandUsage | undefined;
    await pipeline?.contain(() => void (usage = startUsage(pipeline, pid, { options, startedMs })));
    let kept: KeptRun | undefined;
    if (opened?.left?.isWithin === false)
      await pipeline?.contain(
        async () => void (kept = startKeeping(pipeline, options, { decided: await decision, config }))
      );
    const endUsage = async (): Promise<void> => pipeline?.contain(async () => usage?.end());
    void ended.then(endUsage);
    pipeline?.expect(() => tap.areWriting.includes(true));
    const isMixed = streams.length === 1;
    const toFd = { stdout: host.stdoutFd, stderr: host.stderrFd };
    const writers = await Promise.all(
      streams.map((name) => openGuardedStream(opened, { name, isMixed, toFd: toFd[name] }, guard))
    );
    const hasEnded = await logTap({ tap, writers, clock: host.clock, ended, lingerMs: LINGER_MS });
    await endUsage();
    await pipeline?.contain(async () => kept?.end());
    const isKnown = (await ended).kind !== 'unknown';
    if (!hasEnded && isKnown) await guard.attempt(() => pipeline?.addNotice('stdout', LEFT_BEHIND));
    return hasEnded;
  });
  if (end === undefined) return 1;
  if (end.kind === 'spawn-error') report.error(explainSpawnError(options.command, end.code));
  const session = await opening;
  const pipeline = session?.pipeline;
  const ended = { end, wasAskedToStop, startedMs, ranMs: Math.round(host.clock.monotonicMs() - sinceMs) };
  if (pipeline !== undefined && session?.left?.isWithin === false)
    await pipeline.contain(() => describeEnd(pipeline, options, ended));
  await closeGuarded(session, options, guard);
  guard.remove();
  return toExitCode(end);
}

/** With the level that holds for this run: whatever the opt-in file says of it is then decided. */
export function withReproduce(
  decided: LoggingDecision,
  { settings, reproduce }: Pick<RunOptions, 'settings' | 'reproduce'>
): LoggingDecision {
  if (decided.kind !== 'config') return decided;
  const isOfExperiment = (settings.options as Readonly<Record<string, unknown>>)['experiment'] !== undefined;
  const level = decideReproduce(reproduce, decided.config.reproduce, isOfExperiment);
  return { ...decided, config: { ...decided.config, reproduce: level } };
}

/** False when it is known that nothing will be logged: then the command has this process's own descriptors. */
function mayBeLogged(host: RunOptions['host'], decision: Promise<LoggingDecision>): Promise<boolean> {
  return Promise.race([
    decision.then(
      ({ kind }) => kind === 'config',
      () => false
    ),
    host.clock.sleep(HEAD_START_MS).then(() => true),
  ]);
}

/** Starts the command, and passes signals on from here. Resolves once it runs, or could not be started. */
async function start(
  { command, args, host }: RunOptions,
  output: CommandOutput | undefined,
  onSignal: (signal: string) => unknown
): Promise<StartedCommand> {
  const options = { host, command, args, outputFds: output?.writeFds, onSignal };
  const { supervisor } = host;
  return supervisor === undefined ? startCommand(options) : startSupervised(supervisor, options);
}

/**
 * Logs the output. Resolves when the command has ended and its output is read; with undefined where the command goes on
 * and this process is to end as if it were killed, too: the next with this spool then says that the job is lost.
 */
async function logToEnd(
  { report }: RunOptions,
  started: StartedCommand,
  output: CommandOutput | undefined,
  log: (output: CommandOutput, command: StartedCommand) => Promise<boolean>
): Promise<CommandEnd | undefined> {
  if (output !== undefined) {
    await output.commandHasStarted();
    if (await log(output, started)) {
      await Promise.all(output.tap.ended);
      await output.tap.close();
    } else if ((await started.ended).kind === 'unknown') {
      return undefined;
    } else {
      report.warn(LEFT_BEHIND);
      await output.tap.leave();
    }
  }
  const end = await started.ended;
  started.stop();
  return end;
}

/** Says once, for all tasks, that another logs the same lines, too. */
async function sayTwice(options: RunOptions, decided: LoggingDecision, session: GuardedSession): Promise<void> {
  if (!options.settings.isLeader || session.left?.isEmpty === false || session.followedFds.size > 0) return;
  const { environment } = options.host;
  const isAround = async (): Promise<boolean> =>
    isStep(options, environment) && (await import('../writers/outer-run.js')).isWithinSrunOfRun(options, decided);
  const twice = explainTwice(options, environment) ?? ((await isAround()) ? WITHIN_SRUN : undefined);
  if (twice !== undefined) options.report.warn(twice);
}

function startUsage(
  pipeline: JobPipeline,
  pid: number | undefined,
  { options, startedMs }: { readonly options: RunOptions; readonly startedMs: number }
): CommandUsage | undefined {
  const { host, report, metricsIntervalMs: intervalMs } = options;
  if (intervalMs === undefined || pid === undefined) return undefined;
  return startCommandUsage(pipeline, pid, { host, report, files: createSystemFiles(), intervalMs, startedMs });
}

/** Returns the configuration, if there is one. */
async function describeStart(
  pipeline: JobPipeline,
  startedMs: number,
  { command, args, settings, host, report }: RunOptions
): Promise<string | undefined> {
  const description = {
    name: basename(command),
    ...(await describeJob(settings, report)),
    state: 'RUNNING',
    command: [command, ...args].map(quoteForShell).join(' '),
    host: host.machine.host,
    workdir: host.machine.workFolder,
    startedMs,
    // Outside a batch system a job starts when it is submitted.
    ...(settings.isScheduled ? {} : { submittedMs: startedMs }),
  };
  pipeline.describe(description, settings.isScheduled ? findStartNs(startedMs) : undefined);
  const { nodes } = description;
  const data = nodes === undefined ? {} : { nodes };
  pipeline.changeState({ origin: settings.transitionOrigin, toState: 'RUNNING', data }, findStartNs(startedMs));
  return description.config;
}

/** Within another `run` of the job, which tells its state. */
async function describeGiven(pipeline: JobPipeline, { settings, report }: RunOptions): Promise<string | undefined> {
  const description = await describeJob(settings, report);
  if (Object.keys(description).length > 0) pipeline.describe(description);
  return description.config;
}

interface Ended {
  readonly end: CommandEnd;
  readonly wasAskedToStop: boolean;
  readonly startedMs: number;
  readonly ranMs: number;
}

/** The first of several tasks reports the end of the job. The others report only their failures. */
function describeEnd(
  pipeline: JobPipeline,
  { settings }: RunOptions,
  { end, wasAskedToStop, startedMs, ranMs }: Ended
): void {
  const { isLeader, isScheduled, source } = settings;
  const state = toFinalState(end, wasAskedToStop);
  const exitCode = toExitCode(end);
  // The wall clock may have been set since the start.
  const endedMs = startedMs + ranMs;
  if (!isLeader && (state === 'COMPLETED' || state === 'LOST')) return;
  const isOneOfMany = source.task !== undefined;
  const timeNs = isScheduled ? findEndNs({ state, exitCode, startedMs, endedMs, isOneOfMany }) : undefined;
  const known = state === 'LOST' ? {} : { exitCode };
  pipeline.describeEnd({ state, ...known, ...(isLeader && { endedMs }) }, {}, timeNs);
  if (!isLeader) return;
  const signal = end.kind === 'signal' ? { signal: nameSignal(end.number) } : {};
  const change = {
    fromState: 'RUNNING',
    toState: state,
    ranMs,
    data: { ...(state === 'LOST' ? { reason: KILLED } : { exit_code: exitCode }), ...signal },
  };
  pipeline.changeState({ origin: settings.transitionOrigin, ...change }, findStartNs(endedMs));
}

function explainSpawnError(name: string, code: string): string {
  const command = quoteForShell(name);
  if (code === 'ENOENT') return `cannot run ${command}: command not found; check its name and PATH`;
  if (code === 'EACCES') return `cannot run ${command}: it is not an executable file; check its permissions`;
  return `cannot run ${command}: ${code}`;
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
