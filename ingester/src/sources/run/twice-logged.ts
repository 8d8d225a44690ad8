import { basename } from 'node:path';
import type { Environment } from '../../host/host.js';

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The batch script, as slurmd names it on the node. */
const SCRIPT = 'slurm_script';
const ADVICE = 'lines that come to both are logged twice, by the task and by the script: leave out one of the two';

/** Where the processes tell of a `run` around the `srun` (isWithinSrunOfRun). */
export const WITHIN_SRUN = `the script that starts this srun runs under joblens, too: ${ADVICE}`;

/** Whether the command is what `srun` has started in a job. */
export function isStep({ command }: Pick<Command, 'command'>, environment: Environment): boolean {
  // A job that is submitted by a step may have the step's variables.
  const { SLURM_JOB_ID: job, SLURM_STEP_ID: step } = environment;
  return job !== undefined && step !== undefined && basename(command) !== SCRIPT;
}

/**
 * Says that what a step of Slurm prints is logged inside and outside of it. Neither can leave it to the other: only the
 * inner `run` keeps the tasks apart and knows what they print, only the outer one knows where `srun` writes that, and
 * the script may print into the same pipe. Undefined where neither the words of the command nor the environment tell.
 */
export function explainTwice({ command, args }: Command, environment: Environment): string | undefined {
  const { SLURM_JOB_ID: job, JOBLENS_RUNS: wrapped } = environment;
  if (basename(command) === 'srun' && args.some((word) => basename(word) === 'joblens'))
    return `srun starts joblens again: ${ADVICE}`;
  return isStep({ command }, environment) && wrapped === job
    ? `the batch script of job ${job} runs under joblens, too: ${ADVICE}`
    : undefined;
}
