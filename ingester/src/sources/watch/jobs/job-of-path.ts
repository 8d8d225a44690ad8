import { basename } from 'node:path';
import type { Stream } from '@joblens/core/schema/measurements';
import { showPath } from '../../../host/path-bytes.js';

/** The facts about a job in the name of an output file. */
interface JobOfPath {
  readonly job: string;
  readonly stream: Stream;
  readonly name: string;
}

/** What Slurm writes for the index of a job that is no array (NO_VAL), where a pattern of one asks for it. */
const NO_INDEX = '4294967294';

/**
 * `slurm-123.out` and `slurm-123_4.out` are Slurm's names (sbatch manual, --output); any other file is a job of its
 * own, `.err` its stderr.
 */
export function readJobOfPath(path: string): JobOfPath {
  const file = showPath(basename(path));
  const name = file.replace(/\.(?:out|err|log|txt|o|e)$/, '') || file;
  const [, id, index] = /^slurm-(\d+)(?:_(\d+))?$/.exec(name) ?? [];
  const job = id === undefined || index === undefined || index === NO_INDEX ? id : `${id}_${index}`;
  return { job: job ?? name, stream: /\.(?:err|e)$/.test(path) ? 'stderr' : 'stdout', name };
}
