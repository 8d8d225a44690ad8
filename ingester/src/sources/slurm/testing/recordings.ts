import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Output of a real Slurm 22.05, with made-up names of people and folders, and sacct's last four fields. */
export function readRecording(name: 'squeue-22.05-first' | 'squeue-22.05-later' | 'sacct-22.05'): string {
  return readFileSync(join(__dirname, `${name}.txt`), 'utf8');
}
