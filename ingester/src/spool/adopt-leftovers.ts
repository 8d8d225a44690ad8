import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import { nameErrorCode } from '../host/file-error.js';
import type { PointBatch } from '../queue/point-queue.js';
import { openFolder, type Spool, type SpoolPlace } from './open-folder.js';
import type { OpenJob } from './open-job.js';
import { formatDestination, type SpoolDestination, SpoolFolders } from './spool-folders.js';
import type { SpoolRole } from './writer-name.js';

interface AdoptOptions {
  readonly destination: SpoolDestination;
  readonly roles: readonly SpoolRole[];
  /** After its abort no further spools are taken over. */
  readonly stopped?: AbortSignal;
  /**
   * Describes a job whose writer was killed before it could report the end. The points are sent after all others of its
   * spool. Without it nothing is sent.
   */
  readonly describeLost?: (job: OpenJob, lastSignNs: bigint) => PointBatch;
}

/** The result of taking over the spools of dead processes. */
interface Adopted {
  /** The spools in which points wait. */
  readonly spools: readonly Spool[];
  /** Whether some of the leftovers cannot be read. They were set aside and reported. */
  readonly hasLost: boolean;
}

/**
 * Takes over the spools of dead processes with the same destination. Closing an empty one removes it, except that of a
 * `watch`, which stays with its states for the next `watch`.
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
    return err(`looking for unsent points in the spool ${place.root} failed (${nameErrorCode(error)})`);
  }
}
