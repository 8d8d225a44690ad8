import { basename } from 'node:path';
import { readHostFacts } from '../../host/host-facts.js';
import { listProcessIds } from '../../host/process-files.js';
import { listPipeNotes } from '../../peers/pipe-note.js';
import { openUserFolder } from '../../peers/user-folder.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { hashLogging, readParent, readWords } from './pipe-loggers.js';

/**
 * Whether a `run` on this machine logs the same job in the same way, and an `srun` that its command has started starts
 * joblens again. A command that is such an `srun` is left out: that `run` says so itself. The environment of a command
 * stays as it is, so the processes tell.
 */
export function isWithinSrunOfRun(options: SessionOptions, decided: LoggingDecision): boolean {
  const { host } = options;
  const logs = hashLogging(options, decided);
  const folder = openUserFolder(host.sharedFolders, host.uid);
  if (folder === undefined || logs === '') return false;
  const facts = readHostFacts(host.machine.pid, host.uid);
  const outer = listPipeNotes(folder)
    .filter(
      (note) => note.kind === 'run' && note.logs === logs && note.by[0] !== facts.pid && facts.isAlive(...note.by)
    )
    .map(({ by: [pid] }) => String(pid))
    .filter((pid) => !startsSrun(readWords(pid, 'cmdline')));
  const roots = new Set(outer.flatMap((pid) => [pid, ...findSupervisor(pid)]));
  return roots.size > 0 && listProcessIds().some((pid) => startsJoblens(pid) && isBelow(pid, roots));
}

/** Whether the words of a `run` are those of an `srun` of joblens, which it tells of. */
function startsSrun(cmdline: string): boolean {
  const names = cmdline.split('\0').map((word) => basename(word));
  const at = names.indexOf('srun');
  return at >= 0 && names.indexOf('joblens', at) >= 0;
}

/** The parent of the process that logs, where it is also that of the command. */
function findSupervisor(pid: string): readonly string[] {
  const parent = readParent(pid);
  return readWords(parent, 'cmdline').includes('supervise.pl\0') ? [parent] : [];
}

function startsJoblens(pid: string): boolean {
  return readWords(pid, 'comm') === 'srun\n' && readWords(pid, 'cmdline').includes('joblens');
}

function isBelow(pid: string, roots: ReadonlySet<string>): boolean {
  let at = readParent(pid);
  while (at !== '' && at !== '0' && !roots.has(at)) at = readParent(at);
  return roots.has(at);
}
