import { isSameFile } from './files/file-identity.js';
import type { FileStatus, FileSystem } from './files/file-system.js';
import { explainNoText, JUDGED_BYTES, readStart } from './judge-text.js';
import { RefusedFileError } from './files/refused-file-error.js';
import type { WatchedEntry } from './watched-entries.js';

type JudgedEntry = Pick<WatchedEntry, 'path' | 'job' | 'judged'>;

/** Whether more bytes of the file would not change what it is taken for. */
export function isJudged({ job, judged }: JudgedEntry): boolean {
  return job.owner !== undefined || (judged !== undefined && judged.status.size >= JUDGED_BYTES);
}

/** Refuses a file that is not text. What a scheduler knows as the output of a job is logged whatever it is. */
export async function refuseNoText(fileSystem: FileSystem, entry: JudgedEntry, status: FileStatus): Promise<void> {
  if (entry.job.owner !== undefined) return;
  const { judged } = entry;
  if (judged === undefined || hasChanged(judged.status, status)) {
    entry.judged = { status, reason: await explainFile(fileSystem, entry.path) };
  }
  if (entry.judged?.reason !== undefined) throw new RefusedFileError(entry.judged.reason);
}

function hasChanged(judged: FileStatus, status: FileStatus): boolean {
  if (!isSameFile(judged, status)) return true;
  return judged.size !== status.size && Math.min(judged.size, status.size) < JUDGED_BYTES;
}

async function explainFile(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  const file = await fileSystem.open(path);
  try {
    return explainNoText(await readStart(file));
  } finally {
    await file.close();
  }
}
