import { dirname, join } from 'node:path';
import type { Environment } from '../../host/host.js';
import { SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import type { PlannedFile } from '../parts/planned-file.js';
import { readIfThere } from '../parts/site-settings.js';

/** What each way to log has in common: where things are, and whether it is set up or taken away. */
export interface Place {
  readonly isUndone: boolean;
  readonly environment: Environment;
  /** Where joblens is on the nodes. */
  readonly command: string;
  /** The folder of the files that come with joblens. */
  readonly packedFolder: () => string;
  readonly confPath: string;
  /** Slurm's configuration in effect, by its names; none without slurmctld. */
  readonly config: ReadonlyMap<string, string>;
}

/** What one way changes. Files of it come in the order in which they are changed. */
export interface Way {
  readonly files: readonly PlannedFile[];
  /** Changes slurm.conf. */
  readonly edit?: (text: string) => string;
  /** A folder of its own, which goes with the last file in it. */
  readonly folder?: string;
  /** The file that slurmctld's hooks write, whose folder is to be theirs, and who they are. */
  readonly told?: { readonly path: string; readonly findOwner: () => { readonly uid: number; readonly gid: number } };
  /** What to run afterwards. */
  readonly next: readonly string[];
}

const MARK = 'Written by joblens setup slurm, which takes it away with --undo.';

/** The line that says whose file it is, in a comment. */
export function markWith(comment: string): string {
  return `${comment} ${MARK}\n`;
}

interface OwnFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** What to do where somebody else's file is there. */
  readonly advice: string;
}

/** A file that is all ours. Somebody else's file of that name stays. */
export function planOwnFile({ path, text, mode, advice }: OwnFile, isUndone: boolean): PlannedFile {
  const before = readIfThere(path);
  const isOurs = before?.includes(MARK) === true;
  if (isUndone) return { path, before, after: isOurs ? undefined : before, mode };
  if (before !== undefined && !isOurs) throw new SetupError(`${path} is there already, and not by joblens: ${advice}`);
  return { path, before, after: text, mode };
}

/**
 * A file that Slurm runs, as these parameters say. While one of them is in effect, the file stays: a job whose
 * TaskProlog is missing fails, and one whose PrologSlurmctld is missing may not start.
 */
export function planRunFile(
  { isUndone, config }: Place,
  file: OwnFile,
  { parameters, reread }: { readonly parameters: readonly string[]; readonly reread: string }
): { readonly file: PlannedFile; readonly next: readonly string[] } {
  const planned = planOwnFile(file, isUndone);
  const isInEffect = parameters.some((name) => config.get(name) === file.path);
  if (!isUndone || !isInEffect || planned.before === undefined) return { file: planned, next: [] };
  const next = `${reread}, then joblens setup slurm --undo again: Slurm still runs ${file.path}`;
  return { file: { ...planned, after: planned.before }, next: [next] };
}

/** The command that users of this installation start. */
export function findCommand(installFolder: string): string {
  const inPrefix = join(dirname(dirname(installFolder)), 'bin', 'joblens');
  return isThere(inPrefix) ? inPrefix : join(installFolder, 'bin', 'joblens');
}

/** As one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
