import { gzipSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { stringify } from 'yaml';
import { prepareJoblens } from '../../../testing/joblens.js';
import { atNs, BEGIN_MS, createImportFile, pointsOf } from '../testing/import-file.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const importFile = createImportFile(joblens);

const at = (seconds: number): number => BEGIN_MS / 1000 + seconds;
const WORKER = 'tcp://10.0.0.1:1234';
const KEY = "('inc (a)', 0)";

/** As an older and a newer version write it: five fields or six in a transition, events or the name of an object. */
const DUMP = {
  scheduler: {
    ...{ type: 'Scheduler', id: 'Scheduler-1', address: 'tcp://10.0.0.1:8786', started: at(-10.5), n_workers: 1 },
    transition_log: [
      [KEY, 'released', 'waiting', { [KEY]: 'processing' }, 'update-graph-1', at(1.000001)],
      ['sum-0123456789abcdef', 'waiting', 'processing', {}, at(2)],
      ['broken', 'waiting'],
    ],
    tasks: { [KEY]: { key: KEY, group_key: 'inc (a)' } },
    events: {
      'my "topic"': [
        [at(3), { a: 1, b: 'x' }],
        [at(3), 'again'],
      ],
      all: '<distributed.broker.Topic object at 0x7ff586757550>',
    },
  },
  workers: {
    [WORKER]: {
      log: [
        [KEY, 'compute-task', 'released', 'compute-task-1', at(1)],
        [KEY, 'ready', 'executing', 'executing', {}, 'compute-task-1', at(1.25)],
        ['dep', 'fetch', 'flight', 'flight', {}, 's', at(1.5)],
        [KEY, 'executing', 'memory', 'memory', {}, 'task-finished-1', at(1.75)],
        ['sum-0123456789abcdef', 'ready', 'executing', 'executing', {}, 's2', at(2.5)],
        ['free', 'form'],
      ],
    },
    'tcp://10.0.0.2:1': 'OSError: timed out',
  },
  versions: { scheduler: { packages: { dask: '2026.8.0' } } },
};

describe('joblens import dask-dump', () => {
  it.each([
    ['msgpack', 'dump.msgpack.gz', gzipSync(encode(DUMP))],
    ['YAML', 'dump.yaml', Buffer.from(stringify(DUMP))],
  ])('makes a job of a dump in %s', async (_form, name, content) => {
    const { code, said, notes, points } = await importFile('dask-dump', name, content);
    expect([code, notes]).toEqual([0, '']);
    expect(said).toMatch(/: job dump of ann: 3 spans, 4 events, \d+ points; left out: /);
    expect(said).toContain('transitions without a time: 1, the first at row 3');
    expect(said).toContain('topics whose events this version of Dask does not dump: 1, the first at all');
    expect(said).toContain('workers without a log: 1, the first at tcp://10.0.0.2:1');
    const events = pointsOf(points, 'job_event').filter(({ tags }) => tags.get('topic') !== 'import');
    expect(
      events.map(({ tags, fields, timeNs }) => [
        tags.get('topic'),
        timeNs,
        JSON.parse(String(fields.get('data'))) as unknown,
      ])
    ).toEqual([
      ['transitions', atNs(1.000001), DUMP.scheduler.transition_log[0]],
      ['transitions', atNs(2), DUMP.scheduler.transition_log[1]],
      ['my "topic"', atNs(3), { a: 1, b: 'x' }],
      ['my "topic"', atNs(3) + 1n, 'again'],
    ]);
    const spans = pointsOf(points, 'job_span').map(({ tags, fields, timeNs }) => ({
      ...{ category: tags.get('category'), worker: tags.get('worker'), name: fields.get('name') },
      ...{ start: (timeNs - atNs(0)) / 1000n, ms: fields.get('duration_ms') },
    }));
    expect(spans).toEqual([
      { category: 'compute', worker: WORKER, name: 'inc (a)', start: 1_250_000n, ms: 500 },
      { category: 'transfer', worker: WORKER, name: 'dep', start: 1_500_000n, ms: 1500 },
      { category: 'compute', worker: WORKER, name: 'sum', start: 2_500_000n, ms: 500 },
    ]);
    const [job] = pointsOf(points, 'job');
    expect(job?.fields.get('started')).toBe(BEGIN_MS - 10_500);
    expect(JSON.parse(String(job?.fields.get('config')))).toEqual({
      ...{ id: 'Scheduler-1', address: 'tcp://10.0.0.1:8786', n_workers: 1, packages: { dask: '2026.8.0' } },
    });
  });

  it.each([
    ['a dump that is cut off', gzipSync(encode(DUMP).subarray(0, 200)), /its msgpack is cut off or damaged/],
    ['something else', Buffer.from('hello: world\n'), /it is no dump of a Dask cluster/],
    ['broken YAML', Buffer.from('{"a": ['), /it is neither msgpack nor YAML/],
  ])('says in one line that it cannot read %s', async (_name, content, message) => {
    const { code, notes } = await importFile('dask-dump', 'wrong.bin', content);
    expect([code, notes]).toEqual([1, expect.stringMatching(message)]);
    expect(notes.trimEnd().split('\n')).toHaveLength(1);
  });
});
