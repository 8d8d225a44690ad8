import { err, ok, type Result } from '@joblens/core/result/result';
import { nameErrorCode } from '../host/file-error.js';
import type { StateSource } from '../queue/state-registry.js';
import { openFolder, type OpenFolderOptions, type Spool } from './open-folder.js';
import { formatDestination, type FoundFolder, type SpoolDestination, SpoolFolders } from './spool-folders.js';
import type { SpoolRole } from './writer-name.js';

export interface SpoolOptions extends OpenFolderOptions {
  readonly destination: SpoolDestination;
  /** The sources whose states are kept as they are at any time; `watch` and `serve` have some. */
  readonly sources: Iterable<StateSource>;
}

/**
 * Opens a spool for writing. `job` starts an empty one; `watch` continues the one that a `watch` of the same
 * destination has left, and so does `serve`, of which several may run. The error is one line for the user: the folder
 * cannot be used, or another `watch` writes there.
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
    const left = options.role === 'serve' ? await takeNewest(folders, options.role, destination) : undefined;
    const own = left ?? (await folders.create(options.role, destination));
    return ok(await openFolder(options, folders, own, options.sources));
  } catch (error) {
    return err(`opening the spool in ${options.root} failed (${nameErrorCode(error)})`);
  }
}

/** Takes the newest folder that a dead writer of the role has left; undefined if there is none. */
async function takeNewest(folders: SpoolFolders, role: SpoolRole, destination: string): Promise<string | undefined> {
  const left = (await folders.list()).filter(
    ({ writer, isAlive, destination: other }) => writer.role === role && !isAlive && other === destination
  );
  for (const folder of left.sort((a, b) => b.lastSignMs - a.lastSignMs)) {
    const own = await folders.takeOver(folder);
    if (own !== undefined) return own;
  }
  return undefined;
}

/**
 * Allows one `watch` at a time for a destination. A process that sees another one after its claim steps back, so there
 * are never two.
 */
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
