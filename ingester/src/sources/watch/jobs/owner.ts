import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The owner of a file: name and home of a user. */
export interface Owner {
  readonly uid: number;
  readonly name: string;
  /** Undefined when no home is known here. */
  readonly homeFolder: string | undefined;
}

/** Finds a user by id. */
export type FindOwner = (uid: number) => Promise<Owner>;

const run = promisify(execFile);

/**
 * Asks the system's user database, or a directory service behind it, once for each user. An unknown user is named by
 * number.
 */
export function createOwnerFinder(): FindOwner {
  const known = new Map<number, Promise<Owner>>();
  return (uid) => {
    const owner = known.get(uid) ?? askSystem(uid);
    known.set(uid, owner);
    return owner;
  };
}

async function askSystem(uid: number): Promise<Owner> {
  try {
    const { stdout } = await run('getent', ['passwd', String(uid)]);
    const [name, , , , , homeFolder] = stdout.trimEnd().split(':');
    if (name !== undefined && name !== '') return { uid, name, homeFolder: homeFolder || undefined };
  } catch {
    // getent says by its exit code that there is no such user.
  }
  return { uid, name: String(uid), homeFolder: undefined };
}
