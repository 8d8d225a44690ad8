import type { Clock } from '../clock/clock.js';
import { nameErrorCode } from '../host/file-error.js';
import type { HostFacts } from '../host/host-facts.js';
import type { Reporter } from '../host/report.js';
import type { PointBatch, PointQueue } from '../queue/point-queue.js';
import type { StateSource } from '../queue/state-registry.js';
import { CheckpointWriter } from './checkpoint.js';
import { createDurableSegment } from './durable-segment.js';
import { DurableSpool } from './durable-spool.js';
import { type OpenJob, OpenJobNote } from './open-job.js';
import { readLog, type StoredLog } from './read-log.js';
import { addSegment, formatSegmentName } from './segment.js';
import type { SpoolFolders } from './spool-folders.js';
import { removeQuietly, type SpoolFs } from './spool-fs.js';
import { keepsStates as doesKeepStates, SIGN_OF_LIFE_MS, type SpoolRole } from './writer-name.js';

const DEFAULT_MAX_BYTES = 1 << 30;
const DEFAULT_SEGMENT_BYTES = 64 << 20;
/** Only whole segments are removed. With this many, the spool is never full of settled points. */
const MIN_SEGMENTS = 8;

/** The spool folder and its surroundings. */
export interface SpoolPlace {
  /** The folder that holds the spools of all processes of this user. */
  readonly root: string;
  readonly fs: SpoolFs;
  readonly facts: HostFacts;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly random: () => number;
  readonly report: Reporter;
}

/** A queue of points on disk. */
export interface Spool extends PointQueue {
  /** For each source, the whole value found at the start, then its changes. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** Remembers a job that has not ended, in case this process is killed. `undefined`: the job's end was appended. */
  noteJob(job: OpenJob | undefined): void;
}

export interface OpenFolderOptions extends SpoolPlace {
  readonly role: SpoolRole;
  /** The limit of all segments together, 1 GiB by default. */
  readonly maxBytes?: number;
  /** The limit of one segment, 64 MiB by default, and at most an eighth of `maxBytes`. */
  readonly segmentBytes?: number;
}

/**
 * Opens the spool in a folder that this process owns. `sources`: the sources whose states are kept; undefined when
 * nothing is appended.
 */
export async function openFolder(
  options: OpenFolderOptions,
  folders: SpoolFolders,
  folder: string,
  sources: Iterable<StateSource> | undefined,
  describeLost?: (job: OpenJob, lastPointNs: bigint) => PointBatch | undefined
): Promise<DurableSpool & Spool> {
  const { fs, root, role, report, clock, maxBytes = DEFAULT_MAX_BYTES } = options;
  const keepsStates = doesKeepStates(role);
  const destination = await folders.readOwnDestination(folder);
  const found = await readLog(fs, folder, { keepsStates });
  const isAside = await setAsideDamage(found, folder, folders, report);
  for (const path of found.leftovers) await removeQuietly(fs, path);
  // Without states nothing has to match the sent points: points that are sent again are the same points.
  const stored = keepsStates ? await makeDurable(options, folder, found) : found;
  const segmentBytes = Math.min(options.segmentBytes ?? DEFAULT_SEGMENT_BYTES, maxBytes / MIN_SEGMENTS);
  const checkpoint = new CheckpointWriter(fs, folder);
  if (sources !== undefined) await checkpoint.prepare();
  const note = new OpenJobNote(fs, folder);
  const spool = new DurableSpool({
    ...options,
    ...{
      folder,
      checkpoint,
      stored,
      sources,
      maxBytes,
      segmentBytes,
      foldersToSync: [folder, root],
      keepsStates,
      setAside: (path: string) => folders.setAside(path),
      restoreFolder: async () => {
        const isNew = await folders.restore(folder, destination);
        if (isNew) await note.restore();
        return isNew;
      },
    },
  });
  const stop = new AbortController();
  const signs = giveSigns(folders, folder, clock, stop.signal, report, () => spool.lookAfterFolder());
  const openJob = describeLost && (await note.read());
  const lost = openJob && describeLost(openJob, stored.lastPointNs);
  if (lost !== undefined) await note.drop(spool.addLast(lost));
  const close = spool.close.bind(spool);
  let closing: Promise<void> | undefined;
  return Object.assign(spool, {
    close: () => (closing ??= closeFolder()),
    noteJob: (job: OpenJob | undefined) => note.set(job, () => spool.untilDurable()),
  });

  async function closeFolder(): Promise<void> {
    await close();
    await note.done;
    stop.abort();
    await signs;
    const isDone = spool.isOver && isAside;
    // The next process finds files that cannot be removed or renamed now, once this process is dead.
    await (isDone ? folders.remove(folder) : folders.giveAway(folder)).catch(() => undefined);
  }
}

