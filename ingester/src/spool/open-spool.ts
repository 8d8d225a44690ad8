import type { Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { PointBatch, PointQueue } from '../queue/point-queue.js';
import type { StateSource } from '../queue/state-registry.js';
import type { Reporter } from '../host/report.js';
import { CheckpointWriter } from './checkpoint.js';
import { DurableSpool } from './durable-spool.js';
import { createDurableSegment } from './durable-segment.js';
import type { HostFacts } from '../host/host-facts.js';
import type { OpenJob } from './open-job.js';
import { OpenJobNote } from './open-job.js';
import type { StoredLog } from './read-log.js';
import { readLog } from './read-log.js';
import { addSegment, formatSegmentName } from './segment.js';
import type { FoundFolder } from './spool-folders.js';
import { SpoolFolders } from './spool-folders.js';
import type { SpoolFs } from './spool-fs.js';
import { codeOf, removeQuietly } from './spool-fs.js';
import type { SpoolRole, Writer } from './writer-name.js';
import { SIGN_OF_LIFE_MS } from './writer-name.js';

const DEFAULT_MAX_BYTES = 1 << 30;
const DEFAULT_SEGMENT_BYTES = 64 << 20;
/** Whole segments are removed: with some of them the spool is never full of settled points. */
const MIN_SEGMENTS = 8;
const NS_PER_MS = 1_000_000n;

/** A spool folder and the world around it. */
export interface SpoolPlace {
  /** The folder that holds the spools of all processes of this user. */
  readonly root: string;
  readonly fs: SpoolFs;
  readonly facts: HostFacts;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly random: () => number;
  readonly report: Reporter;
}

/** Where the points go: address, organisation, bucket or database. Never a secret: it is written to the spool. */
export type SpoolDestination = Readonly<Record<string, string>>;

export interface SpoolOptions extends SpoolPlace {
  readonly role: SpoolRole;
  readonly destination: SpoolDestination;
  /** Whose states are kept, as they are at any time; by `watch` only. */
  readonly sources: Iterable<StateSource>;
  /** Of all segments together; default 1 GiB. */
  readonly maxBytes?: number;
  /** Of one segment; default 64 MiB, and at most an eighth of `maxBytes`. */
  readonly segmentBytes?: number;
}

/** A queue of points on disk. */
export interface Spool extends PointQueue {
  /** Per source the whole value, then its changes, as they were found at the start. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** Remembers, for the case that this process is killed, a job that has not ended; `undefined`: its end was appended. */
  noteJob(job: OpenJob | undefined): void;
}

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

/**
 * Opens a spool for writing. `job` starts an empty one; `watch` goes on with the one that a `watch` of the same destination has left.
 * The error is one line for the user: the folder cannot be used, or another `watch` writes there.
 */
export async function openSpool(options: SpoolOptions): Promise<Result<Spool, string>> {
  const folders = new SpoolFolders(options.fs, options.root, options.facts);
  const prepared = await folders.prepare();
  if (!prepared.ok) return prepared;
  const destination = formatDestination(options.destination);
  try {
    if (options.role === 'watch') {
      const claimed = await claimWatchFolder(folders, destination, options.root);
      return claimed.ok ? ok(await openFolder(options, folders, claimed.value, options.sources)) : claimed;
    }
    return ok(await openFolder(options, folders, await folders.create('job', destination), options.sources));
  } catch (error) {
    return err(`opening the spool in ${options.root} failed (${codeOf(error)})`);
  }
}

interface AdoptOptions {
  readonly destination: SpoolDestination;
  readonly roles: readonly SpoolRole[];
  /** Once it is aborted no further ones are taken over. */
  readonly stopped?: AbortSignal;
  /** What is said of a job whose end its writer, killed, could not say; sent after all that was left; by default nothing. */
  readonly describeLost?: (job: OpenJob, lastSignNs: bigint) => PointBatch;
}

/** What dead processes have left. */
interface Adopted {
  /** Those in which points wait. */
  readonly spools: readonly Spool[];
  /** Whether some of what was left cannot be read; it was set aside, and what it is was said. */
  readonly hasLost: boolean;
}

/**
 * Takes over the spools of dead processes with the same destination. Closing one removes it when it is empty; that of a `watch` stays, with
 * its states, for the next `watch`.
 */
export async function adoptLeftovers(
  place: SpoolPlace,
  { destination, roles, stopped, describeLost }: AdoptOptions
): Promise<Result<Adopted, string>> {
  const folders = new SpoolFolders(place.fs, place.root, place.facts);
  try {
    if ((await place.fs.stat(place.root)) === undefined) return ok({ spools: [], hasLost: false });
    const prepared = await folders.prepare();
    if (!prepared.ok) return prepared;
    const aside = await folders.tidy();
    let hasLost = aside.length > 0;
    for (const path of aside) {
      place.report.error(`cannot read where the points of a spool were to go; the spool is now in ${path}`);
    }
    const wanted = formatDestination(destination);
    const spools: Spool[] = [];
    for (const found of await folders.list()) {
      if (stopped?.aborted === true) break;
      if (found.isAlive || found.destination !== wanted || !roles.includes(found.writer.role)) continue;
      const path = await folders.takeOver(found);
      if (path === undefined) continue;
      const lastSignNs = BigInt(Math.floor(found.lastSignMs)) * NS_PER_MS;
      const describe = (job: OpenJob, pointNs: bigint): PointBatch | undefined =>
        describeLost?.(job, pointNs > lastSignNs ? pointNs : lastSignNs);
      const spool = await openFolder({ ...place, role: found.writer.role }, folders, path, undefined, describe);
      hasLost ||= spool.hasLost;
      if (spool.waitingPoints > 0) spools.push(spool);
      else await spool.close();
    }
    return ok({ spools, hasLost });
  } catch (error) {
    return err(`looking for unsent points in the spool ${place.root} failed (${codeOf(error)})`);
  }
}

/** All spools in the folder; changes nothing. What a live process has in its spool is only about right. */
export async function listSpools(place: Pick<SpoolPlace, 'root' | 'fs' | 'facts'>): Promise<SpoolSummary[]> {
  if ((await place.fs.stat(place.root)) === undefined) return [];
  const summaries: SpoolSummary[] = [];
  for (const found of await new SpoolFolders(place.fs, place.root, place.facts).list()) {
    // A live writer may remove a file while it is read.
    const stored = await readLog(place.fs, found.path, { keepsStates: found.writer.role === 'watch' }).catch(
      () => undefined
    );
    const { waitingPoints = 0, waitingBytes = 0, lostRecords: damagedRecords = 0 } = stored ?? {};
    summaries.push({ ...found, waitingPoints, waitingBytes, damagedRecords });
  }
  return summaries;
}

/** One `watch` at a time for one destination. Who sees another one after its claim steps back, so that never two go on. */
async function claimWatchFolder(
  folders: SpoolFolders,
  destination: string,
  root: string
): Promise<Result<string, string>> {
  const listRivals = async (own?: string): Promise<FoundFolder[]> =>
    (await folders.list()).filter(
      ({ path, writer, destination: other }) => path !== own && writer.role === 'watch' && other === destination
    );
  const refuse = ({ writer }: FoundFolder): Result<string, string> =>
    err(
      `another process (pid ${writer.pid} on ${writer.hostName}) uses the spool of watch in ${root}: stop it, or choose another folder with --spool`
    );
  for (;;) {
    const rivals = await listRivals();
    const alive = rivals.find(({ isAlive }) => isAlive);
    if (alive !== undefined) return refuse(alive);
    const dead = rivals[0];
    const own = dead === undefined ? await folders.create('watch', destination) : await folders.takeOver(dead);
    if (own === undefined) continue;
    const rival = (await listRivals(own)).find(({ isAlive }) => isAlive);
    if (rival === undefined) return ok(own);
    await (dead === undefined ? folders.remove(own) : folders.giveAway(own));
    return refuse(rival);
  }
}

type OpenFolderOptions = SpoolPlace & Pick<SpoolOptions, 'role' | 'maxBytes' | 'segmentBytes'>;

async function openFolder(
  options: OpenFolderOptions,
  folders: SpoolFolders,
  folder: string,
  sources: Iterable<StateSource> | undefined,
  describeLost?: (job: OpenJob, lastPointNs: bigint) => PointBatch | undefined
): Promise<DurableSpool & Spool> {
  const { fs, root, role, report, clock, maxBytes = DEFAULT_MAX_BYTES } = options;
  const keepsStates = role === 'watch';
  const destination = await folders.readOwnDestination(folder);
  const found = await readLog(fs, folder, { keepsStates });
  const isAside = await setAsideDamage(found, folder, folders, report);
  for (const path of found.leftovers) await removeQuietly(fs, path);
  // Without states nothing has to agree with what was sent: points that come back are the same points.
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
    // What cannot be removed or renamed now is found by the next process when this one is dead.
    await (isDone ? folders.remove(folder) : folders.giveAway(folder)).catch(() => undefined);
  }
}

/**
 * Says what is lost, and where what cannot be read is or will be when the rest of its file was sent. Returns whether nothing of it is in
 * the folder any more that holds nothing else.
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
    report.warn(`setting it aside failed (${codeOf(error)}): it stays in ${folder}`);
    return false;
  }
}

/**
 * Makes durable what the dead writer had not: what is given out must not be lost any more, or the states would be those of before.
 * Its last records are written anew: if one of its syncs had failed, another one could succeed and say nothing.
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
      `making the spool ${folder} durable failed (${codeOf(error)}): after a power cut some lines may come twice`
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
      if (codeOf(error) === 'ENOENT') await onGone();
      else if (!hasFailed)
        report.warn(`the spool ${folder} cannot be kept (${codeOf(error)}): another process may take it over`);
      hasFailed = true;
    }
  }
}

function formatDestination(destination: SpoolDestination): string {
  const rows = Object.entries(destination).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(rows));
}
