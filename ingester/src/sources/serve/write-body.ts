import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { withDeadline } from '../../clock/deadline.js';
import type { PointIntake } from './point-intake.js';
import { TranslatedPoints } from './translated-points.js';
import type { WriteFault, WriteRequest } from './write-request.js';

/** How long a request waits for room before it is sent away. */
const PATIENCE_MS = 2000;
const CHUNK_BYTES = 64 * 1024;
const MAX_REASONS = 10;

const NO_ROOM: WriteFault = { status: 503, code: 'unavailable', message: 'the spool is full: send it again later' };
const NO_DISK: WriteFault = {
  status: 503,
  code: 'unavailable',
  message: 'the disk of the spool cannot be written: send it again later',
};

/**
 * Queues the points of a body while it comes, so that its size does not matter, and waits until no crash can lose them. Returns what is
 * wrong, in InfluxDB's words where it has any: the good points of a body count also where others are none. Throws when the body does not
 * come to its end.
 */
export async function takeBody(
  request: IncomingMessage,
  wanted: WriteRequest,
  intake: PointIntake,
  from: string
): Promise<WriteFault | undefined> {
  const stream = intake.openStream(wanted.precision);
  const invalid: string[] = [];
  let points = 0;
  const add = async (translated: TranslatedPoints): Promise<boolean> => {
    if (!(await addInTime(translated, intake))) return false;
    points += translated.points;
    for (const { line, reason } of translated.invalid.slice(0, MAX_REASONS - invalid.length)) {
      invalid.push(`unable to parse '${line.toString()}': ${reason}`);
    }
    return true;
  };
  try {
    for await (const chunk of openBody(request, wanted, intake)) {
      const translated = new TranslatedPoints(from, chunk.length);
      stream.push(chunk, translated);
      if (!(await add(translated))) return NO_ROOM;
    }
    const last = new TranslatedPoints(from);
    stream.end(last);
    if (!(await add(last))) return NO_ROOM;
  } catch (error) {
    if (!isBadCompression(error)) throw error;
    return { status: 400, code: 'invalid', message: `cannot read the gzip body: ${error.message}` };
  } finally {
    stream.drop();
  }
  if (!(await intake.untilDurable())) return NO_DISK;
  return describeInvalid(points, invalid);
}

/** The bytes of the body, unpacked. What is not read of it does not end the connection: there is an answer to be sent. */
function openBody(
  request: IncomingMessage,
  { isCompressed }: WriteRequest,
  intake: PointIntake
): AsyncIterable<Buffer> {
  const body = isCompressed ? unpack(request) : request;
  request.on('data', (chunk: Buffer) => intake.countBytes(chunk.length));
  return body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function unpack(request: IncomingMessage): Readable {
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

function describeInvalid(points: number, invalid: readonly string[]): WriteFault | undefined {
  if (invalid.length === 0) return undefined;
  const found = invalid.join('\n');
  const message = points === 0 ? found : `partial write: ${found} dropped=0`;
  return { status: 400, code: 'invalid', message };
}
