import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import type { PointBatch } from '../../queue/point-queue.js';
import { startDelivery } from '../../testing/delivery.js';
import { isLoopback } from './connection.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import { createInfluxdbSink } from './influxdb-sink.js';

/** An address of this machine that is not known as one. */
const asRemote = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');
const never = new AbortController().signal;

function batchOf(points: number): PointBatch {
  const lines = Array.from({ length: points }, (_, i) => `m a=${i} ${i + 1}\n`);
  return { bytes: Buffer.from(lines.join('')), points };
}

interface Received {
  readonly encoding: string | undefined;
  readonly body: Buffer;
}

/** Answers in turn with these codes, 0 for a reset. */
async function startServer(codes: number[]): Promise<{ url: string; received: Received[]; stop: () => void }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ encoding: request.headers['content-encoding'], body: Buffer.concat(chunks) });
      const code = codes.shift() ?? 204;
      if (code === 0) response.socket?.resetAndDestroy();
      else response.writeHead(code, { 'x-influxdb-version': '2.7.1' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: asRemote(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), received, stop };
}

describe('a sink for another machine', () => {
  it('compresses what is worth it, and sends the same bytes again after a fault', async () => {
    const { url, received, stop } = await startServer([503, 0, 204, 204]);
    expect(isLoopback(url)).toBe(false);
    const sink = createInfluxdbSink({ url, bucket: 'b', api: 'v1', timeoutMs: 5000 }, createFakeClock());
    const [large, small] = [batchOf(1000), batchOf(10)];
    const outcomes = [];
    for (const batch of [large, large, large, small]) outcomes.push((await sink.write(batch, never)).kind);
    await sink.close();
    stop();
    expect(outcomes).toEqual(['retryable', 'retryable', 'success', 'success']);
    expect(received.map(({ encoding }) => encoding)).toEqual(['gzip', 'gzip', 'gzip', undefined]);
    const [first, second, third, last] = received.map(({ body }) => body);
    expect(gunzipSync(first ?? '')).toEqual(large.bytes);
    expect([second, third]).toEqual([first, first]);
    expect(first?.length).toBeLessThan(large.bytes.length / 2);
    expect(last).toEqual(small.bytes);
  });
});

describeWith(['influxd'], 'compressed points and a real InfluxDB 1.x', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-compressed-'));
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(async () => {
    await influxdb.stop();
    rmSync(folder, { recursive: true });
  });

  it('are stored, but for one that is rejected, also after InfluxDB was killed', async () => {
    const rejectedPath = join(folder, 'rejected.lp');
    const delivery = startDelivery({ url: asRemote(influxdb.url), rejectedPath, timeoutMs: 5000, maxSleepMs: 50 });
    const { bytes } = batchOf(2000);
    await influxdb.kill();
    delivery.append(`${bytes.toString()}m a="text" 5000\n`, 2001);
    await influxdb.restart();
    expect(await delivery.finish(30_000)).toBe(0);
    const [series] = await querySeries(influxdb.url, 'SELECT count("a") FROM "m"');
    expect(series?.values[0]?.[1]).toBe(2000);
    expect(readFileSync(rejectedPath, 'utf8')).toMatch(/^# 400 .*\nm a="text" 5000\n$/);
  });
});