/**
 * Reports the lost records, and where the damaged files are, or will be once the rest of them was sent. Returns whether
 * nothing damaged is left in the folder, except in segments that are still needed.
 */
async function setAsideDamage(
  { lostRecords, damagedFiles, segments }: StoredLog,
  folder: string,
  folders: SpoolFolders,
  report: Reporter
): Promise<boolean> {
  if (lostRecords === 0) return true;
  const inUse = segments.filter(({ isDamaged }) => isDamaged === true).map(({ path }) => path);
  const kept = [...inUse, ...damagedFiles].map((path) => folders.asidePath(path)).join(', ');
  const until = inUse.length === 0 ? '' : ` when the rest of ${inUse.join(', ')} is not needed any more`;
  const where = kept === '' ? '' : `; what cannot be read is kept in ${kept}${until}`;
  report.error(`${lostRecords} records of the spool ${folder} are damaged: their points are lost${where}`);
  try {
    for (const path of damagedFiles) await folders.setAside(path);
    return true;
  } catch (error) {
    report.warn(`setting it aside failed (${nameErrorCode(error)}): it stays in ${folder}`);
    return false;
  }
}

/**
 * Makes durable the records that the dead writer had not made durable. Otherwise a record could be given out and then
 * lost, and the states would be older than the sent points. The last records are rewritten: if one of the writer's
 * syncs had failed, a later sync could succeed without writing them.
 */
async function makeDurable({ fs, report, root }: SpoolPlace, folder: string, stored: StoredLog): Promise<StoredLog> {
  const [first] = stored.unsynced;
  const segments = stored.segments.map((segment) => ({ ...segment }));
  try {
    for (const { path } of segments) {
      const file = await fs.open(path);
      await file.sync().finally(() => file.close());
    }
    for (const path of [folder, root]) await fs.syncFolder(path);
    if (first === undefined) return stored;
    const name = { number: stored.lastNumber + 1, salt: first.salt };
    const path = `${folder}/${formatSegmentName(name)}`;
    (await createDurableSegment(fs, path, stored.unsynced, [folder])).close();
    const added = addSegment(segments, { ...name, path, first: first.sequence });
    added.sizeBytes = stored.unsynced.reduce((sum, { encoded }) => sum + encoded.length, 0);
    return { ...stored, segments, lastNumber: name.number };
  } catch (error) {
    report.warn(
      `making the spool ${folder} durable failed (${nameErrorCode(error)}): after a power cut some lines may come twice`
    );
    return stored;
  }
}

async function giveSigns(
  folders: SpoolFolders,
  folder: string,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
  report: Reporter,
  onGone: () => Promise<void>
): Promise<void> {
  let hasFailed = false;
  for (;;) {
    await clock.sleep(SIGN_OF_LIFE_MS, signal);
    if (signal.aborted) return;
    try {
      await folders.giveSign(folder);
      hasFailed = false;
    } catch (error) {
      if (nameErrorCode(error) === 'ENOENT') await onGone();
      else if (!hasFailed)
        report.warn(`the spool ${folder} cannot be kept (${nameErrorCode(error)}): another process may take it over`);
      hasFailed = true;
    }
  }
}
