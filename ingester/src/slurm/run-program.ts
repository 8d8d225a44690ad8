import { err, ok, type Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';
import { toPathText } from '../host/path-bytes.js';
import { explainEnd, type ProgramEnd, type ProgramLimits, runToEnd } from '../host/run-to-end.js';

/**
 * Runs a program to its end and returns its output, as toPathText gives it. The error is its message, or why it could
 * not be run.
 */
export type RunProgram = (
  command: string,
  args: readonly string[],
  environment?: Environment
) => Promise<Result<string, string>>;

/** A busy slurmctld answers late. Slurm's own commands give up after MessageTimeout, 10 s by default. */
const TIMEOUT_MS = 60_000;
/** 10,000 jobs make about 40 MB of JSON. */
const MAX_OUTPUT_BYTES = 512 * 2 ** 20;
/** The most that may hang and cannot even be killed, as where a file server is away; beyond it none is started. */
const MAX_STUCK = 4;

/** As RunProgram, with the output as it came. */
export type RunForBytes = (...call: Parameters<RunProgram>) => Promise<Result<Buffer, string>>;

/** Runs programs with this environment (PATH, SLURM_CONF). */
export function createProgramRunner(environment: Environment, timeoutMs = TIMEOUT_MS): RunProgram {
  const run = createBytesRunner(environment, timeoutMs);
  return async (...call) => {
    const answer = await run(...call);
    return answer.ok ? ok(toPathText(answer.value)) : answer;
  };
}

/** The same for long outputs, which need not become text as a whole. */
export function createBytesRunner(environment: Environment, timeoutMs = TIMEOUT_MS): RunForBytes {
  let stuck = 0;
  return async (command, args, extra = {}) => {
    if (stuck >= MAX_STUCK) return err(`${command} hangs: ${stuck} of it were killed, and have not ended yet`);
    const limits = { environment: { ...environment, ...extra }, timeoutMs, maxBytes: MAX_OUTPUT_BYTES };
    const end = await runToEnd(command, args, limits);
    if (end.kind === 'late') {
      stuck += 1;
      void end.gone.then(() => (stuck -= 1));
    }
    return end.kind === 'ended' && end.code === 0 ? ok(end.stdout) : err(explain(command, end, limits));
  };
}

function explain(command: string, end: ProgramEnd, limits: ProgramLimits): string {
  if (end.kind === 'not-started' && end.code === 'ENOENT') return `there is no command ${command} on the PATH`;
  const said = end.kind === 'ended' ? lastLine(end.stderr.toString('utf8')) : undefined;
  return said ?? `${command} ${explainEnd(end, limits)}`;
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
