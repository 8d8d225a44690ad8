import { readFileSync } from 'node:fs';
import { readTables, tablesQuery, type TableSummary } from '@joblens/core/ask/tables/tables';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { printStatement } from '@joblens/core/influxql/print';
import { parsePrintedRow } from '@joblens/core/metadata/parse-metadata';
import { createRowFormatter } from '@joblens/core/metadata/row-json';
import { logQuery, readLogPage } from '@joblens/core/ask/log/log';
import { joinRows, rowsQueries } from '@joblens/core/ask/tables/rows';
import fc from 'fast-check';
import { describeWith } from '../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../test/influxdb.js';
import { printedTable } from '../../test/printed-tables.js';
import { prepareJoblens, until } from './testing/joblens.js';

type StatementResult = Parameters<typeof readLogPage>[0];

/** Rows as detectron2 prints them: sorted keys with slashes, a key `time`, one iteration twice, a nearly empty row. */
function detectronRows(): string[] {
  return Array.from({ length: 60 }, (_, i) => {
    const iteration = 20 * Math.min(i, 40) - 1;
    if (i % 20 === 19) return JSON.stringify({ iteration });
    const row = {
      data_time: 0.004 + i / 1e4,
      eta_seconds: 99.859 - i,
      'fast_rcnn/cls_accuracy': 0.48 + i / 200,
      'fast_rcnn/false_negative': i % 3 === 0 ? 1 : 0.8975,
      iteration,
      lr: 1.60675e-5 * i,
      time: 0.2 + i / 1000,
      total_loss: 2.7 / (i + 1),
    };
    return JSON.stringify(row);
  });
}

/** Rows as detr prints them: very many keys, arrays, an epoch that starts again, a large integer. */
function detrRows(): string[] {
  return Array.from({ length: 61 }, (_, i) => {
    const row: Record<string, unknown> = { train_lr: 9.999999999999983e-5, epoch: i % 31, n_parameters: 43071840 };
    for (let k = 0; k < 90; k += 1) row[`train_loss_${k}`] = Math.sin(i * 91 + k) * 10 ** ((k % 40) - 20);
    row['test_coco_eval_bbox'] = [0.1, -1, i];
    row['note "quoted", = \\'] = `tab\tnewline\nquote" emoji 😀 ${i}`;
    row['hash'] = null;
    return JSON.stringify(row);
  });
}

/** The values that a reader must get back from a metadata line. */
function expectedValues(line: string): Record<string, number | string> {
  return Object.fromEntries(parsePrintedRow(line, { nonfinite: 'log' })?.row ?? []);
}

