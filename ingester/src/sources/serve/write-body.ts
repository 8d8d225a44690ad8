import type { IncomingMessage } from 'node:http';
import { createGunzip, type Gunzip } from 'node:zlib';
import { withDeadline } from '../../clock/deadline.js';
import type { PointIntake } from './point-intake.js';
import { RefusedLines } from './refused-lines.js';
import { TranslatedPoints } from './translated-points.js';
import type { WriteFault, WriteRequest } from './write-request.js';

/** How long a request waits for room before it is refused. */
const PATIENCE_MS = 2000;
const CHUNK_BYTES = 64 * 1024;
/**
 * Gzip may unpack to a thousand times as much, but line protocol does not. A body may unpack to this many times its
 * size …
 */
const MAX_UNPACKED_RATIO = 100;
/** … or this much if it is small, and never to more than InfluxDB 1.x takes of a body by default. */
const SMALL_UNPACKED_BYTES = 4_000_000;
const MAX_UNPACKED_BYTES = 25_000_000;

const NO_ROOM: WriteFault = { status: 503, code: 'unavailable', message: 'the spool is full: send it again later' };
const NO_DISK: WriteFault = {
  status: 503,
  code: 'unavailable',
  message: 'the disk of the spool cannot be written: send it again later',
};
const TOO_LARGE: WriteFault = {
  status: 413,
  code: 'request too large',
  message: 'unpacked, the body is too large: only its beginning was taken; send it in smaller ones, or plain',
};

/**
 * Queues the points of a body while it arrives, whatever its size, and waits until no crash can lose them. Returns the
 * fault, in InfluxDB's words where it has any. The good points of a body count even if other lines are not points.
 * Throws when the body does not come to its end.
 */
export async function takeBody(
  request: IncomingMessage,
  wanted: WriteRequest,
  intake: PointIntake,
  from: string
): Promise<WriteFault | undefined> {
  const body = new TakenBody(wanted, intake, from);
  try {
    return (await body.take(request)) ?? ((await intake.untilDurable()) ? body.refused.describe() : NO_DISK);
  } catch (error) {
    if (!isBadCompression(error)) throw error;
    return { status: 400, code: 'invalid', message: `cannot read the gzip body: ${error.message}` };
  }
}

/** One body on its way into the queue. */
class TakenBody {
  readonly refused = new RefusedLines();
  readonly #wanted: WriteRequest;
  readonly #intake: PointIntake;
  readonly #from: string;
  #receivedBytes = 0;

  constructor(wanted: WriteRequest, intake: PointIntake, from: string) {
    this.#wanted = wanted;
    this.#intake = intake;
    this.#from = from;
  }

  /** Returns why the body was not read to its end. Lines that are not points do not count. */
  async take(request: IncomingMessage): Promise<WriteFault | undefined> {
    const stream = this.#intake.openStream(this.#wanted.precision, this.#wanted.hasRows);
    const unpacked = this.#wanted.isCompressed ? unpack(request) : undefined;
    request.on('data', ({ length }: Buffer) => this.#count(length));
    let bytes = 0;
    try {
      // Unread bytes must not end the connection, as an answer is still to be sent.
      const chunks = (unpacked ?? request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (this.#wanted.isCompressed && bytes > maxUnpackedBytes(this.#receivedBytes)) return TOO_LARGE;
        if (!(await this.#add(chunk.length, (into) => stream.push(chunk, into)))) return NO_ROOM;
        if (this.refused.areTooMany) return undefined;
      }
      return (await this.#add(0, (into) => stream.end(into))) ? undefined : NO_ROOM;
    } finally {
      stream.drop();
      if (unpacked !== undefined) request.unpipe(unpacked);
      unpacked?.destroy();
    }
  }

  #count(bytes: number): void {
    this.#receivedBytes += bytes;
    this.#intake.countBytes(bytes);
  }

  async #add(receivedBytes: number, read: (into: TranslatedPoints) => void): Promise<boolean> {
    const translated = new TranslatedPoints(this.#from, receivedBytes, this.refused.room);
    read(translated);
    if (!(await addInTime(translated, this.#intake))) return false;
    this.refused.add(translated);
    return true;
  }
}

function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(MAX_UNPACKED_BYTES, Math.max(SMALL_UNPACKED_BYTES, packedBytes * MAX_UNPACKED_RATIO));
}

function unpack(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  request.on('error', (error) => gunzip.destroy(error));
  return request.pipe(gunzip);
}

function isBadCompression(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('Z_');
}

async function addInTime(translated: TranslatedPoints, intake: PointIntake): Promise<boolean> {
  if (intake.add(translated)) return true;
  const isAdded = await withDeadline(PATIENCE_MS, [], (late) => intake.addWhenRoom(translated, late));
  if (!isAdded) translated.drop();
  return isAdded;
}
