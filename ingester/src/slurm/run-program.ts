import { execFile } from 'node:child_process';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';

/** Runs a program to its end and returns its output. The error is its message, or why it could not be run. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  environment?: Environment
) => Promise<Result<string, string>>;

/** A busy slurmctld answers late. Slurm's own commands give up after MessageTimeout, 10 s by default. */
const TIMEOUT_MS = 60_000;
/** 10,000 jobs make about 40 MB of JSON. */
const MAX_OUTPUT_BYTES = 512 * 2 ** 20;

/** As RunProgram, with the output as it came. */
export type RunForBytes = (...call: Parameters<RunProgram>) => Promise<Result<Buffer, string>>;

/** Runs programs with this environment (PATH, SLURM_CONF). */
export function createProgramRunner(environment: Environment): RunProgram {
  const run = createBytesRunner(environment);
  return async (...call) => {
    const answer = await run(...call);
    return answer.ok ? ok(answer.value.toString('utf8')) : answer;
  };
}

/** The same for long outputs, which need not become text as a whole. */
export function createBytesRunner(environment: Environment): RunForBytes {
  return (command, args, extra = {}) =>
    new Promise((resolve) => {
      const options = {
        env: { ...environment, ...extra },
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        encoding: 'buffer' as const,
      };
      execFile(command, [...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(ok(stdout));
        else if (error.code === 'ENOENT') resolve(err(`there is no command ${command} on the PATH`));
        else if (error.killed === true) resolve(err(`${command} did not answer within ${TIMEOUT_MS / 1000} s`));
        else {
          const said = lastLine(stderr.toString('utf8'));
          resolve(err(said ?? `${command} ended with ${String(error.code ?? error.signal)}`));
        }
      });
    });
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
