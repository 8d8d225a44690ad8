import { basename } from 'node:path';
import type { Stream } from '@joblens/core';

/** The facts about a job in the name of an output file. */
interface JobOfPath {
  readonly job: string;
  readonly stream: Stream;
  readonly name: string;
}

/**
 * `slurm-123.out` and `slurm-123_4.out` are Slurm's names (sbatch manual, --output); any other file is a job of its
 * own, `.err` its stderr.
 */
export function readJobOfPath(path: string): JobOfPath {
  const name = basename(path).replace(/\.(?:out|err|log|txt|o|e)$/, '') || basename(path);
  const slurm = /^slurm-(\d+(?:_\d+)?)$/.exec(name);
  return { job: slurm?.[1] ?? name, stream: /\.(?:err|e)$/.test(path) ? 'stderr' : 'stdout', name };
}
