import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { describeFileError } from '../../../host/file-error.js';
import { ImportError, type ImportRequest } from './importer.js';

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** A file that is read as a stream, unpacked where it is packed. */
export interface SourceFile {
  readonly sizeBytes: number;
  /** When it was changed last, in whole milliseconds. */
  readonly modifiedMs: number;
  /** How much of it is read. */
  readonly readBytes: () => number;
  /** Its bytes, up to its end or the end of the import. What a packed file lacks at its end is not there. */
  readonly chunks: AsyncGenerator<Buffer>;
}

/** Opens the file of an import. */
export async function openSourceFile({ source: path, signal }: ImportRequest): Promise<SourceFile> {
  const { sizeBytes, modifiedMs, isPacked } = await examine(path);
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  return {
    ...{ sizeBytes, modifiedMs, readBytes: () => stream.bytesRead },
    chunks: isPacked ? unpack(stream, path, signal) : read(stream, path, signal),
  };
}

/** All bytes of a source that cannot be read piece by piece; more than `maxBytes`, unpacked, are an ImportError. */
export async function readSourceBytes(request: ImportRequest, maxBytes: number): Promise<Buffer> {
  const file = await openSourceFile(request);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new ImportError(`cannot read ${request.source}: it is larger than ${maxBytes >> 20} MiB`);
    pieces.push(Buffer.from(chunk));
    await request.advance(file.readBytes(), file.sizeBytes);
  }
  return Buffer.concat(pieces);
}

async function examine(path: string): Promise<{ sizeBytes: number; modifiedMs: number; isPacked: boolean }> {
  try {
    const file = await open(path);
    try {
      const { size, mtimeMs } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0);
      const isPacked = buffer.subarray(0, bytesRead).equals(GZIP_MAGIC);
      return { sizeBytes: size, modifiedMs: Math.floor(mtimeMs), isPacked };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw explain(path, error);
  }
}

async function* read(
  stream: AsyncIterable<Buffer> & { destroy(): void },
  path: string,
  signal: AbortSignal
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      if (signal.aborted) return;
      yield chunk;
    }
  } catch (error) {
    throw explain(path, error);
  } finally {
    stream.destroy();
  }
}

function unpack(stream: NodeJS.ReadableStream, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  // With this flush, a file that was cut gives what is there.
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(stream, gunzip, () => undefined);
  return read(gunzip, path, signal);
}

function explain(path: string, error: unknown): ImportError {
  return new ImportError(`cannot read ${path}: ${describeFileError(error)}`);
}

const FORMS = /\.(?:gz|jsonl|ndjson|json|csv|tsv|txt|msgpack|yaml|yml)$/i;

/** The name of a file or folder without the endings that say its form. */
export function nameOfSource(path: string): string {
  let name = basename(path);
  while (FORMS.test(name) && name.replace(FORMS, '') !== '') name = name.replace(FORMS, '');
  return name;
}

/** Whether a source is an address: a server may tell something else when it is asked again. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** When a file, or what is in a folder, was changed last, and how large it is: an import goes on with the same. */
export async function fingerprintSource(path: string): Promise<string> {
  try {
    const found = await stat(path);
    const within = found.isDirectory() ? await readdir(path, { recursive: true }) : [];
    const parts = await Promise.all(within.sort().map((name) => stat(join(path, name))));
    return [found, ...parts].map((part) => `${part.size} ${part.mtimeMs}`).join();
  } catch {
    return '';
  }
}
