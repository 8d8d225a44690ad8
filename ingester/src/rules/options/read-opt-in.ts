import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isGone } from '@joblens/core/result/is-gone';
import { describeFileError, readErrorCode } from '../../host/file-error.js';
import { toPathBytes } from '../../host/path-bytes.js';
import { listPlaces, type LogConfig } from './log-config.js';
import { type ParsedOptIn, parseOptIn } from './opt-in.js';

/** Whether the owner of a job wants it logged, and how. */
export type OptIn =
  | { readonly kind: 'absent' }
  /** `notice`: what of it is that of another version, and was ignored. */
  | { readonly kind: 'config'; readonly config: LogConfig; readonly notice?: string }
  /** `mayPass`: the file could not be read this time, so another time may tell what its owner wants. */
  | { readonly kind: 'invalid'; readonly message: string; readonly mayPass?: true };

const MAX_BYTES = 65_536;

/**
 * Reads an opt-in file once. It must be a regular file, no link, and belong to the owner of the job. Opening it never
 * waits, not even for a FIFO. The message about an invalid file names the file, the place in it, and what is allowed.
 */
export async function readOptIn(path: string, ownerUid: number): Promise<OptIn> {
  let file: FileHandle;
  try {
    file = await open(toPathBytes(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = readErrorCode(error);
    if (isGone(error)) return { kind: 'absent' };
    if (code === 'ELOOP') return invalid(path, 'it is a symbolic link; it must be a regular file');
    const unopened = invalid(path, `it cannot be opened: ${describeFileError(error)}`);
    // The system opens no socket, ever.
    return code === 'ENXIO' ? unopened : { ...unopened, mayPass: true };
  }
  try {
    return await readOpened(file, path, ownerUid);
  } catch (error) {
    return { ...invalid(path, `it cannot be read: ${describeFileError(error)}`), mayPass: true };
  } finally {
    await file.close();
  }
}

async function readOpened(file: FileHandle, path: string, ownerUid: number): Promise<OptIn> {
  const status = await file.stat();
  if (!status.isFile()) return invalid(path, 'it is not a regular file');
  if (status.uid !== ownerUid) {
    return invalid(path, `it belongs to user id ${status.uid}; it must belong to the owner of the job, ${ownerUid}`);
  }
  if (status.size > MAX_BYTES) return invalid(path, `it has ${status.size} bytes; at most ${MAX_BYTES} are read`);
  const parsed = await parseOptIn(await file.readFile('utf8'));
  if (parsed.ok) {
    const { config, ignored } = parsed.value;
    return { kind: 'config', config, ...(ignored.length > 0 && { notice: explainIgnored(path, ignored) }) };
  }
  const { line, column, message } = parsed.error;
  return invalid(`${path}:${line}:${column}`, message);
}

function explainIgnored(path: string, keys: ParsedOptIn['ignored']): string {
  const places = keys.map(({ line, column, word }) => `${line}:${column}${word ? ` ${JSON.stringify(word)}` : ''}`);
  return `this version does not know, and ignores, options of ${path}: at ${listPlaces(places)}`;
}

function invalid(place: string, message: string): Extract<OptIn, { kind: 'invalid' }> {
  return { kind: 'invalid', message: `nothing is logged: the opt-in file is not valid: ${place}: ${message}` };
}
