import { request as httpRequest } from 'node:http';
import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createBucketPoints } from '@joblens/core/schema/bucket-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { type BucketFold, createBucketFold, foldIntoBuckets } from '@joblens/core/table/bucket-fold';
import { createTableStats, foldRow, type TableStats } from '@joblens/core/table/table-stats';
import { lastValueFrom, toArray } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import { readMetadataMeta } from '../src/frames/frame-meta.js';
import type { MetadataQuery } from '../src/query-types/metadata/metadata.js';
import type { JoblensQuery } from '../src/query-types/parts/query-type.js';
import { createGraphs, type GraphLine } from '../src/views/graph/model/lines/graphs.js';
import { createTables } from '../src/views/parts/components/tables.js';
import { createTemplates } from './fake-templates.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

const FROM_MS = 1_700_000_000_000;
const ROWS = 200_000;
const ROWS_A_REQUEST = 10_000;
const MS_A_ROW = 10;
const KEYS = ['step', 'loss', 'grad_norm', 'lr', 'throughput'];
const SERIES = createSeriesName(KEYS);

/** Single rows far above or below all others, by row: at both ends, in buckets, beside their edges, in the newest. */
const SPIKES: ReadonlyMap<number, number> = new Map(
  [0, 1, 31, 32, 1023, 1024, 1025, 99_999, 131_071, 131_072, 196_607, 199_680, 199_990, ROWS - 1].map((row, at) => [
    row,
    (at % 2 === 0 ? 1 : -1) * (1e6 + row),
  ])
);

/** Losses that are no numbers, by job and row. */
const NON_FINITE: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  [
    'diverged',
    new Map([
      [1200, 'NaN'],
      [10_000, '-Infinity'],
      ...Array.from({ length: 500 }, (_, at) => [18_500 + at, 'NaN'] as const),
    ]),
  ],
  ['foreign', new Map([[1300, 'NaN']])],
]);

function createRow(row: number, job: string): ReadonlyMap<string, number | string> {
  const wave = Math.sin(row / 5000);
  const text = NON_FINITE.get(job)?.get(row);
  const values = [row, text ?? SPIKES.get(row) ?? wave, (row % 17) / 10, 1 / (1 + row), 1000 + wave];
  return new Map(KEYS.map((key, at) => [key, values[at] ?? 0]));
}

interface Writer {
  readonly fold: BucketFold;
  readonly stats: TableStats;
  readonly hasBuckets: boolean;
}

/** The line protocol of some rows, as an ingester writes it; or as another client does, without buckets. */
function writeRows(job: string, writer: Writer, from: number, to: number): string {
  const source = { job, user: 'ann' };
  let text = '';
  for (let at = from; at < to; at += 1) {
    const row = createRow(at, job);
    const timeNs = BigInt(FROM_MS + at * MS_A_ROW) * 1_000_000n;
    foldRow(writer.stats, row);
    for (const point of createMetadataPoints(source, SERIES, row, timeNs)) text += `${formatPoint(point)}\n`;
    const buckets = foldIntoBuckets(writer.fold, [...row.values()], timeNs);
    for (const bucket of writer.hasBuckets ? buckets : []) {
      for (const point of createBucketPoints(source, { series: SERIES, keys: KEYS }, bucket)) {
        text += `${formatPoint(point)}\n`;
      }
    }
  }
  return text;
}

