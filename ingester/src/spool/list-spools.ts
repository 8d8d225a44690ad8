import type { SpoolPlace } from './open-folder.js';
import { readLog } from './read-log.js';
import { SpoolFolders } from './spool-folders.js';
import { keepsStates, type Writer } from './writer-name.js';

interface SpoolSummary {
  readonly path: string;
  readonly writer: Writer;
  readonly isAlive: boolean;
  /** The destination as JSON, keys in alphabetical order. */
  readonly destination: string;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  readonly damagedRecords: number;
}

/** Lists all spools in the folder and changes nothing. Figures of a live process's spool are only about right. */
export async function listSpools(place: Pick<SpoolPlace, 'root' | 'fs' | 'facts'>): Promise<SpoolSummary[]> {
  if ((await place.fs.stat(place.root)) === undefined) return [];
  const summaries: SpoolSummary[] = [];
  for (const found of await new SpoolFolders(place.fs, place.root, place.facts).list()) {
    // A live writer may remove a file during the read.
    const stored = await readLog(place.fs, found.path, { keepsStates: keepsStates(found.writer.role) }).catch(
      () => undefined
    );
    const { waitingPoints = 0, waitingBytes = 0, lostRecords: damagedRecords = 0 } = stored ?? {};
    summaries.push({ ...found, waitingPoints, waitingBytes, damagedRecords });
  }
  return summaries;
}
