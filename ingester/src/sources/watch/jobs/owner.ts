import type { Environment } from '../../../host/host.js';
import { toPathText } from '../../../host/path-bytes.js';
import { type ProgramEnd, runToEnd } from '../../../host/run-to-end.js';
import { UndecidedJobError } from './undecided-job-error.js';

/** The owner of a file: name and home of a user. */
export interface Owner {
  readonly uid: number;
  readonly name: string;
  /** Undefined when no home is known here. */
  readonly homeFolder: string | undefined;
}

/** Finds a user by id. Rejects with an UndecidedJobError while nobody can tell who it is. */
export type FindOwner = (uid: number) => Promise<Owner>;

/** A directory service may be away for a while. */
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1 << 16;
/** How soon is asked again who an unknown user is, and when there was no answer. */
const UNKNOWN_MS = 60_000;
const RETRY_MS = 10_000;
/** getent(1): the key was not found. */
const NOT_FOUND = 2;

interface OwnerFinderOptions {
  readonly environment: Environment;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
  readonly timeoutMs?: number;
}

interface Asked {
  readonly owner: Promise<Owner>;
  /** When is asked again. */
  untilMs: number;
}

/**
 * Asks the system's user database, or a directory service behind it, once for each user. A user that is unknown to it
 * is named by number, and asked for again later. Where it does not answer, nothing is known of the user.
 */
export function createOwnerFinder(options: OwnerFinderOptions): FindOwner {
  const { monotonicMs, warn } = options;
  const known = new Map<number, Asked>();
  const said = new Set<number>();

  async function ask(uid: number, asked: () => Asked): Promise<Owner> {
    const end = await askSystem(uid, options);
    const owner = readOwner(uid, end);
    if (owner === undefined) {
      asked().untilMs = monotonicMs() + RETRY_MS;
      const message = `nobody can tell who user id ${uid} is (${explain(end)}); it is asked again, and their jobs are logged from their start then`;
      if (!said.has(uid)) warn(message);
      said.add(uid);
      throw new UndecidedJobError(message);
    }
    said.delete(uid);
    if (owner.homeFolder === undefined) asked().untilMs = monotonicMs() + UNKNOWN_MS;
    return owner;
  }

  return (uid) => {
    const before = known.get(uid);
    if (before !== undefined && monotonicMs() < before.untilMs) return before.owner;
    const asked: Asked = { owner: ask(uid, () => asked), untilMs: Infinity };
    known.set(uid, asked);
    return asked.owner;
  };
}

/** The same for those who can do with a number while nobody can tell. */
export function nameByNumber(find: FindOwner): (uid: number) => Promise<Pick<Owner, 'name'>> {
  return (uid) =>
    find(uid).catch((error: unknown) => {
      if (error instanceof UndecidedJobError) return { name: String(uid) };
      throw error;
    });
}

function askSystem(uid: number, { environment, timeoutMs = TIMEOUT_MS }: OwnerFinderOptions): Promise<ProgramEnd> {
  return runToEnd('getent', ['passwd', String(uid)], { environment, timeoutMs, maxBytes: MAX_BYTES });
}

/** Undefined while nobody can tell. */
function readOwner(uid: number, { kind, code, stdout }: ProgramEnd): Owner | undefined {
  const unknown = { uid, name: String(uid), homeFolder: undefined };
  if (kind === 'not-started') return code === 'ENOENT' ? unknown : undefined;
  if (kind !== 'ended' || (code !== 0 && code !== NOT_FOUND)) return undefined;
  const [name = '', , , , , homeFolder = ''] = toPathText(stdout).replace(/\n$/, '').split(':');
  return code === NOT_FOUND || name === '' ? unknown : { uid, name, homeFolder: homeFolder || undefined };
}

function explain({ kind, code }: ProgramEnd): string {
  return kind === 'late' ? 'getent does not answer' : `getent: ${code}`;
}
