import { createServer, type ServerResponse } from 'node:http';
import { err, ok, type Result } from '@joblens/core/result/result';
import { boundAddress, formatAddress, listen, type ListenAddress } from '../net/listen.js';
import { createMetrics } from './metrics.js';
import { judgeHealth, type Status } from './status.js';

export interface HealthServer {
  /** Its address, with the port that was found if any free one was asked for. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers GET /health (200 or 503, JSON `{"status": …, "problems": […], "faults": …}`) and GET /metrics (Prometheus'
 * text format). The error is one line for the user.
 */
export async function startHealthServer(address: ListenAddress, status: Status): Promise<Result<HealthServer, string>> {
  const metrics = createMetrics(status);
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD') answer(response, 405, 'text/plain', 'only GET\n');
    else if (path === '/health') answerHealth(response, status);
    else if (path === '/metrics') {
      metrics.format().then(
        (text) => answer(response, 200, metrics.contentType, text),
        (error: unknown) => answer(response, 500, 'text/plain', `${String(error)}\n`)
      );
    } else answer(response, 404, 'text/plain', 'here are /health and /metrics\n');
  });
  const failure = await listen(server, address);
  if (failure !== undefined) {
    return err(
      `cannot answer /health and /metrics on ${formatAddress(address)}: ${failure}; give another --health HOST:PORT, or off`
    );
  }
  // Open requests about its health must not keep a daemon from ending.
  server.unref();
  return ok({
    url: `http://${formatAddress(boundAddress(server, address))}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  });
}

function answerHealth(response: ServerResponse, status: Status): void {
  const { isHealthy, problems } = judgeHealth(status);
  const { faults } = status.delivery.counters;
  const body = { status: isHealthy ? 'ok' : 'failing', problems, faults };
  answer(response, isHealthy ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`);
}

function answer(response: ServerResponse, code: number, type: string, body: string): void {
  response.writeHead(code, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}