describeWith(['influxd'], 'joblens and a real InfluxDB 1.x', () => {
  const joblens = prepareJoblens();
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(async () => {
    joblens.remove();
    await influxdb.stop();
  });

  async function query(text: string, url = influxdb.url): Promise<StatementResult> {
    const response = await fetch(`${url}/query`, {
      method: 'POST',
      body: new URLSearchParams({ db: 'joblens', q: text }),
    });
    const { results } = (await response.json()) as { results: StatementResult[] };
    return results[0] ?? { statement_id: 0 };
  }

  async function tablesOf(job: string): Promise<TableSummary[]> {
    return readTables(await query(printStatement(tablesQuery({ job }))));
  }

  async function rowsOf(table: TableSummary): Promise<MetadataRecord[]> {
    const [numbers, texts] = rowsQueries({ table, order: 'asc' });
    const results = [await query(printStatement(numbers)), await query(printStatement(texts))] as const;
    return joinRows(...results, table.keys, { order: 'asc' });
  }

  async function logOf(job: string): Promise<string[]> {
    const request = { job, order: 'asc', limit: 100_000 } as const;
    const result = await query(printStatement(logQuery(request)));
    return readLogPage(result, request).lines.map(({ line }) => line);
  }

  const pipe = (job: string): string[] => [
    'pipe',
    '--mode',
    'enabled',
    '--job',
    job,
    '--user',
    'ann',
    '--url',
    influxdb.url,
  ];

  it.each([
    ['detectron', detectronRows()],
    ['detr', detrRows()],
  ])('gives metadata back row for row and key for key: %s', async (job, lines) => {
    const ended = await joblens.run(pipe(job), `${lines.join('\n')}\n`);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    const rows = await Promise.all((await tablesOf(job)).map(rowsOf));
    const found = rows
      .flat()
      .sort((a, b) => Number(a.timeNs - b.timeNs))
      .map(({ values }) => Object.fromEntries([...values].filter(([, value]) => value !== null)));
    expect(found).toEqual(lines.map(expectedValues));
    expect(await logOf(job)).toEqual(lines);
  });

  it('gives back the JSON of any objects, nested or not, with integers beyond 2^53', async () => {
    const keysOf = (line: string): string =>
      [...(parsePrintedRow(line, { nonfinite: 'log' })?.row.keys() ?? [])].sort().join();
    const drawn = fc.sample(printedTable, { numRuns: 60, seed: 1 });
    // One table for each set of keys.
    const printed = [...new Map(drawn.map((lines) => [keysOf(lines[0] ?? ''), lines])).values()];
    // Lines of a table that comes again take the fast way.
    const lines = printed.flatMap((rows) => [...rows, ...rows, ...rows]);
    const ended = await joblens.run(pipe('objects'), `${lines.join('\n')}\n`);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    const found = await Promise.all(
      (await tablesOf('objects')).map(async (table) => {
        const format = createRowFormatter(table.keys, table.form);
        return (await rowsOf(table)).map(({ timeNs, values }) => ({ timeNs, json: format([...values.values()]) }));
      })
    );
    const rows = found.flat().sort((a, b) => Number(a.timeNs - b.timeNs));
    expect(rows.map(({ json }) => json)).toEqual(lines);
  });

  it('gives keys back in the order printed, with the rows counted and X chosen', async () => {
    const tables = await tablesOf('detectron');
    const [large, small] = tables.sort((a, b) => b.rows - a.rows);
    expect(large?.keys).toEqual(Object.keys(JSON.parse(detectronRows()[0] ?? '{}') as object));
    expect([large?.rows, small?.rows]).toEqual([57, 3]);
    expect(large?.x).toBe('iteration');
  });

  it('gives keys back that are called as parts of a bucket, and stores buckets of them', async () => {
    const keys = ['level', 'rows', 'stat', 'bucket_rows', 'bucket_level', 'bucket_stat'];
    const lines = Array.from({ length: 1100 }, (_, i) =>
      JSON.stringify(Object.fromEntries(keys.map((key, k) => [key, i + k])))
    );
    expect((await joblens.run(pipe('buckets'), `${lines.join('\n')}\n`)).code).toBe(0);
    const tables = await tablesOf('buckets');
    expect(tables.map((table) => [table.keys, table.rows])).toEqual([[keys, 1100]]);
    const rows = await Promise.all(tables.map(rowsOf));
    expect(rows.flat().map(({ values }) => Object.fromEntries(values))).toEqual(lines.map(expectedValues));
    const stored = await query(`SELECT * FROM "job_metadata_bucket" WHERE "job" = 'buckets' AND "bucket_level" = '2'`);
    const [lowest, highest] = ['min', 'max'].map((stat) => {
      const { columns = [], values = [] } = stored?.series?.[0] ?? {};
      const row = values.find((found) => found[columns.indexOf('bucket_stat')] === stat) ?? [];
      return ['level', 'rows', 'stat', 'bucket_rows_', 'bucket_level_', 'bucket_stat_', 'bucket_rows'].map(
        (name) => row[columns.indexOf(name)]
      );
    });
    expect([lowest, highest]).toEqual([
      [0, 1, 2, 3, 4, 5, 1024],
      [1023, 1024, 1025, 1026, 1027, 1028, null],
    ]);
  });

  it('stores everything although InfluxDB is killed and comes back', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    const child = joblens.start([...pipe('killed'), '--drain-timeout', '60']);
    child.write(`${lines.slice(0, 5000).join('\n')}\n`);
    await until(async () => (await logOf('killed')).length > 0);
    await influxdb.kill();
    child.write(`${lines.slice(5000).join('\n')}\n`);
    await until(() => child.stderr().includes('cannot reach InfluxDB'));
    await influxdb.restart();
    // At its end, joblens waits half a second for a store that is away, and retries less often.
    await until(() => child.stderr().includes('points are stored again'));
    child.endInput();
    expect((await child.ended).code).toBe(0);
    expect(await logOf('killed')).toEqual(lines);
  });

  it('keeps a point of the wrong type aside and stores the others', async () => {
    const write = `${influxdb.url}/write?db=joblens`;
    await fetch(write, { method: 'POST', body: 'job_metadata,job=wrong,user=ann,series=loss loss="text"' });
    const rejected = `${joblens.folder}/rejected.lp`;
    const ended = await joblens.run([...pipe('wrong'), '--rejected', rejected], 'a\n{"loss": 1}\nb\n');
    expect(ended.code).toBe(0);
    expect(ended.stderr.split('\n')[0]).toMatch(
      /^joblens: InfluxDB rejected a point: 400 partial write: field type conflict: .* are kept in .*rejected\.lp$/
    );
    expect(await logOf('wrong')).toEqual(['a', '{"loss": 1}', 'b']);
    expect(readFileSync(rejected, 'utf8')).toMatch(
      /^# 400 partial write: .*\njob_metadata,job=wrong,series=loss,user=ann loss=1 \d+\n$/
    );
  });

  it('says in one line that a database is missing', async () => {
    const args = ['pipe', '--mode', 'enabled', '--url', influxdb.url, '--database', 'none', '--drain-timeout', '0.3'];
    const { code, stderr } = await joblens.run(args, 'a\n');
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^joblens: InfluxDB at .* answers 404 database not found: "none"; points wait; create the database none/
      ),
      // The line, and a heartbeat on each grid.
      expect.stringMatching(/^joblens: could not send 4 points/),
      '',
    ]);
  });

  it('writes with user and password, and says in one line that they are wrong', async () => {
    const secured = await startInfluxdb({ auth: { user: 'w', password: 'secret' } });
    try {
      const args = ['pipe', '--mode', 'enabled', '--job', 's', '--url', secured.url, '--drain-timeout', '1'];
      const environment = { INFLUX_USER: 'w', INFLUX_PASSWORD: 'secret' };
      expect(await joblens.run(args, 'a\n', environment)).toMatchObject({ code: 0, stderr: '' });
      const wrong = await joblens.run(args, 'a\n', { ...environment, INFLUX_PASSWORD: 'x' });
      expect(wrong.code).toBe(1);
      expect(wrong.stderr.split('\n')[0]).toMatch(
        /^joblens: InfluxDB at .* answers 401 .*; points wait; check INFLUX_USER and INFLUX_PASSWORD/
      );
    } finally {
      await secured.stop();
    }
  });
});
