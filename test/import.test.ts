import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { querySeries } from './influxdb.js';
import { createInfluxqlClient } from './influxql-client.js';
import { joblens } from './joblens-command.js';
import { pythonPath } from './python.js';

const BEGIN_S = 1_790_812_800;
const AROUND = ['--after', '2026-09-30', '--before', '2026-10-03'];
const JOB = `it's "1" (a).-x`;

const HAS_DASK = spawnSync(pythonPath(), ['-c', 'import distributed']).status === 0;
const INSTALL_DASK = '.cache/venv/bin/pip install distributed';
/** Five tasks and their sum, on two workers. Prints what the scheduler itself tells. */
const DASK_PROGRAM = `
import json, sys
from distributed import Client, LocalCluster

if __name__ == '__main__':
    options = dict(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        # A task that nobody holds any more is forgotten, which is a transition too.
        parts = client.map(lambda x: x + 1, range(5))
        total = client.submit(sum, parts, key='total (1)')
        total.result()
        client.dump_cluster_state(sys.argv[1])
        story = cluster.scheduler.story('total (1)')
        print(json.dumps({'transitions': len(cluster.scheduler.transition_log), 'story': [list(row[:3]) for row in story]}))
`;

const folder = mkdtempSync(join(tmpdir(), 'joblens-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** JSON lines of a subcommand that reads. */
async function readBack(url: string, ...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { code, stdout, stderr } = await joblens([...args, '--json'], url);
  if (code !== 0) throw new Error(`joblens ${args.join(' ')} gave ${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Imports into both stores, twice, and gives what was said. */
async function importTwice(pair: Pair, ...args: readonly string[]): Promise<string> {
  const said = await pair.both(async (url) => {
    const first = await joblens(['import', ...args], url);
    const again = await joblens(['import', ...args], url);
    expect([first.code, again.code, again.stdout]).toEqual([0, 0, first.stdout]);
    return first.stdout.replaceAll(folder, '');
  });
  expect(said.embedded).toBe(said.influxdb);
  return said.influxdb;
}

describeWith(['influxd'], 'an imported job, in InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    await pair.both((url) => createInfluxqlClient(url).post('CREATE DATABASE "joblens"'));
  });
  afterAll(() => pair.stop());

  it('of JSON lines is in the list, with its rows and events', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ epoch: i, loss: 1 / (i + 1), 'a "k"': `t ${i}` }));
    const text = rows.map((row, i) => `${JSON.stringify({ time: BEGIN_S + i, ...row })}\n`).join('');
    const config = write('config.yaml', 'lr: 0.1\n');
    const file = write(`m.jsonl`, text);
    const said = await importTwice(pair, 'jsonl', file, '--job', JOB, '--user', 'b (x)', '--config', config);
    expect(said).toMatch(/^imported \/m\.jsonl: job it's "1" \(a\)\.-x of b \(x\): 100 rows, /);
    const found = await pair.both(async (url) => ({
      jobs: await readBack(url, 'jobs', ...AROUND, '--user', 'b (x)'),
      rows: await readBack(url, 'metadata', JOB),
      events: await readBack(url, 'events', ...AROUND, '--job', JOB),
    }));
    expect(found.embedded).toEqual(found.influxdb);
    expect(found.influxdb.jobs).toEqual([expect.objectContaining({ job: JOB, user: 'b (x)' })]);
    expect(JSON.stringify(found.influxdb.jobs)).toContain('lr');
    expect(found.influxdb.rows).toEqual(rows);
    expect(found.influxdb.events).toEqual([expect.objectContaining({ job: JOB, topic: 'import' })]);
  });

  it('of a trace has its spans, counters and instants', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => {
      const base = { ph: 'X', name: `n "${i % 5}"`, cat: 'a,b', pid: 1, tid: i % 4, dur: 800 };
      const ts = (BEGIN_S + (i % 1000)) * 1e6;
      if (i % 100 === 7) return { ...base, ph: 'C', name: 'mem', args: { used: i }, ts };
      return i % 100 === 8 ? { ...base, ph: 'i', args: { i }, ts } : { ...base, ts };
    });
    const file = write("t 'x' (1).json", JSON.stringify({ traceEvents: events }));
    const said = await importTwice(pair, 'trace', file, '--user', 'ann');
    expect(said).toMatch(/: job t 'x' \(1\) of ann: 30 rows, 2,940 spans, 30 events, \d,\d+ points\n$/);
    const job = "t 'x' (1)";
    const found = await pair.both(async (url) => ({
      jobs: (await readBack(url, 'jobs', ...AROUND, '--user', 'ann')).map((row) => row['job']),
      rows: await readBack(url, 'metadata', job),
      events: (await readBack(url, 'events', ...AROUND, '--job', job, '--topic', 'a,b')).length,
      spans: await querySeries(
        url,
        `SELECT count("id") FROM "job_span" WHERE "job" = 't ''x'' (1)'`.replaceAll("''", "\\'")
      ),
    }));
    expect(found.embedded).toEqual(found.influxdb);
    const { jobs, rows, events: instants, spans } = found.influxdb;
    expect([jobs, rows.length, instants, spans[0]?.values[0]?.[1]]).toEqual([[job], 30, 30, 2940]);
  });

  (HAS_DASK ? it : it.skip)(`of a dump of a real Dask has its transitions (${INSTALL_DASK})`, async () => {
    const path = join(folder, 'dask');
    const { stdout, stderr } = spawnSync(pythonPath(), ['-c', DASK_PROGRAM, path], {
      ...{ encoding: 'utf8', cwd: folder },
      env: { ...process.env, DASK_TEMPORARY_DIRECTORY: folder },
    });
    if (stdout === '') throw new Error(stderr);
    const { transitions, story } = JSON.parse(stdout) as { transitions: number; story: (string | number)[][] };
    const said = await importTwice(pair, 'dask-dump', `${path}.msgpack.gz`, '--user', 'ann');
    expect(said).toMatch(new RegExp(`: job dask of ann: \\d+ spans, ${transitions} events, `));
    const range = ['--after', '1h', '--job', 'dask'];
    const found = await pair.both(async (url) => ({
      transitions: (await readBack(url, 'events', ...range, '--topic', 'transitions', '--limit', '1000')).length,
      story: await readBack(url, 'story', 'total (1)', ...range),
      spans: await querySeries(
        url,
        `SELECT count("id") FROM "job_span" WHERE "job" = 'dask' AND "category" = 'compute'`
      ),
    }));
    expect(found.embedded).toEqual(found.influxdb);
    expect(found.influxdb.transitions).toBe(transitions);
    expect(found.influxdb.story).toHaveLength(story.length);
    expect(found.influxdb.spans[0]?.values[0]?.[1]).toBe(6);
  });
});
