import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseLineProtocol } from '@joblens/core';
import type { Precision } from '@joblens/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError, sendV2Error } from './http-error.js';
import type { V2ErrorCode } from './http-error.js';
import type { Store } from './store.js';

const gunzipAsync = promisify(gunzip);

/** InfluxDB's max-body-size; the unpacked text may be larger, which InfluxDB does not bound at all. */
export const MAX_BODY_BYTES = 25_000_000;
const MAX_TEXT_BYTES = 100_000_000;

const CONSISTENCY_LEVELS = ['', 'any', 'one', 'quorum', 'all'];

/** Any other text means nanoseconds, as in InfluxDB 1.x. */
const PRECISIONS: Readonly<Record<string, Precision>> = { u: 'us', us: 'us', ms: 'ms', s: 's', m: 'm', h: 'h' };
const V2_PRECISIONS: readonly string[] = ['ns', 'us', 'ms', 's'];

export interface WriteClock {
  readonly nowNs: () => bigint;
}

type WriteFault = { readonly status: number; readonly code: V2ErrorCode; readonly message: string };

/** POST /write of InfluxDB 1.x. */
export async function answerWrite(
  store: Store,
  clock: WriteClock,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, string | undefined>>;
  const { db: database = '', rp: policy = '', consistency = '', precision = '' } = query;
  if (database === '') return sendError(reply, 400, 'database is required');
  if (!store.catalog.databases.has(database)) return sendError(reply, 404, `database not found: "${database}"`);
  if (!CONSISTENCY_LEVELS.includes(consistency)) return sendError(reply, 400, 'invalid consistency level');
  if (policy !== '' && policy !== 'autogen') return sendError(reply, 500, `retention policy not found: ${policy}`);
  const fault = await write(store, clock, request, { database, precision: PRECISIONS[precision] ?? 'ns' });
  return fault ? sendError(reply, fault.status, fault.message) : reply.code(204).type('application/json').send();
}

/** POST /api/v2/write of InfluxDB 2.x; `org` is not looked at, `bucket` may be `database/autogen` as in 1.8. */
export async function answerV2Write(
  store: Store,
  clock: WriteClock,
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
  const fault = await write(store, clock, request, { database, precision: precision as Precision });
  if (!fault) return reply.code(204).send();
  const isDropped = fault.message.startsWith('partial write') && fault.code === 'unprocessable entity';
  return sendV2Error(
    reply,
    isDropped ? 422 : fault.status,
    isDropped ? 'unprocessable entity' : fault.code,
    fault.message
  );
}

/** Writes the good points of a body; what was wrong with the others comes back. */
async function write(
  store: Store,
  clock: WriteClock,
  request: FastifyRequest,
  { database, precision }: { readonly database: string; readonly precision: Precision }
): Promise<WriteFault | undefined> {
  const text = await readText(request);
  if (typeof text !== 'string') return text;
  const { points, errors } = parseLineProtocol(text, { precision, defaultTimeNs: clock.nowNs() });
  const parseFault = errors.map(({ message }) => message).join('\n');
  if (points.length === 0) {
    return parseFault === '' ? undefined : { status: 400, code: 'invalid', message: parseFault };
  }
  const outcome = await store.write(database, points);
  if (outcome.kind === 'database-not-found') {
    return { status: 404, code: 'not found', message: `database not found: "${database}"` };
  }
  if (outcome.dropped) {
    const { reason, count } = outcome.dropped;
    const message = `partial write: ${reason} dropped=${count}`;
    return { status: 400, code: 'unprocessable entity', message };
  }
  if (parseFault === '') return undefined;
  return { status: 400, code: 'invalid', message: `partial write: ${parseFault} dropped=0` };
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
