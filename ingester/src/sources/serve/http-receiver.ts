import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Result } from '@joblens/core';
import { ok } from '@joblens/core';
import { withDeadline } from '../../clock/deadline.js';
import type { ListenAddress } from '../../listen.js';
import type { Receiver, ReceiverOptions } from './receiver.js';
import { formatPeer, listenForPoints } from './receiver.js';
import { Refusals } from './refusals.js';
import { Turns } from './turns.js';
import { takeBody } from './write-body.js';
import type { WriteFault, WriteRules } from './write-request.js';
import { isV2Path, isWritePath, readWriteRequest } from './write-request.js';

/** So many bodies are read at once; the others wait in their sockets. */
const BODIES_AT_ONCE = 32;
/** One that comes more slowly must not keep the others waiting. */
const REQUEST_MS = 60_000;
const RETRY_AFTER_S = 5;
/** How long requests that are under way may take at the end. */
const CLOSE_MS = 3000;
/** Clients look at it to know what the server can. */
const VERSION = '1.8-joblens';

export interface HttpReceiverOptions extends ReceiverOptions {
  readonly rules: WriteRules;
}

/**
 * Answers POST /write and POST /api/v2/write as InfluxDB does, and GET /ping and GET /health. 204 says that no crash can lose the points any
 * more. The error is one line for the user.
 */
export async function startHttpReceiver(
  address: ListenAddress,
  options: HttpReceiverOptions
): Promise<Result<Receiver, string>> {
  const { report } = options;
  const turns = new Turns(BODIES_AT_ONCE);
  const refusals = new Refusals(report);
  const server = createServer((request, response) => {
    answer(request, response, options, { turns, refusals }).catch((error: unknown) => {
      report.debug(`a request from ${formatPeer(request.socket)} was not answered: ${String(error)}`);
      response.destroy();
    });
  });
  server.requestTimeout = REQUEST_MS;
  const listening = await listenForPoints(server, 'http', address, report);
  if (!listening.ok) return listening;
  return ok({
    name: listening.value,
    close: () =>
      withDeadline(CLOSE_MS, [], (late) => {
        late.addEventListener('abort', () => server.closeAllConnections());
        return new Promise((resolve) => void server.close(() => resolve()));
      }),
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { intake, rules }: HttpReceiverOptions,
  { turns, refusals }: { readonly turns: Turns; readonly refusals: Refusals }
): Promise<void> {
  response.setHeader('X-Influxdb-Version', VERSION);
  const { method = '', headers, socket } = request;
  const url = new URL(request.url ?? '/', 'http://joblens');
  if (method === 'POST' && isWritePath(url)) {
    const wanted = readWriteRequest(url, headers, rules);
    if (!wanted.ok) refusals.note(wanted.error.message, formatPeer(socket));
    const fault = wanted.ok
      ? await turns.take(() => takeBody(request, wanted.value, intake, formatPeer(socket)))
      : wanted.error;
    if (fault !== undefined) sendFault(response, url, fault);
    else response.writeHead(204).end();
    return;
  }
  if (url.pathname === '/ping' && (method === 'GET' || method === 'HEAD')) response.writeHead(204).end();
  else if (url.pathname === '/health' && method === 'GET') sendJson(response, 200, HEALTH);
  else sendFault(response, url, NOT_HERE);
}

const HEALTH = { name: 'influxdb', message: 'ready for writes', status: 'pass', checks: [] };

const NOT_HERE: WriteFault = {
  status: 404,
  code: 'not found',
  message: 'joblens takes points here: POST /write or /api/v2/write; queries go to InfluxDB',
};

/** As InfluxDB 1.x or 2.x says it, by the address that was asked. */
function sendFault(response: ServerResponse, url: URL, { status, code, message }: WriteFault): void {
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER_S);
  if (isV2Path(url)) sendJson(response, status, { code, message });
  else {
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="InfluxDB"');
    response.setHeader('X-Influxdb-Error', message.replace(/[^\x20-\x7e]/g, ' ').slice(0, 1000));
    sendJson(response, status, { error: message });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
