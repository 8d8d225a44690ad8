import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@joblens/core/result/result';
import { createSystemClock } from '../clock/clock.js';
import { readHostFacts } from '../host/host-facts.js';
import { type Delivery, type DeliveryOptions, openDelivery } from './delivery.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-output-'));
const noFolder = join(folder, 'a-file');
writeFileSync(noFolder, '');
afterAll(() => rmSync(folder, { recursive: true }));

const INFLUXDB = { 'x-influxdb-version': '1.8.10' };
const NO_SPOOL = `the spool folder ${noFolder} is not a folder: choose another one with --spool`;

async function open(
  role: DeliveryOptions['role'],
  url: string,
  spoolRoot = noFolder
): Promise<{ output: Result<Delivery, string>; said: string[] }> {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const output = await openDelivery({
    destination: { kind: 'influxdb', connection: { url, bucket: 'b', api: 'v1', timeoutMs: 1000 } },
    role,
    bufferBytes: 1000,
    spool: { root: spoolRoot, maxBytes: 1e6 },
    rejectedPath: join(folder, 'rejected.lp'),
    hostFacts: () => readHostFacts(process.pid, process.geteuid?.() ?? 0),
    stdout: { write: () => Promise.resolve(true) },
    clock: createSystemClock(),
    random: Math.random,
    report: { error: say, warn: say, info: say, debug: () => undefined },
  });
  return { output, said };
}

const record = (text: string) => ({ bytes: Buffer.from(text), points: 1, states: [], isUrgent: false });

describe('openDelivery where the spool cannot be opened', () => {
  it('sends the points of a job from memory, and says so once', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.writeHead(204, INFLUXDB).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { output, said } = await open('job', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    if (!output.ok) throw new Error(output.error);
    output.value.queue.append(record('m a=1 1\n'));
    expect(await output.value.close(5000)).toBe(true);
    expect(bodies).toEqual(['m a=1 1\n']);
    expect(said).toEqual([`${NO_SPOOL}; until then points wait in memory, and are lost with this process`]);
    server.closeAllConnections();
    server.close();
  });

  it('waits for an InfluxDB that is away as long as it may, then says what is lost', async () => {
    const { output, said } = await open('job', 'http://127.0.0.1:1');
    if (!output.ok) throw new Error(output.error);
    output.value.queue.append(record('m a=1 1\n'));
    const startedMs = Date.now();
    expect(await output.value.close(1200)).toBe(false);
    expect(Date.now() - startedMs).toBeGreaterThan(1000);
    expect(said.at(-1)).toBe(
      'could not send 1 point to InfluxDB at http://127.0.0.1:1: lost, as no spool keeps what waits'
    );
  });

  it('keeps a bounded number of points', async () => {
    const { output } = await open('job', 'http://127.0.0.1:1');
    if (!output.ok) throw new Error(output.error);
    const { queue } = output.value;
    expect([queue.append(record('x'.repeat(600))), queue.append(record('x'.repeat(600)))]).toEqual([true, false]);
    await output.value.close(0);
  });

  it('is refused to a watch, which would log everything anew without what it knew', async () => {
    expect((await open('watch', 'http://127.0.0.1:1')).output).toEqual({ ok: false, error: NO_SPOOL });
  });
});

it('does not wait for a store that it finds away only while a job ends, as the spool keeps the points', async () => {
  const { output, said } = await open('job', 'http://127.0.0.1:1', mkdtempSync(join(folder, 'spool-')));
  if (!output.ok) throw new Error(output.error);
  output.value.queue.append(record('m a=1 1\n'));
  const startedMs = Date.now();
  expect(await output.value.close(60_000)).toBe(false);
  expect(Date.now() - startedMs).toBeLessThan(30_000);
  expect(said.at(-1)).toMatch(/^could not send 1 point to InfluxDB at .* sends what waits in /);
});

it('sends the rest to a store that comes back while a job ends', async () => {
  const bodies: string[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.url === '/ping') return void response.writeHead(204, INFLUXDB).end();
    requests += 1;
    if (requests === 1) return void request.socket.destroy();
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    // The first request after the fault is answered at once; the next takes longer than a store that is away may.
    const delayMs = requests === 2 ? 0 : 900;
    request.on('end', () => setTimeout(() => response.writeHead(204, INFLUXDB).end(), delayMs));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { output, said } = await open('job', url, mkdtempSync(join(folder, 'spool-')));
  if (!output.ok) throw new Error(output.error);
  const delivery = output.value;
  delivery.queue.append(record('m a=1 1\n'));
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  delivery.queue.append(record('m a=2 2\n'));
  expect(await delivery.close(10_000)).toBe(true);
  expect(bodies.join('')).toBe('m a=1 1\nm a=2 2\n');
  server.closeAllConnections();
  server.close();
});

it('keeps the points in the spool while somebody else says 204, and sends them once a store answers', async () => {
  const bodies: string[] = [];
  let headers = {};
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST' && 'x-influxdb-version' in headers) bodies.push(body);
      response.writeHead(204, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spoolRoot = mkdtempSync(join(folder, 'spool (b) '));
  const portal = await open('job', url, spoolRoot);
  if (!portal.output.ok) throw new Error(portal.output.error);
  const delivery = portal.output.value;
  delivery.queue.append(record('m a=1 1\n'));
  while (portal.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(delivery.sending.isHealthy).toBe(false);
  expect(await delivery.close(60_000)).toBe(false);
  expect(portal.said).toEqual([
    expect.stringMatching(/^what answers at .* but nothing shows that it is a store .*; points wait; check /),
    expect.stringMatching(/^could not send 1 point to InfluxDB at .* sends what waits in /),
  ]);

  headers = INFLUXDB;
  const store = await open('job', url, spoolRoot);
  if (!store.output.ok) throw new Error(store.output.error);
  while (bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await store.output.value.close(10_000)).toBe(true);
  expect(bodies).toEqual(['m a=1 1\n']);
  server.closeAllConnections();
  server.close();
});
