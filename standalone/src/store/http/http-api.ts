import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { sendError, sendV2Error } from './http-error.js';
import { answerQuery } from './http-query.js';
import { answerV2Write, answerWrite, MAX_BODY_BYTES } from './http-write.js';
import { MadeRows, type MadeRowsOptions } from './made-rows.js';
import { MAX_QUERY_BODY_BYTES, QUERY_TIMEOUT_MS } from '../query/values/limits.js';
import type { Store } from '../kept/store.js';
import { WriteSlots } from './write-slots.js';

export interface InfluxApiOptions {
  /** Decides about every request except /ping and /health, which InfluxDB answers to everyone. */
  readonly isAuthorized: (request: FastifyRequest) => boolean | Promise<boolean>;
  /**
   * Leaves out everything that changes the store: the routes for writing, and all statements except SELECT and SHOW.
   */
  readonly isReadOnly?: boolean;
  readonly nowNs?: () => bigint;
  /** Makes rows of points that name a job; without it, they are points alone. */
  readonly rows?: Pick<MadeRowsOptions, 'user' | 'warn'>;
  readonly queryTimeoutMs?: number;
  /** Clients read the number to learn what the server can do. */
  readonly version?: string;
}

/** The semantics are those of 1.6, the endpoints those of 1.8; `joblens` tells it from the real one. */
const VERSION = '1.8-joblens';

/** InfluxDB's HTTP API over a store: /ping, /health, /write, /api/v2/write and /query. */
export async function registerInfluxApi(
  fastify: FastifyInstance,
  store: Store,
  options: InfluxApiOptions
): Promise<void> {
  const nowNs = options.nowNs ?? ((): bigint => BigInt(Date.now()) * NS_PER_MS);
  const isReadOnly = options.isReadOnly ?? false;
  const rows = isReadOnly ? undefined : openRows(store, options);
  if (rows !== undefined) fastify.addHook('onClose', () => rows.close());
  const writing = { nowNs, rows };
  const rules = { nowNs, isReadOnly, timeoutMs: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS };
  await fastify.register((api: FastifyInstance, _registerOptions: object, done: () => void) => {
    prepare(api, options.version ?? VERSION);
    api.route({ method: ['GET', 'HEAD'], url: '/ping', handler: (_request, reply) => reply.code(204).send() });
    api.get('/health', (_request, reply) => reply.send(HEALTH));
    void api.register((guarded: FastifyInstance, _guardOptions: object, guardDone: () => void) => {
      guarded.addHook('onRequest', async (request, reply) => {
        if (!(await options.isAuthorized(request))) await refuse(request, reply);
      });
      const bodyLimit = MAX_QUERY_BODY_BYTES;
      guarded.get('/query', (request, reply) => answerQuery(store, rules, request, reply));
      guarded.post('/query', { bodyLimit }, (request, reply) => answerQuery(store, rules, request, reply));
      if (!isReadOnly) {
        const slots = new WriteSlots();
        const preParsing = (_request: FastifyRequest, reply: FastifyReply): Promise<void> => slots.take(reply);
        const limits = { bodyLimit: MAX_BODY_BYTES, preParsing };
        guarded.post('/write', limits, (request, reply) => answerWrite(store, writing, request, reply));
        guarded.post('/api/v2/write', limits, (request, reply) => answerV2Write(store, writing, request, reply));
      }
      guardDone();
    });
    done();
  });
}

function openRows(store: Store, { rows }: InfluxApiOptions): MadeRows | undefined {
  if (rows === undefined) return undefined;
  return new MadeRows(store, { ...rows, nowMs: () => Date.now(), monotonicMs: () => performance.now() });
}

const HEALTH = {
  name: 'influxdb',
  message: 'ready for queries and writes',
  status: 'pass',
  checks: [],
  version: VERSION,
};

/**
 * Reads bodies as bytes, whatever their type. Gives every answer InfluxDB's headers, and every error InfluxDB's shape.
 */
function prepare(api: FastifyInstance, version: string): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  api.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'X-Influxdb-Version': version, 'X-Influxdb-Build': 'joblens' });
    done();
  });
  api.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'Cannot answer a request');
    const message = status === 413 ? 'Request Entity Too Large' : error.message;
    if (!isV2(request)) return sendError(reply, status, message);
    return sendV2Error(reply, status, status === 413 ? 'request too large' : 'internal error', message);
  });
}

function isV2(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/v2/');
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isV2(request)) return sendV2Error(reply, 401, 'unauthorized', 'unauthorized access');
  return sendError(reply.header('WWW-Authenticate', 'Basic realm="InfluxDB"'), 401, 'authorization failed');
}
