import { Counters } from '../delivery/counters.js';
import { MemoryQueue } from '../queue/memory-queue.js';
import { type HealthServer, startHealthServer } from './health-server.js';
import type { Status } from './status.js';
import { parsePrometheusText } from './testing/prometheus.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

interface State {
  isHealthy: boolean;
  lastError?: string;
  points?: number;
}

/** A queue that 1000 bytes fill. */
function createStatus({ isHealthy, lastError, points = 0 }: State): Status {
  const queue = new MemoryQueue(1000);
  const counters = new Counters();
  if (points > 0) {
    queue.append({ bytes: Buffer.alloc(1000), points, states: [], isUrgent: false });
    counters.addQueued(points, 5000);
  }
  counters.outputBytes = 11;
  counters.outputLines = 12;
  counters.droppedPoints = 13;
  counters.invalidLines = 20;
  counters.lostDatagrams = 21;
  counters.faults = 22;
  const status = { requests: 14, retries: 15, sentPoints: 16, sentBytes: 17, lastError };
  const sending = { isHealthy, rejectedPoints: 18, status };
  return { delivery: { queue, counters, sending }, jobs: () => 19, monotonicMs: () => 7500 };
}

const servers: HealthServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(state: State): Promise<HealthServer> {
  const server = await startHealthServer(ANY_PORT, createStatus(state));
  if (!server.ok) throw new Error(server.error);
  servers.push(server.value);
  return server.value;
}

describe('startHealthServer', () => {
  it.each<[string, State, number, unknown]>([
    ['well', { isHealthy: true }, 200, { status: 'ok', problems: [], faults: 22 }],
    [
      'without a store',
      { isHealthy: false, lastError: 'cannot reach it' },
      503,
      { status: 'failing', problems: ['points cannot be sent: cannot reach it'], faults: 22 },
    ],
    [
      'full',
      { isHealthy: true, points: 1 },
      503,
      {
        status: 'failing',
        problems: ['there is no room for more points: the spool is full'],
        faults: 22,
      },
    ],
  ])('answers /health of a daemon that is %s', async (_name, state, code, body) => {
    const answer = await fetch(`${(await start(state)).url}/health`);
    expect(answer.status).toBe(code);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(body);
  });

  it('answers /metrics with every number of the daemon', async () => {
    const answer = await fetch(`${(await start({ isHealthy: true, points: 3 })).url}/metrics?any=1`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const metrics = parsePrometheusText(await answer.text());
    const own = [...metrics].filter(([name]) => name.startsWith('joblens_'));
    expect(Object.fromEntries(own.map(([name, { type, samples }]) => [name, [type, samples.get(name)]]))).toEqual({
      joblens_datagrams_lost_total: ['counter', 21],
      joblens_faults_total: ['counter', 22],
      joblens_lines_invalid_total: ['counter', 20],
      joblens_output_bytes_total: ['counter', 11],
      joblens_output_lines_total: ['counter', 12],
      joblens_points_dropped_total: ['counter', 13],
      joblens_points_queued_total: ['counter', 3],
      joblens_points_rejected_total: ['counter', 18],
      joblens_points_sent_total: ['counter', 16],
      joblens_requests_total: ['counter', 14],
      joblens_retries_total: ['counter', 15],
      joblens_sent_bytes_total: ['counter', 17],
      joblens_jobs: ['gauge', 19],
      joblens_lag_seconds: ['gauge', 2.5],
      joblens_spool_bytes: ['gauge', 1200],
      joblens_spool_fill_ratio: ['gauge', 1],
      joblens_spool_points: ['gauge', 3],
      joblens_store_up: ['gauge', 1],
    });
    for (const [name, { type, help }] of own) {
      expect(help).not.toBe('');
      expect(name.endsWith('_total')).toBe(type === 'counter');
    }
    expect(metrics.has('process_resident_memory_bytes')).toBe(true);
  });

  it('counts up from one question to the next', async () => {
    const { url } = await start({ isHealthy: true });
    for (let i = 0; i < 3; i += 1) {
      const metrics = parsePrometheusText(await (await fetch(`${url}/metrics`)).text());
      expect(metrics.get('joblens_output_bytes_total')?.samples.get('joblens_output_bytes_total')).toBe(11);
    }
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/healthy', 404],
    ['POST', '/health', 405],
    ['HEAD', '/health', 200],
  ])('answers %s %s with %i', async (method, path, code) => {
    expect((await fetch((await start({ isHealthy: true })).url + path, { method })).status).toBe(code);
  });

  it.each([
    ['127.0.0.1', 'another process answers there'],
    ['203.0.113.9', 'this machine has no such address'],
  ])('says in one line that it cannot answer on %s', async (host, reason) => {
    const port = Number(new URL((await start({ isHealthy: true })).url).port);
    expect(await startHealthServer({ host, port }, createStatus({ isHealthy: true }))).toEqual({
      ok: false,
      error: `cannot answer /health and /metrics on ${host}:${port}: ${reason}; give another --health HOST:PORT, or off`,
    });
  });
});

describe('parsePrometheusText', () => {
  it.each([['a 1\n'], ['# TYPE a counter\na 1'], ['# TYPE a counter\na one\n'], ['# TYPE 1 counter\n']])(
    'refuses %j',
    (text) => {
      expect(() => parsePrometheusText(text)).toThrow();
    }
  );
});
