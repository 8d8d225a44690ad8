import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError, sendV2Error } from './http-error.js';
import { answerQuery } from './http-query.js';
import { answerV2Write, answerWrite, MAX_BODY_BYTES } from './http-write.js';
import type { Store } from './store.js';

export interface InfluxApiOptions {
  /** Decides about every request but /ping and /health, which InfluxDB answers to everyone. */
  readonly isAuthorized: (request: FastifyRequest) => boolean | Promise<boolean>;
  readonly nowNs?: () => bigint;
  /** Clients look at the number to know what the server can. */
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
  const clock = { nowNs: options.nowNs ?? ((): bigint => BigInt(Date.now()) * 1_000_000n) };
  await fastify.register((api: FastifyInstance, _registerOptions: object, done: () => void) => {
    prepare(api, options.version ?? VERSION);
    api.route({ method: ['GET', 'HEAD'], url: '/ping', handler: (_request, reply) => reply.code(204).send() });
    api.get('/health', (_request, reply) => reply.send(HEALTH));
    void api.register((guarded: FastifyInstance, _guardOptions: object, guardDone: () => void) => {
      guarded.addHook('onRequest', async (request, reply) => {
        if (!(await options.isAuthorized(request))) await refuse(request, reply);
      });
      guarded.post('/write', (request, reply) => answerWrite(store, clock, request, reply));
      guarded.post('/api/v2/write', (request, reply) => answerV2Write(store, clock, request, reply));
      guarded.get('/query', (request, reply) => answerQuery(store, clock, request, reply));
      guarded.post('/query', (request, reply) => answerQuery(store, clock, request, reply));
      guardDone();
    });
    done();
  });
}

const HEALTH = {
  name: 'influxdb',
  message: 'ready for queries and writes',
  status: 'pass',
  checks: [],
  version: VERSION,
};

/** Bodies as bytes whatever their type says, InfluxDB's headers on every answer and its shape on every error. */
function prepare(api: FastifyInstance, version: string): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body)
  );
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
