import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWith } from './components.js';
import { startEmbeddedStore } from './conformance/targets.js';
import { createInfluxqlClient } from './influxql-client.js';
import { joblens } from './joblens-command.js';
import { pythonPath } from './python.js';
import type { StoreUnderTest } from './store-under-test.js';

const run = promisify(execFile);

/** What a job sends by HTTP; each call has a time of its own. */
const PYTELEGRAF = `
import os, sys
from telegraf.client import HttpClient
client = HttpClient(host='127.0.0.1', port=int(sys.argv[1]), tags={'job_id': os.environ['SLURM_JOB_ID']})
client.url = f'http://127.0.0.1:{sys.argv[1]}/write?db=joblens'
for i in range(1, 31):
    client.metric('training_loss', {'value': 1 / i, 'iteration': i}, tags={'rank': str(i % 2)}, timestamp=1700000000000000000 + i)
client.metric('validation', {'value': 0.5, 'done': True, 'note': 'a "b"'}, timestamp=1700000000000000050)
client.future_session.executor.shutdown(wait=True)
`;

const JOB = "-7.(o'hara) x";

describeWith(['pytelegraf'], 'points of a job in the store of npm start, in the shell', () => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await startEmbeddedStore({ user: 'ann b.', warn: () => undefined });
    await createInfluxqlClient(store.url).post('CREATE DATABASE "joblens"');
    const env = { ...process.env, SLURM_JOB_ID: JOB };
    await run(pythonPath(), ['-c', PYTELEGRAF, new URL(store.url).port], { env });
  });
  afterAll(() => store.stop());

  async function print(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await joblens(args, store.url);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.trimEnd();
  }

  it('are a job of the list, at the time of the points', async () => {
    const range = ['--after', '2023-11-14T22:00:00Z', '--before', '2023-11-14T23:00:00Z'];
    expect(JSON.parse(await print('jobs', '--json', ...range))).toMatchObject({ job: JOB, user: 'ann b.' });
  });

  it('are a table for each series', async () => {
    const rows = (await print('metadata', '--json', '--', JOB)).split('\n').map((line) => JSON.parse(line) as unknown);
    expect(rows).toHaveLength(31);
    expect(rows).toContainEqual({ iteration: 4, training_loss: 0.25, rank: '0' });
    expect(rows).toContainEqual({ validation: 0.5, done: 1, note: 'a "b"' });
    expect((await print('metadata', '--tables', '--csv', '--', JOB)).split('\n')).toHaveLength(1 + 3);
    expect((await print('export', '--table', '1', '--', JOB)).split('\n')).toHaveLength(15);
  });

  it('are drawn and reported', async () => {
    expect(await print('plot', '--', JOB, 'training_loss')).toContain('iteration');
    const report = async (): Promise<Record<string, unknown>> =>
      (JSON.parse(await print('report', '--json', 'job', '--', JOB)) as { values: Record<string, unknown> }).values;
    // A summary is written a second after the last row. The client sends several points at the same time, so which of
    // its two series began last depends on which of them came first.
    let values = await report();
    while (![29, 30].includes(Number(values['iteration']))) values = await report();
    expect(values).toMatchObject({ validation: 0.5 });
  });
});
