import { isGone, noneIfGone } from '@joblens/core/result/is-gone';
import { chmod, link, lstat, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readErrorCode, readErrorMessage, StartError } from './start-error.js';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{64}$/;

/** The one folder that outlives a restart: the store, the token, the number of the last demo job. */
export interface StateFolder {
  readonly path: string;
  readonly storePath: string;
  readonly tokenPath: string;
  readonly token: string;
}

export interface StateFolderOptions {
  readonly path: string;
  /** `n` cryptographically random bytes. */
  readonly randomBytes: (n: number) => Buffer;
}

/** Where state is kept when the user names no folder (XDG base directory specification). */
export function defaultStatePath(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = environment['XDG_STATE_HOME'];
  // The specification says to ignore relative paths.
  const root = base?.startsWith('/') === true ? base : join(home, '.local', 'state');
  return join(root, 'joblens');
}

/** Files that a copy, or a start without a umask, may have left open to others. DuckDB's log is beside its file. */
const PRIVATE_FILES = ['token', 'store.duckdb', 'store.duckdb.wal', 'demo-number', 'port'];

/**
 * Opens the state folder and closes its files to others. At the first start, makes the folder (mode 0700) and its token
 * (32 random bytes in hex, mode 0600).
 * @throws StartError when the folder or the token cannot be made or read
 */
export async function openStateFolder({ path, randomBytes }: StateFolderOptions): Promise<StateFolder> {
  try {
    await makeFolder(resolve(path));
    for (const name of PRIVATE_FILES) await closeToOthers(join(path, name));
  } catch (cause) {
    throw stateError(path, cause);
  }
  const tokenPath = join(path, 'token');
  const token = await openToken(path, tokenPath, randomBytes);
  return { path, tokenPath, token, storePath: join(path, 'store.duckdb') };
}

/**
 * The number of the next demo job: one more than the last time, from 1.
 * @throws StartError when the folder cannot be written
 */
export async function nextDemoNumber({ path }: StateFolder): Promise<number> {
  const filePath = join(path, 'demo-number');
  try {
    const last = (await readFile(filePath, 'utf8').catch(noneIfGone)) ?? '0';
    const next = Math.max(0, Number.parseInt(last, 10) || 0) + 1;
    await writeFile(filePath, `${next}\n`, { mode: 0o600 });
    return next;
  } catch (cause) {
    throw stateError(filePath, cause);
  }
}

/**
 * Notes on which port the store of this folder is served, for a second start.
 * @throws StartError when the folder cannot be written
 */
export async function notePort({ path }: StateFolder, port: number): Promise<void> {
  const filePath = join(path, 'port');
  await writeFile(filePath, `${port}\n`, { mode: 0o600 }).catch((cause: unknown) => {
    throw stateError(filePath, cause);
  });
}

/** The port of the start that has the store open; undefined where it noted none. Rejects when nobody can tell. */
export async function readPort({ path }: StateFolder): Promise<number | undefined> {
  const text = (await readFile(join(path, 'port'), 'utf8').catch(noneIfGone)) ?? '';
  return /^\d{1,5}\n$/.test(text) ? Number(text) : undefined;
}

/** Does not use mkdir's `recursive`, which never returns under /proc, where nothing can be made. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    const code = readErrorCode(cause);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (!isGone(cause) || (await isThere(dirname(path)))) throw cause;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

async function closeToOthers(path: string): Promise<void> {
  const found = await lstat(path).catch(noneIfGone);
  if (found?.isFile() === true && (found.mode & 0o077) !== 0) await chmod(path, 0o600);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(noneIfGone)) !== undefined;
}

async function openToken(folder: string, tokenPath: string, randomBytes: (n: number) => Buffer): Promise<string> {
  try {
    await makeToken(tokenPath, randomBytes);
  } catch (cause) {
    if (readErrorCode(cause) !== 'EEXIST') throw stateError(folder, cause);
  }
  try {
    const found = await lstat(tokenPath);
    if (!found.isFile()) throw new StartError(`Cannot use ${tokenPath}: it is not a regular file; remove it.`);
    const token = (await readFile(tokenPath, 'utf8')).trim();
    if (TOKEN_PATTERN.test(token)) return token;
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw stateError(tokenPath, cause);
  }
  throw new StartError(
    `Cannot use the token in ${tokenPath}: it is not 64 hex digits; remove the file and a new one is made.`
  );
}

/** If two first starts happen at the same time, one makes the token and both read it. Nobody finds it half written. */
async function makeToken(tokenPath: string, randomBytes: (n: number) => Buffer): Promise<void> {
  const draftPath = `${tokenPath}-${randomBytes(8).toString('hex')}`;
  await writeFile(draftPath, `${randomBytes(TOKEN_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draftPath, tokenPath);
  } finally {
    await unlink(draftPath);
  }
}

function stateError(path: string, cause: unknown): StartError {
  return new StartError(
    `Cannot use the state folder ${path}: ${readErrorMessage(cause)}; choose one that you may write with --state DIR.`,
    { cause }
  );
}
