import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import type { AnalyticsRequest } from '@joblens/core/ask/analytics/analytics-answer';
import {
  type Curve,
  eventLogs,
  listChanges,
  reportNodes,
  reportThroughput,
  reportUtilization,
  settle,
} from '../core/src/analytics/testing/balsam-reports.js';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { joblens } from './joblens-command.js';
import { SEED } from './random-cases.js';

const BEGIN_MS = Date.UTC(2026, 9, 1);
const WINDOW = { fromMs: BEGIN_MS, toMs: BEGIN_MS + 60_000 };
const toTime = (ms: number): string => new Date(BEGIN_MS + ms).toISOString().slice(0, -1);

const [LOGS = []] = fc
  .sample(eventLogs, { numRuns: 20, seed: SEED })
  .toSorted((a, b) => b.length - a.length)
  .map((logs) => logs.map((log) => ({ ...log, timestamp: log.timestamp })));
const BATCH_JOBS = fc
  .sample(fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 })), {
    numRuns: 25,
    seed: SEED,
  })
  .map(([startTime, length, numNodes]) => ({ startTime, endTime: startTime + length, numNodes }));

/** What the server of Balsam answers, in pages. */
const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/api/events/': LOGS.map(({ jobId, timestamp, fromState, toState, data }, id) => ({
    ...{ id, job_id: jobId, timestamp: toTime(timestamp), from_state: fromState, to_state: toState, data },
  })).sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : b.id - a.id)),
  '/api/batch-jobs/': BATCH_JOBS.map(({ startTime, endTime, numNodes }, id) => ({
    ...{ id, scheduler_id: 100 + id, project: 'p', queue: 'q', num_nodes: numNodes, state: 'finished' },
    ...{ start_time: toTime(startTime), end_time: toTime(endTime) },
  })),
  '/api/jobs/': [{ id: 0, workdir: 'it\'s "0"', tags: { 'a.b': '(1)' }, parameters: {}, state: 'JOB_FINISHED' }],
};
const TOKEN = 'secret-of-balsam';
const MOST_OF_A_PAGE = 7;

function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const list = LISTS[url.pathname];
    if (request.headers.authorization !== `Bearer ${TOKEN}`) response.writeHead(401).end('{"detail":"no"}');
    else if (list === undefined) response.writeHead(404).end('{}');
    else {
      const offset = Number(url.searchParams.get('offset'));
      const limit = Math.min(MOST_OF_A_PAGE, Number(url.searchParams.get('limit')));
      response.end(JSON.stringify({ count: list.length, results: list.slice(offset, offset + limit) }));
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describeWith(['influxd'], 'what a server of Balsam has', () => {
  let [pair, server]: [Pair?, Server?] = [];
  let address = '';
  beforeAll(async () => {
    server = await startServer();
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    pair = await startFilledPair([]);
    for (let times = 0; times < 2; times += 1) {
      const ended = await pair.both((url) =>
        joblens(['import', 'balsam', address, '--job', 'theta (1)', '--user', "o'hara"], url, { BALSAM_TOKEN: TOKEN })
      );
      expect([ended.influxdb, ended.embedded].map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
      ]);
    }
  });
  afterAll(async () => {
    server?.close();
    await pair?.stop();
  });

  /** In milliseconds since the beginning; what both stores tell. */
  async function report(request: Partial<AnalyticsRequest> & Pick<AnalyticsRequest, 'report'>): Promise<Curve> {
    const read = async (url: string): Promise<Curve> => {
      const reading = readAnalytics({ window: WINDOW, stepMs: 1, ...request });
      const answer = await readAll(createInfluxqlClient(url), reading);
      if (answer.kind !== 'steps') throw new Error(`${answer.kind} are no steps`);
      const [steps = { timesMs: [], values: [] }] = answer.curves.values();
      return listChanges(steps).map(([timeMs, value]) => [timeMs - BEGIN_MS, value] as const);
    };
    const curves = await pair?.both(read);
    expect(curves?.embedded).toEqual(curves?.influxdb);
    return curves?.influxdb ?? [];
  }

  it.each([
    ['row by row', {}],
    ['added up by the store', { maxRows: 0 }],
  ])('is reported as its own functions do: %s', async (_how, how) => {
    expect(await report({ report: 'utilization', ...how })).toEqual(settle(reportUtilization(LOGS)));
    expect(await report({ report: 'utilization', weight: 'jobs', ...how })).toEqual(
      settle(reportUtilization(LOGS, false))
    );
    const finished = { filter: { toStates: ['JOB_FINISHED'] } };
    expect(await report({ report: 'throughput', ...finished, ...how })).toEqual(settle(reportThroughput(LOGS)));
    expect(await report({ report: 'nodes', ...how })).toEqual(settle(reportNodes(BATCH_JOBS)));
  });

  it('is refused without a token, with what to do', async () => {
    const { code, stderr } = await joblens(['import', 'balsam', address, '--out', '/dev/null']);
    expect([code, stderr]).toEqual([
      1,
      `joblens: nothing more is imported: cannot read ${address}/events/?ordering=timestamp&limit=1000&offset=0: ` +
        'the server answers 401; put a token of `balsam login` into the variable BALSAM_TOKEN\n',
    ]);
  });
});
