// A server that takes points, fast or slowly, and forgets them. It plays InfluxDB when only the memory of joblens
// counts.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers';

const SLOW_MS = 2000;

/** @param {'away' | 'slow' | 'ready'} kind @returns {Promise<{ url: string, stop: () => void }>} */
export async function startStore(kind) {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const delayMs = kind === 'slow' && request.method === 'POST' ? SLOW_MS : 0;
      setTimeout(() => response.writeHead(204, { 'x-influxdb-version': '1.8.10' }).end(), delayMs);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  // Now nobody listens there.
  if (kind === 'away') stop();
  return { url: `http://127.0.0.1:${port}`, stop };
}
