import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type LineProtocolError,
  type LineProtocolOptions,
  scanLineProtocol,
} from '@joblens/core/point/parse-line-protocol';
import type { Point } from '@joblens/core/point/point';
import type { Precision } from '@joblens/core/point/timestamp';
import { ROWS_HEADER } from '@joblens/ingester/rows-header';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError, sendV2Error, shorten, type V2ErrorCode } from './http-error.js';
import type { MadeRows } from './made-rows.js';
import type { Store, WriteOutcome } from '../kept/store.js';
import type { DroppedPoints } from '../kept/write-batch.js';

const gunzipAsync = promisify(gunzip);

/** InfluxDB's max-body-size. Here it also limits the unpacked text, which InfluxDB does not limit at all. */
export const MAX_BODY_BYTES = 25_000_000;
const MAX_TEXT_BYTES = 25_000_000;

const CONSISTENCY_LEVELS = ['', 'any', 'one', 'quorum', 'all'];

/** Any other text means nanoseconds, as in InfluxDB 1.x. */
const PRECISIONS: Readonly<Record<string, Precision>> = { u: 'us', us: 'us', ms: 'ms', s: 's', m: 'm', h: 'h' };
const V2_PRECISIONS: readonly string[] = ['ns', 'us', 'ms', 's'];

export interface WriteWays {
  readonly nowNs: () => bigint;
  /** Makes rows of points that name a job. */
  readonly rows?: MadeRows | undefined;
}

type WriteFault = { readonly status: number; readonly code: V2ErrorCode; readonly message: string };

/** POST /write of InfluxDB 1.x. */
export async function answerWrite(
  store: Store,
  ways: WriteWays,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, string | undefined>>;
  const { db: database = '', rp: policy = '', consistency = '', precision = '' } = query;
  if (database === '') return sendError(reply, 400, 'database is required');
  if (!store.catalog.databases.has(database)) return sendError(reply, 404, `database not found: "${database}"`);
  if (!CONSISTENCY_LEVELS.includes(consistency)) return sendError(reply, 400, 'invalid consistency level');
  if (policy !== '' && policy !== 'autogen') return sendError(reply, 500, `retention policy not found: ${policy}`);
  const fault = await write(store, ways, request, { database, precision: PRECISIONS[precision] ?? 'ns' });
  return fault ? sendError(reply, fault.status, fault.message) : reply.code(204).type('application/json').send();
}

/** POST /api/v2/write of InfluxDB 2.x. `org` is ignored; `bucket` may be `database/autogen`, as in 1.8. */
export async function answerV2Write(
  store: Store,
  ways: WriteWays,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { bucket = '', precision = 'ns' } = request.query as Readonly<Record<string, string | undefined>>;
  const database = bucket.endsWith('/autogen') ? bucket.slice(0, -'/autogen'.length) : bucket;
  if (database === '') return sendV2Error(reply, 400, 'invalid', 'bucket is required');
  if (!V2_PRECISIONS.includes(precision)) {
    return sendV2Error(reply, 400, 'invalid', 'invalid precision; valid precision units are ns, us, ms, and s');
  }
  if (!store.catalog.databases.has(database)) {
    return sendV2Error(reply, 404, 'not found', `bucket "${bucket}" not found`);
  }
  const fault = await write(store, ways, request, { database, precision: precision as Precision });
  if (!fault) return reply.code(204).send();
  const isDropped = fault.message.startsWith('partial write') && fault.code === 'unprocessable entity';
  return sendV2Error(
    reply,
    isDropped ? 422 : fault.status,
    isDropped ? 'unprocessable entity' : fault.code,
    fault.message
  );
}

/** Number of points in a slice. Other requests get their turn between slices. */
const SLICE_POINTS = 10_000;
const SLICE_MS = 20;
/** Beyond this, an answer only counts the bad lines; InfluxDB repeats all of them. */
const MAX_FAULT_CHARS = 60_000;

/** Writes the good points of a body; returns what is wrong with the others. */
async function write(
  store: Store,
  ways: WriteWays,
  request: FastifyRequest,
  { database, precision }: { readonly database: string; readonly precision: Precision }
): Promise<WriteFault | undefined> {
  const text = await readText(request);
  if (typeof text !== 'string') return text;
  const faults = new LineFaults();
  let isAnyPoint = false;
  let dropped: DroppedPoints | undefined;
  const rows = request.headers[ROWS_HEADER] === undefined ? ways.rows : undefined;
  for await (const points of readSlices(text, { precision, defaultTimeNs: ways.nowNs() }, faults)) {
    if (points.length === 0) continue;
    isAnyPoint = true;
    const outcome = await writeSlice(store, rows, database, points);
    if (outcome.kind === 'database-not-found') {
      return { status: 404, code: 'not found', message: `database not found: "${database}"` };
    }
    dropped = addDropped(dropped, outcome.dropped);
  }
  if (!isAnyPoint) return faults.text === '' ? undefined : { status: 400, code: 'invalid', message: faults.text };
  if (dropped) {
    const message = `partial write: ${dropped.reason} dropped=${dropped.count}`;
    return { status: 400, code: 'unprocessable entity', message };
  }
  if (faults.text === '') return undefined;
  return { status: 400, code: 'invalid', message: `partial write: ${faults.text} dropped=0` };
}

function addDropped(before: DroppedPoints | undefined, now: DroppedPoints | undefined): DroppedPoints | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  return { reason: before.reason, count: before.count + now.count };
}

/** Writes the points, with their rows where these are to be made. */
function writeSlice(
  store: Store,
  rows: MadeRows | undefined,
  database: string,
  points: readonly Point[]
): Promise<WriteOutcome> {
  if (rows === undefined) return store.write(database, points);
  const made = rows.make(database, points);
  return store.write(database, made.points, made.states);
}

/** The message about the lines that are not points. */
class LineFaults {
  #text = '';
  #untold = 0;

  add({ message }: LineProtocolError): void {
    const isRoom = this.#untold === 0 && this.#text.length + message.length < MAX_FAULT_CHARS;
    if (isRoom) this.#text += this.#text === '' ? message : `\n${message}`;
    else if (this.#text === '') this.#text = shorten(message, MAX_FAULT_CHARS);
    else this.#untold += 1;
  }

  get text(): string {
    return this.#untold === 0 ? this.#text : `${this.#text}\n(and ${this.#untold} more lines)`;
  }
}

/** A slice ends after so many points or so much time: lines that are not points take time too. */
async function* readSlices(text: string, options: LineProtocolOptions, faults: LineFaults): AsyncGenerator<Point[]> {
  let points: Point[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const part of scanLineProtocol(text, options)) {
    if (part.kind === 'error') faults.add(part.error);
    else points.push(part.point);
    const isEnd = points.length >= SLICE_POINTS;
    if (isEnd) {
      yield points;
      points = [];
    } else if (performance.now() < sliceEndMs) continue;
    await setImmediate();
    sliceEndMs = performance.now() + SLICE_MS;
  }
  yield points;
}

async function readText(request: FastifyRequest): Promise<string | WriteFault> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (request.headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await gunzipAsync(body, { maxOutputLength: MAX_TEXT_BYTES })).toString('utf8');
  } catch (error) {
    const isTooLarge = (error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return { status: 413, code: 'request too large', message: 'Request Entity Too Large' };
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 400, code: 'invalid', message: `cannot read the gzip body: ${reason}` };
  }
}