function post(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${url}/write?db=joblens&precision=ns`, { method: 'POST' }, (incoming) => {
      incoming.resume().on('end', () => {
        if (incoming.statusCode === 204) resolve();
        else reject(new Error(`the write got ${String(incoming.statusCode)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function createWriter(hasBuckets: boolean): Writer {
  return { fold: createBucketFold(KEYS.length), stats: createTableStats(), hasBuckets };
}

async function writeJob(url: string, job: string, rows: number, hasBuckets: boolean, saidRows = rows): Promise<void> {
  const writer = createWriter(hasBuckets);
  for (let from = 0; from < rows; from += ROWS_A_REQUEST) {
    await post(url, writeRows(job, writer, from, Math.min(rows, from + ROWS_A_REQUEST)));
  }
  const { stats } = writer;
  const timeNs = BigInt(FROM_MS) * 1_000_000n;
  const summary = { series: SERIES, keys: KEYS, stats, x: 'step', rows: saidRows, timeNs };
  await post(url, formatPoint(createSeriesPoint({ job, user: 'ann' }, summary)));
}

describeWith(['influxd'], 'a long table in a real InfluxDB', () => {
  let influxdb: Influxdb | undefined;
  const url = (): string => influxdb?.url ?? 'http://influxdb-did-not-start';

  beforeAll(async () => {
    influxdb = await startInfluxdb();
    await writeJob(url(), 'long', ROWS, true);
    await writeJob(url(), 'diverged', ROWS / 10, true);
    await post(url(), writeRows('foreign', createWriter(false), 0, ROWS / 10));
    await post(url(), writeRows('foreign short', createWriter(false), 0, 10));
    await writeJob(url(), 'bare', ROWS / 4, false);
    await writeJob(url(), 'parts', ROWS / 10, false, 1_000_000);
  });
  afterAll(() => influxdb?.stop());

  function createDataSource(onReply: (bytes: number) => void = () => undefined): JoblensDataSource {
    const settings = { url: PROXY_URL, name: 'Joblens', jsonData: { database: 'joblens' } };
    return new JoblensDataSource(
      settings as DataSourceInstanceSettings<JoblensOptions>,
      createProxyBackend({ target: url(), onReply }),
      createTemplates({})
    );
  }

  function createRequest(query: Partial<MetadataQuery>, rows: readonly number[]): DataQueryRequest<JoblensQuery> {
    const [from, to] = rows.map((row) => dateTime(FROM_MS + row * MS_A_ROW));
    const targets = [{ refId: 'A', queryType: 'metadata', ...query }];
    const request = { targets, range: { from, to, raw: { from, to } }, scopedVars: {}, requestId: 'Q1' };
    return request as unknown as DataQueryRequest<JoblensQuery>;
  }

  async function ask(
    query: Partial<MetadataQuery>,
    rows: readonly [number, number] = [0, ROWS],
    dataSource = createDataSource()
  ): Promise<readonly DataFrame[]> {
    const response = await lastValueFrom(dataSource.query(createRequest(query, rows)));
    expect(response.errors).toBeUndefined();
    return response.data as DataFrame[];
  }

  function listContents(frames: readonly DataFrame[]): unknown {
    return frames.map(({ fields, meta }) => [fields.map(({ name, values }) => [name, values]), meta?.custom]);
  }

  function drawLoss(frames: readonly DataFrame[]): GraphLine {
    const [graph] = createGraphs(createTables(frames), { kind: 'auto' });
    expect(graph?.xKey).toBe('step');
    const line = graph?.lines.find(({ name }) => name === 'loss');
    if (line === undefined) throw new Error('no line of loss');
    return line;
  }

  const spikesUpTo = (rows: number): number[] => [...SPIKES].filter(([row]) => row < rows).map(([, value]) => value);

  it('is drawn whole from few points, with each spike near its X', async () => {
    const frames = await ask({ job: 'long' });
    const { xs, ys, band } = drawLoss(frames);
    expect(readMetadataMeta(frames[0] ?? { fields: [], length: 0 })?.folded).toMatchObject({ rows: ROWS });
    expect(ys.length).toBeLessThan(4 * 16_000);
    for (const [row, value] of SPIKES) {
      const at = Math.max(ys.indexOf(value), band?.mins.indexOf(value) ?? -1, band?.maxes.indexOf(value) ?? -1);
      expect([row, at >= 0]).toEqual([row, true]);
      expect(Math.abs((xs[at] ?? Infinity) - row)).toBeLessThanOrEqual(32);
    }
    expect([xs[0], xs.at(-1)]).toEqual([0, ROWS - 1]);
    expect(xs.every((x, at) => x >= (xs[at - 1] ?? 0))).toBe(true);
  });

  it('marks the oldest and the newest values that are not finite at their X, and asks once for each', async () => {
    let bytes = 0;
    const dataSource = createDataSource((count) => (bytes += count));
    const line = drawLoss(await ask({ job: 'diverged' }, [0, ROWS], dataSource));
    const first = bytes;
    const newest = Array.from({ length: 64 }, (_, at) => ({ x: 18_936 + at, value: NaN }));
    const oldest = [
      { x: 1200, value: NaN },
      { x: 10_000, value: -Infinity },
    ].concat(Array.from({ length: 62 }, (_, at) => ({ x: 18_500 + at, value: NaN })));
    expect(line.nonFinite.map(({ x, value }) => ({ x, value }))).toEqual([...oldest, ...newest]);
    expect(line.nonFinite.every(({ index }) => index === undefined)).toBe(true);
    expect(line.ys.filter(Number.isFinite).length).toBeGreaterThan(1000);
    bytes = 0;
    expect(drawLoss(await ask({ job: 'diverged' }, [0, ROWS], dataSource))).toEqual(line);
    expect(bytes).toBeLessThan(0.05 * first);
  });

  it('is drawn row by row in a short range', async () => {
    const frames = await ask({ job: 'long' }, [99_900, 100_100]);
    const { xs, ys } = drawLoss(frames);
    expect(xs).toEqual(Array.from({ length: 201 }, (_, at) => 99_900 + at));
    expect(ys[99]).toBe(SPIKES.get(99_999));
  });

  it.each<[string, number | undefined, number]>([
    ['an unknown width', undefined, 32],
    ['a narrow panel', 300, 32],
    ['1,000 pixels', 1000, 32],
    ['1,250 pixels', 1250, 1],
  ])('has at most 16 points of rows for each pixel: %s', async (_panel, maxDataPoints, rowsPerPoint) => {
    const request = {
      ...createRequest({ job: 'diverged' }, [0, ROWS]),
      maxDataPoints,
    } as DataQueryRequest<JoblensQuery>;
    const { data } = await lastValueFrom(createDataSource().query(request));
    const frame = data[0] as DataFrame;
    expect(readMetadataMeta(frame)?.folded?.rowsPerPoint ?? 1).toBe(rowsPerPoint);
    if (rowsPerPoint === 1) expect(frame.length).toBe(ROWS / 10);
  });

  it('shows every spike without buckets, too', async () => {
    const frames = await ask({ job: 'bare' });
    const { extremes } = drawLoss(frames);
    expect(readMetadataMeta(frames[0] ?? { fields: [], length: 0 })?.folded?.isAggregated).toBe(true);
    expect(spikesUpTo(ROWS / 4).filter((value) => !extremes.includes(value))).toEqual([]);
  });

  it('finds rows that no job_series point describes, in the range alone', async () => {
    const { xs, extremes, nonFinite } = drawLoss(await ask({ job: 'foreign' }));
    expect(nonFinite).toEqual([{ x: 1300, index: undefined, value: NaN }]);
    // A piece of aggregates has its lowest and its highest number: of two spikes in it, the farther one.
    const shown = (value: number): boolean =>
      extremes.some((y) => Math.sign(y) === Math.sign(value) && y / value >= 1 && y / value < 1.0001);
    expect(spikesUpTo(ROWS / 10).filter((value) => !shown(value))).toEqual([]);
    const alone = [...SPIKES].filter(([row]) => row < 64 || row === 1025).map(([, value]) => value);
    expect(alone.filter((value) => !extremes.includes(value))).toEqual([]);
    expect([xs[0], xs.at(-1)]).toEqual([0, ROWS / 10 - 1]);
    const short = await ask({ job: 'foreign short' });
    expect(drawLoss(short).xs).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(readMetadataMeta(short[0] ?? { fields: [], length: 0 })).toMatchObject({ totalRows: 10, limited: false });
    expect(await ask({ job: 'foreign short' }, [100, ROWS])).toEqual([]);
    const table = { job: 'foreign', user: 'ann', series: SERIES };
    const [newest] = createTables(await ask({ limit: 2, page: { table } }));
    expect(newest?.columns.find(({ name }) => name === 'step')?.values).toEqual([ROWS / 10 - 2, ROWS / 10 - 1]);
  });

  it('shows the oldest part of very many rows without buckets while the others come, once', async () => {
    const dataSource = createDataSource();
    const request = createRequest({ job: 'parts' }, [0, ROWS]);
    const answers = await lastValueFrom(dataSource.query(request).pipe(toArray()));
    const lengths = answers.map(({ data }) => (data[0] as DataFrame).length);
    expect(answers.length).toBeGreaterThan(2);
    expect(answers.map(({ state }) => state)).toEqual(
      answers.map((_, at) => (at < answers.length - 1 ? 'Streaming' : undefined))
    );
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(await lastValueFrom(dataSource.query(request).pipe(toArray()))).toHaveLength(1);
  });

  it.each<[string, number]>([
    ['rows', 9000],
    ['buckets', ROWS - 2000],
  ])('refreshes a table of %s with at most 5%% of the bytes of the first load', async (_kind, rows) => {
    let bytes = 0;
    const dataSource = createDataSource((count) => (bytes += count));
    const read = async (to: number): Promise<number> => {
      bytes = 0;
      const frames = await ask({ job: 'long' }, [0, to], dataSource);
      const transferred = bytes;
      expect(listContents(frames)).toEqual(listContents(await ask({ job: 'long' }, [0, to])));
      return transferred;
    };
    const first = await read(rows);
    expect(await read(rows + 20)).toBeLessThan(0.05 * first);
    // The level stays the same; a bucket of each level is new.
    await read(rows + 1500);
    expect(await read(rows + 1510)).toBeLessThan(0.05 * first);
  });

  it('gives pages of rows, each before the one at hand, and those after it', async () => {
    const table = { job: 'long', user: 'ann', series: SERIES };
    const steps = (frames: readonly DataFrame[]): readonly unknown[] =>
      createTables(frames)[0]?.columns.find(({ name }) => name === 'step')?.values ?? [];
    const newest = await ask({ job: 'long', limit: 3, page: {} });
    expect(steps(newest)).toEqual([ROWS - 3, ROWS - 2, ROWS - 1]);
    const meta = readMetadataMeta(newest[0] ?? { fields: [], length: 0 });
    expect(meta).toMatchObject({ limited: true, totalRows: ROWS });
    const beforeNs = meta?.tsNs[0] ?? '';
    expect(steps(await ask({ limit: 3, page: { beforeNs, table } }))).toEqual([ROWS - 6, ROWS - 5, ROWS - 4]);
    expect(steps(await ask({ limit: 2, page: { afterNs: beforeNs, order: 'asc', table } }))).toEqual([
      ROWS - 2,
      ROWS - 1,
    ]);
    expect(steps(await ask({ limit: 2, page: { order: 'asc', table } }))).toEqual([0, 1]);
  });
});
