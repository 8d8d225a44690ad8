import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Delivery, startDelivery } from '../testing/delivery.js';
import { createFakeInfluxdb } from '../testing/fake-influxdb.js';
import { startFaultProxy, type StoreAnswer } from '../testing/fault-proxy.js';
import { until } from '../testing/joblens.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-stuck-'));
afterAll(() => rmSync(folder, { recursive: true }));

const line = (i: number, text = 'good'): string => `job_log,job=1 line="${text} ${i}" ${i}\n`;
const lines = (from: number, count: number, text?: string): string =>
  Array.from({ length: count }, (_, i) => line(from + i, text)).join('');
const FAILURE: StoreAnswer = { status: 500, body: '{"error":"Out of Memory"}' };

interface Scene {
  readonly delivery: Delivery;
  /** Whether the store fails at this body; may be set anew. */
  fails: (body: string) => boolean;
  failure: StoreAnswer;
  readonly stored: () => number;
  readonly kept: () => string;
}

let run = 0;
async function withScene(task: (scene: Scene) => Promise<void>): Promise<void> {
  const influxdb = createFakeInfluxdb('1.x');
  const rejectedPath = join(folder, `rejected-${(run += 1)}.lp`);
  const scene = { fails: (body: string) => body.includes('poison'), failure: FAILURE };
  const proxy = await startFaultProxy({
    store: (path, body) => (scene.fails(body.toString()) ? Promise.resolve(scene.failure) : influxdb.store(path, body)),
  });
  const delivery = startDelivery({ url: proxy.url, rejectedPath, timeoutMs: 5000 });
  try {
    await task(
      Object.assign(scene, {
        delivery,
        stored: () => influxdb.fields.size,
        kept: () => (existsSync(rejectedPath) ? readFileSync(rejectedPath, 'utf8') : ''),
      })
    );
  } finally {
    await delivery.finish(0);
    await proxy.stop();
  }
}

describe('points at which a store fails each time', () => {
  it('are kept aside with the reason, and what stands behind them goes through', async () => {
    await withScene(async ({ delivery, stored, kept }) => {
      delivery.append(lines(0, 500) + line(500, 'poison') + lines(501, 499), 1000);
      delivery.append(lines(1000, 1000), 1000);
      expect(await delivery.finish(30_000)).toBe(0);
      expect(stored()).toBe(1999);
      expect(kept()).toBe(
        `# the store takes other points, but fails at this one: 500 Out of Memory\n${line(500, 'poison')}`
      );
      expect(delivery.said.filter((text) => text.includes('fails at this'))).toHaveLength(1);
    });
  });

  it.each<[string, StoreAnswer]>([
    ['a server that answers a 500 to everything', FAILURE],
    ['a full disk', { status: 500, body: '{"error":"write: no space left on device"}' }],
    ['a server that is busy', { status: 503, body: '' }],
    ['a wrong token', { status: 401, body: '' }],
    ['a missing database', { status: 404, body: '{"error":"database not found"}' }],
  ])('are not taken for such, but wait and are stored later: %s', async (_name, failure) => {
    await withScene(async (scene) => {
      const { delivery } = scene;
      scene.failure = failure;
      scene.fails = () => true;
      delivery.append(lines(0, 1000), 1000);
      delivery.append(lines(1000, 1000), 1000);
      const startMs = delivery.monotonicMs();
      await until(() => delivery.monotonicMs() - startMs > 1_800_000);
      expect([delivery.waitingPoints, scene.stored(), scene.kept()]).toEqual([2000, 0, '']);
      scene.fails = () => false;
      expect(await delivery.finish(20_000)).toBe(0);
      expect([scene.stored(), scene.kept()]).toEqual([2000, '']);
    });
  });

  it('are none where the store fails at large requests only', async () => {
    await withScene(async (scene) => {
      scene.fails = (body) => body.length > 20_000;
      scene.delivery.append(lines(0, 5000), 5000);
      expect(await scene.delivery.finish(30_000)).toBe(0);
      expect([scene.stored(), scene.kept()]).toEqual([5000, '']);
    });
  });
});
