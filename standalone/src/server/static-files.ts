import { noneIfGone, noneIfNoFile } from '@joblens/core/result/is-gone';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.map', '.md', '.svg', '.txt']);
const MIN_COMPRESSED_BYTES = 1024;
/** esbuild's content hash: such a file never changes under its name. */
const HASHED_NAME = /-[A-Z0-9]{8}\.(js|css|woff2?)$/;

const compress = promisify(gzip);

interface CachedFile {
  readonly etag: string;
  readonly plain: Buffer;
  readonly compressed: Buffer | undefined;
}

/** Sends files of one folder with an ETag, gzipped if that helps. */
export class StaticFiles {
  readonly #cache = new Map<string, CachedFile>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Answers with the file at `name` (a path inside the folder, with slashes), or with 404 if there is none. Rejects
   * when nobody can tell.
   */
  async send(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
    const file = await this.#read(name);
    if (file === undefined) return reply.code(404).type('text/plain; charset=utf-8').send(`No such file: ${name}\n`);
    reply.header('etag', file.etag).header('vary', 'accept-encoding');
    reply.header('cache-control', HASHED_NAME.test(name) ? 'private, max-age=31536000, immutable' : 'no-cache');
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    reply.type(CONTENT_TYPES[extname(name)] ?? 'application/octet-stream');
    const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (acceptsGzip && file.compressed !== undefined) {
      return reply.header('content-encoding', 'gzip').send(file.compressed);
    }
    return reply.send(file.plain);
  }

  async #read(name: string): Promise<CachedFile | undefined> {
    const path = normalize(join(this.#folder, name));
    if (!path.startsWith(this.#folder + sep)) return undefined;
    const found = await stat(path).catch(noneIfNoFile);
    if (found?.isFile() !== true) return undefined;
    // The tag holds size and time, so a rebuild shows at once while the server runs.
    const etag = `"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`;
    const cached = this.#cache.get(path);
    if (cached?.etag === etag) return cached;
    const plain = await readFile(path);
    const compressed = await this.#readCompressed(path, plain, found.mtimeMs);
    const file = { etag, plain, compressed };
    this.#cache.set(path, file);
    return file;
  }

  /** The `.gz` that the build left beside the file. If it is missing or older than the file, it is made here. */
  async #readCompressed(path: string, plain: Buffer, mtimeMs: number): Promise<Buffer | undefined> {
    if (!COMPRESSIBLE.has(extname(path)) || plain.length < MIN_COMPRESSED_BYTES) return undefined;
    const built = await stat(`${path}.gz`).catch(noneIfGone);
    if (built?.isFile() === true && built.mtimeMs >= mtimeMs) return readFile(`${path}.gz`);
    return compress(plain);
  }
}
