import { gzipSync } from 'node:zlib';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens } from '../../../testing/joblens.js';
import { readMetadata } from '../../../testing/stored-points.js';
import { atNs, BEGIN_MS, createImportFile, pointsOf } from '../testing/import-file.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const importFile = createImportFile(joblens);

interface FoundSpan {
  readonly name: unknown;
  readonly category: string | undefined;
  readonly worker: string | undefined;
  /** In seconds after the beginning. */
  readonly start: number;
  readonly ms: unknown;
  readonly data: unknown;
}

/** In the order of their starts, which the points have to the microsecond. */
function spansOf(points: readonly Point[]): FoundSpan[] {
  return pointsOf(points, 'job_span').map(({ tags, fields, timeNs }) => ({
    name: fields.get('name'),
    category: tags.get('category'),
    worker: tags.get('worker'),
    start: Number((timeNs - atNs(0)) / 1000n) / 1e6,
    ms: fields.get('duration_ms'),
    data: fields.has('data') ? (JSON.parse(String(fields.get('data'))) as unknown) : undefined,
  }));
}

const EPOCH_US = BEGIN_MS * 1000;
/** As many small pieces as make several slabs. */
const trace = (events: readonly object[], more: object = {}): string =>
  JSON.stringify({ ...more, traceEvents: events }, null, 1);

/** The form of libkineto's output_json.cpp: texts put together by hand, names of threads behind what they name. */
function createKinetoTrace(): string {
  return `
  {
    "schemaVersion": 1,
    "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H100", "totalGlobalMem": 85045084160
    }
    ],
      "cuda_runtime_version": 12040,
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": ${String(atNs(0))},
  "traceEvents": [
  {
    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 4711, "tid": 4711,
    "ts": 1000000.250, "dur": 1500.125,
    "args": {
      "External id": 7,"Input Dims": [[8, 3], []], "Call stack": "a.py(3): f
b.py(4): g"
    }
  },
  {
    "ph": "X", "cat": "kernel", "name": "void gemm<float, 3>(\\u0041)", "pid": 0, "tid": 7,
    "ts": 1000500.000, "dur": 900.000,
    "args": {
      "device": 0, "stream": 7, "est. achieved occupancy %": inf
    }
  },
  {
    "ph": "s", "id": 7, "pid": 4711, "tid": 4711, "ts": 1000000.250,
    "cat": "ac2g", "name": "ac2g"
  },
  {
    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",
    "pid": 4711, "tid": 4711,
    "ts": 1000001.000,
    "args": {
      "Total Allocated": 512, "Bytes": 512
    }
  },
  {
    "name": "process_name", "ph": "M", "ts": 0.000, "pid": 4711, "tid": 0,
    "args": {
      "name": "python"
    }
  },
  {
    "name": "thread_name", "ph": "M", "ts": 0.000, "pid": 0, "tid": 7,
    "args": {
      "name": "stream 7 "
    }
  },
  {
    "name": "Record Window End", "ph": "i", "s": "g",
    "pid": "", "tid": "", "ts": 2000000.000
  }
  ],
  "traceName": "/tmp/it's (1).json"
}`;
}

