import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ok, type Result } from '@joblens/core/result/result';
import { withDeadline } from '../../clock/deadline.js';
import { isSystemError } from '../../host/describe-fault.js';
import { createLimitedServer, readTarget, sendJson } from '../../net/limited-server.js';
import type { ListenAddress } from '../../net/listen.js';
import { formatPeer, listenForPoints, type Receiver, type ReceiverOptions } from './receiver.js';
import { Refusals } from './refusals.js';
import { takeBody } from './write-body.js';
import {
  checkSender,
  isV2Path,
  isWritePath,
  readWriteRequest,
  type WriteFault,
  type WriteRules,
} from './write-request.js';

const RETRY_AFTER_S = 5;
/** How long running requests may take at the end. */
const CLOSE_MS = 3000;
/** Clients read it to know what the server can do. */
const VERSION = '1.8-joblens';

interface HttpReceiverOptions extends ReceiverOptions {
  readonly rules: WriteRules;
}

/**
 * Answers POST /write and POST /api/v2/write as InfluxDB does, and GET /ping and GET /health. 204 means that no crash
 * can lose the points any more. The error is one line for the user.
 */
export async function startHttpReceiver(
  address: ListenAddress,
  options: HttpReceiverOptions
): Promise<Result<Receiver, string>> {
  const server = createHttpServer(options);
  const listening = await listenForPoints(server, 'http', address, options.report);
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

function createHttpServer(options: HttpReceiverOptions): Server {
  const { clock, report } = options;
  const refusals = new Refusals(report, () => clock.monotonicMs());
  return createLimitedServer({
    clock,
    report,
    async answer(request, response) {
      try {
        await answer(request, response, options, refusals);
      } catch (error) {
        // A request that its sender did not cut off can fail only here.
        const isCutOff = request.destroyed && !request.complete;
        if (!isCutOff && !isSystemError(error)) options.intake.noteFault('HTTP', error);
        report.debug(`a request from ${formatPeer(request.socket)} was not answered: ${String(error)}`);
        throw error;
      }
    },
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpReceiverOptions,
  refusals: Refusals
): Promise<void> {
  response.setHeader('X-Influxdb-Version', VERSION);
  const { method = '', headers } = request;
  const url = readTarget(request);
  if (url === undefined) {
    sendJson(response, 400, { error: 'the target of the request is no path' });
  } else if (method === 'POST' && isWritePath(url)) {
    const fault = await takeWrite(request, response, url, options, refusals);
    if (fault === undefined) response.writeHead(204).end();
    else sendFault(response, url, fault);
  } else {
    const stranger = checkSender(headers, options.rules);
    if (stranger !== undefined) sendFault(response, url, stranger);
    else if (url.pathname === '/ping' && (method === 'GET' || method === 'HEAD')) response.writeHead(204).end();
    else if (url.pathname === '/health' && method === 'GET') sendJson(response, 200, HEALTH);
    else sendFault(response, url, NOT_HERE);
  }
}

/** Reads nothing of the body before its sender is known to be allowed to write. */
async function takeWrite(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { intake, rules }: HttpReceiverOptions,
  refusals: Refusals
): Promise<WriteFault | undefined> {
  const { headers, socket } = request;
  const wanted = readWriteRequest(url, headers, rules);
  if (!wanted.ok) {
    refusals.note(wanted.error.message, formatPeer(socket));
    return wanted.error;
  }
  if (headers.expect !== undefined) response.writeContinue();
  return takeBody(request, wanted.value, intake, formatPeer(socket));
}

const HEALTH = { name: 'influxdb', message: 'ready for writes', status: 'pass', checks: [] };

const NOT_HERE: WriteFault = {
  status: 404,
  code: 'not found',
  message: 'joblens accepts points here: POST /write or /api/v2/write; send queries to InfluxDB',
};

/** In the form of InfluxDB 1.x or 2.x, depending on the path of the request. */
function sendFault(response: ServerResponse, url: URL, { status, code, message }: WriteFault): void {
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER_S);
  if (isV2Path(url)) sendJson(response, status, { code, message });
  else {
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="InfluxDB"');
    response.setHeader('X-Influxdb-Error', message.replace(/[^\x20-\x7e]/g, ' ').slice(0, 1000));
    sendJson(response, status, { error: message });
  }
}