describe('joblens import trace', () => {
  it('reads what the profiler of PyTorch writes', async () => {
    const content = gzipSync(createKinetoTrace());
    const { code, said, notes, points } = await importFile('trace', 'h_1.2.pt.trace.json.gz', content);
    expect([code, notes]).toEqual([0, '']);
    expect(said).toMatch(
      /: job h_1\.2\.pt\.trace of ann: 2 spans, 2 events, \d+ points; left out: arrows between spans: 1, the first at event 3\n$/
    );
    expect(spansOf(points)).toEqual([
      {
        ...{ name: 'aten::mm', category: 'cpu_op', worker: 'python 4711 / 4711', start: 1, ms: 1.500125 },
        data: { 'External id': 7, 'Input Dims': [[8, 3], []], 'Call stack': 'a.py(3): f b.py(4): g' },
      },
      {
        ...{ name: 'void gemm<float, 3>(A)', category: 'kernel', worker: '0 / stream 7', start: 1.0005, ms: 0.9 },
        data: { device: 0, stream: 7, 'est. achieved occupancy %': null },
      },
    ]);
    const [memory, end] = pointsOf(points, 'job_event');
    expect([memory?.tags.get('topic'), memory?.fields.get('Bytes')]).toEqual(['cpu_instant_event', 512]);
    expect([end?.tags.get('topic'), end?.timeNs]).toEqual(['instant', atNs(2)]);
    const config = String(pointsOf(points, 'job')[0]?.fields.get('config'));
    expect(JSON.parse(config)).toMatchObject({ schemaVersion: 1, deviceProperties: [{ totalGlobalMem: 85045084160 }] });
  });

  it("reads what Dagger's show_logs(…, :chrome_trace) writes, whose clock counts from the start of a machine", async () => {
    // JSON3 prints a Dict: keys in any order, floats of Julia; the name is missing where nobody logged it.
    const content =
      '{"traceEvents":[{"cat":"compute","name":"sum","ts":3.216846789123e9,"pid":1,"dur":250.5,"ph":"X","tid":1},' +
      '{"cat":"compute","ts":3.2168467e9,"pid":2,"dur":1.0e6,"ph":"X","tid":3},' +
      '{"name":"process_name","ph":"M","cat":"__metadata","pid":-1,"args":{"name":"Unknown"}}]}';
    const bare = await importFile('trace', 'dagger.json', content);
    expect(bare.notes).toMatch(
      /the clock of \/dagger\.json is no wall clock: .*2026-10-01T00:00:00\.000Z.*--offset TIME/
    );
    expect(spansOf(bare.points).map(({ name, worker, start, ms }) => [name, worker, start, ms])).toEqual([
      ['', '2 / 3', -0.000089, 1000],
      ['sum', '1 / 1', 0, 0.2505],
    ]);
    const timed = await importFile('trace', 'dagger.json', content, '--offset', '2026-09-30T23:06:24Z');
    expect([timed.notes, spansOf(timed.points).map(({ start }) => start)]).toEqual(['', [0.8467, 0.846789]]);
  });

  it('pairs beginnings with ends, within threads and beside them', async () => {
    const base = { pid: 1, tid: 2, cat: 'a,b' };
    const at = (seconds: number): { ts: number } => ({ ts: EPOCH_US + seconds * 1e6 });
    const events = [
      { ...base, ...at(1), ph: 'B', name: 'outer', args: { x: 1 } },
      { ...base, ...at(2), ph: 'B', name: 'inner' },
      { ...base, ...at(2.5), ph: 'b', name: 'io', id: '0x1f', args: { file: 'a "b"' } },
      { ...base, ...at(2.5), ph: 'b', name: 'io', id2: { local: '0x1f' } },
      { ...base, ...at(3), ph: 'E' },
      { ...base, ...at(4), ph: 'E', args: { y: 2 } },
      { ...base, ...at(4.5), ph: 'E', name: 'lost' },
      { ...base, ...at(5), tid: 9, ph: 'e', name: 'io', id: '0x1f' },
      { ...base, ...at(6), ph: 'B', name: 'open' },
      { ...base, ...at(8), ph: 'N', name: 'object' },
    ];
    const { said, points } = await importFile('trace', 'pairs.json', JSON.stringify(events));
    expect(said).toMatch(/: 6 spans, .*left out: events of phase N: 1, the first at event 10/);
    const spans = spansOf(points);
    expect(spans.map(({ name, start, ms, data }) => [name, start, ms, data])).toEqual([
      ['outer', 1, 3000, { x: 1, y: 2 }],
      ['inner', 2, 1000, undefined],
      ['io', 2.5, 2500, { file: 'a "b"' }],
      ['io', 2.5, 5500, { unfinished: true }],
      ['lost', 4.5, undefined, undefined],
      ['open', 6, 2000, { unfinished: true }],
    ]);
  });

  it('makes rows of counters, of each process its own', async () => {
    const count = (seconds: number, pid: number, name: string, args: object): object => ({
      ...{ ph: 'C', ts: EPOCH_US + seconds * 1e6, pid, name, args },
    });
    const events = [
      count(0, 1, 'memory', { used: 10, free: 5.5 }),
      count(1, 1, 'queue', { length: 3 }),
      count(2, 1, 'memory', { used: 11, free: 4.5 }),
      count(2, 2, 'queue', { length: '7' }),
      count(3, 1, 'queue', { length: 'none' }),
    ];
    const { said, points } = await importFile('trace', 'counters.json', trace(events));
    expect(said).toMatch(/: 4 rows, .*left out: counters without a number: 1, the first at event 5/);
    expect(readMetadata(points)).toEqual([
      { 'memory.used': 10, 'memory.free': 5.5 },
      { queue: 3 },
      ...[{ 'memory.used': 11, 'memory.free': 4.5 }, { '2: queue': 7 }],
    ]);
  });

  it('keeps each of many spans and instants of one time, and writes the same points again', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => ({
      ...{ ph: i % 3 === 0 ? 'i' : 'X', name: `n${i % 7}`, cat: 'c', pid: 1, tid: 1, ts: EPOCH_US, dur: 5 },
    }));
    const first = await importFile('trace', 'many.json', trace(events));
    const again = await importFile('trace', 'many.json', trace(events));
    expect([spansOf(first.points).length, pointsOf(first.points, 'job_event').length]).toEqual([2000, 1001]);
    expect(pointsOf(first.points, 'job_span_level')).toEqual([]);
    expect(again.lines === first.lines).toBe(true);
  });

  it('has levels of many spans, which add up to all of them', async () => {
    const events = Array.from({ length: 5000 }, (_, i) => ({
      ...{ ph: 'X', name: 'n', cat: `c${i % 3}`, pid: 1, tid: 1, ts: EPOCH_US + i * 70_000, dur: 60_000 },
    }));
    const { points } = await importFile('trace', 'levels.json', trace(events));
    const starts = new Map<string | undefined, number>();
    for (const { tags, fields } of pointsOf(points, 'job_span_level')) {
      const level = tags.get('span_level');
      starts.set(level, (starts.get(level) ?? 0) + Number(fields.get('starts') ?? 0));
    }
    expect(starts.size).toBeGreaterThan(2);
    expect(new Set(starts.values())).toEqual(new Set([5000]));
  });

  it.each([
    ['{}', /: nothing, 0 points\n$/],
    ['', /: nothing, .*left out: files without a trace: 1/],
    [
      '{"traceEvents": [{"ph": "X", "ts": 1790812800000000, "dur": 1, "na',
      /: nothing, .*left out: ends that are cut off: 1/,
    ],
    ['[{"ph": "X", "ts": 1790812800000000, "dur": 1, "name": "a\u0007b"},', /: 1 span, \d+ points\n$/],
  ])('reads what there is of %j', async (content, line) => {
    const { code, said } = await importFile('trace', 'part.json', content);
    expect([code, said]).toEqual([0, expect.stringMatching(line)]);
  });

  it('reads the beginning of a packed file that is cut off', async () => {
    const events = Array.from({ length: 5000 }, (_, i) => ({
      ph: 'X',
      name: `n${(i * 7919) % 5000}`,
      ts: EPOCH_US + i,
      dur: 1,
    }));
    const packed = gzipSync(trace(events));
    const { code, said, points } = await importFile('trace', 'cut.json.gz', packed.subarray(0, packed.length / 2));
    expect([code, said]).toEqual([0, expect.stringContaining('left out: ends that are cut off: 1')]);
    expect(spansOf(points).length).toBeGreaterThan(1000);
  });
});
