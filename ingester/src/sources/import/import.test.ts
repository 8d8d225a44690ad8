import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens } from '../../testing/joblens.js';
import { readMetadata } from '../../testing/stored-points.js';
import { atNs, BEGIN_MS, createImportFile, pointsOf } from './testing/import-file.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const importFile = createImportFile(joblens);
const OUT = join(joblens.folder, 'out.lp');

const timesOf = (points: readonly Point[]): bigint[] => pointsOf(points, 'job_metadata').map(({ timeNs }) => timeNs);
const iso = (seconds: number): string => new Date(BEGIN_MS + seconds * 1000).toISOString();

describe('joblens import jsonl', () => {
  it('makes rows of a job, at their own times', async () => {
    const lines = [
      { timestamp: iso(0), epoch: 1, loss: 0.5, note: 'a "b"', nested: { 'x.y': 1 } },
      { timestamp: iso(60), epoch: 2, loss: null, note: 'c', nested: { 'x.y': 2 } },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { code, said, notes, points } = await importFile('jsonl', "a (1).it's.jsonl", text, '--tag', 'project=x y');
    expect([code, notes]).toEqual([0, '']);
    expect(said).toMatch(/^imported \/a \(1\)\.it's\.jsonl: job a \(1\)\.it's of ann: 2 rows, \d+ points\n$/);
    expect(readMetadata(points)).toEqual([
      { epoch: 1, loss: 0.5, note: 'a "b"', 'nested.x.y': 1 },
      { epoch: 2, loss: 'null', note: 'c', 'nested.x.y': 2 },
    ]);
    expect(timesOf(points)).toEqual([atNs(0), atNs(60)]);
    const [job] = pointsOf(points, 'job');
    expect([job?.tags.get('job'), job?.fields.get('tags')]).toEqual(["a (1).it's", '{"project":"x y"}']);
    expect([job?.fields.get('started'), job?.fields.get('ended')]).toEqual([BEGIN_MS, BEGIN_MS + 60_000]);
    expect(job?.fields.has('scheduler_id')).toBe(false);
    const [series, ...others] = pointsOf(points, 'job_series');
    expect([series?.fields.get('rows'), series?.fields.get('x'), others]).toEqual([2, 'epoch', []]);
    expect(pointsOf(points, 'job_heartbeat').map(({ tags }) => tags.get('grid'))).toEqual(
      expect.arrayContaining(['10m', '2h', '1d'])
    );
    const [event] = pointsOf(points, 'job_event');
    expect(JSON.parse(String(event?.fields.get('data')))).toEqual({
      ...{ kind: 'jsonl', source: "a (1).it's.jsonl", rows: 2, events: 0, spans: 0 },
    });
  });

  it('writes the same points again, and each once', async () => {
    const text = Array.from({ length: 3000 }, (_, i) => `{"step": ${i}, "time": ${BEGIN_MS / 1000 + i / 8}}\n`).join(
      ''
    );
    const first = await importFile('jsonl', 'again.jsonl', text);
    const again = await importFile('jsonl', 'again.jsonl', text);
    expect(again.lines).toBe(first.lines);
    expect(first.lines.trimEnd().split('\n')).toHaveLength(first.points.length);
    expect(pointsOf(first.points, 'job_metadata_bucket').length).toBeGreaterThan(90);
  });

  it('sorts rows by their times, and keeps those of one time apart', async () => {
    const text = [3, 1, 2, 2, 0].map((s, i) => `{"ts": "${iso(s)}", "i": ${i}}`).join('\r\n');
    const { points } = await importFile('jsonl', 'order.ndjson', text);
    expect(readMetadata(points).map(({ i }) => i)).toEqual([4, 1, 2, 3, 0]);
    expect(timesOf(points)).toEqual([atNs(0), atNs(1), atNs(2), atNs(2) + 1000n, atNs(3)]);
  });

  it.each([
    ['seconds', '1790812800.25', 1_790_812_800_250_000_000n],
    ['milliseconds', '1790812800250', 1_790_812_800_250_000_000n],
    ['microseconds', '1790812800250001', 1_790_812_800_250_001_000n],
    ['nanoseconds', '1790812800250001002', 1_790_812_800_250_001_002n],
    ['RFC 3339', '"2026-10-01T02:00:00.25+02:00"', 1_790_812_800_250_000_000n],
    ['Python', '"2026-10-01 00:00:00,250"', 1_790_812_800_250_000_000n],
  ])('knows times in %s', async (_name, time, timeNs) => {
    const { points } = await importFile('jsonl', 'times.jsonl', `{"Timestamp": ${time}, "x": 1}\n`);
    expect([timesOf(points), readMetadata(points)]).toEqual([[timeNs], [{ x: 1 }]]);
  });

  it('leaves out what is no row, and says so in one line', async () => {
    const text = '{"x": 1, "time": "2026-10-01"}\nhello\n{}\n\n[1]\n{"x": NaN, "time": "2026-10-02"}\n{"x": 3, "ti';
    const { code, said, points } = await importFile('jsonl', 'broken.jsonl', text);
    expect(code).toBe(0);
    expect(said).toMatch(
      /: 2 rows, .*; left out: lines that are no JSON object: 3, the first at line 2; rows without keys: 1, the first at line 3\n$/
    );
    expect(readMetadata(points)).toEqual([{ x: 1 }, { x: 'NaN' }]);
  });

  it('puts rows without a time one after another, from the last change of the file or the offset on', async () => {
    const text = gzipSync('{"x": 1, "time": 0.5}\n{"x": 2, "time": 1}\n');
    const bare = await importFile('jsonl', 'bare.jsonl.gz', text);
    expect(bare.notes).toMatch(/no row of \/bare\.jsonl\.gz tells its time.*--offset/);
    expect(timesOf(bare.points)).toEqual([atNs(0), atNs(0.001)]);
    expect(readMetadata(bare.points)[0]).toEqual({ x: 1, time_: 0.5 });
    const timed = await importFile('jsonl', 'bare.jsonl.gz', text, '--offset', '2026-10-01T01:00:00Z');
    expect([timed.notes, timesOf(timed.points)]).toEqual(['', [atNs(3600.5), atNs(3601)]]);
  });

  it('adds to a job that is logged already, and says nothing of what that is', async () => {
    const text = '{"x": 1, "time": "2026-10-01"}\n';
    const { code, points } = await importFile('jsonl', 'more.jsonl', text, '--job', '7', '--attach');
    const kinds = points.map(({ measurement }) => measurement);
    expect([code, kinds.sort()]).toEqual([0, ['job_event', 'job_metadata', 'job_series']]);
    const { stderr } = await joblens.run(['import', 'jsonl', '--attach', 'x']);
    expect(stderr).toBe('joblens: give the job that --attach adds to, with --job\n');
  });

  it('says in one line that a file cannot be read', async () => {
    const { code, stderr } = await joblens.run(['import', 'jsonl', '--out', OUT, '/none.jsonl']);
    expect([code, stderr]).toEqual([
      1,
      'joblens: nothing more is imported: cannot read /none.jsonl: no such file or directory (ENOENT)\n',
    ]);
  });

  it('says in one line what is wrong with its words', async () => {
    const { code, stderr } = await joblens.run(['import', 'jsnl', 'x']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^joblens: cannot import "jsnl": give .*jsonl.*\n$/)]);
    expect((await joblens.run(['import', 'csv'])).stderr).toMatch(/^joblens: missing required argument 'source'\n$/);
  });
});

describe('joblens import csv', () => {
  it('makes rows of its columns', async () => {
    const text = [
      '\ufeff"Wall time",loss,"a, ""b""",id,',
      `${iso(0)},1e-3,"line 1\nline 2",007,`,
      `${iso(1)},,x,9007199254740993,+5`,
      `${iso(2)},1,2,3,4,5`,
      '',
    ].join('\r\n');
    const { code, said, points } = await importFile('csv', 'r.csv', text, '--time', 'Wall time', '--job', 'c,1="x"');
    expect(code).toBe(0);
    expect(said).toMatch(/2 rows.*left out: rows with more cells than there are columns: 1, the first at row 4/);
    expect(readMetadata(points)).toEqual([
      { loss: 0.001, 'a, "b"': 'line 1\nline 2', id: '007', 'column 5': 'null' },
      { loss: 'null', 'a, "b"': 'x', id: '9007199254740993', 'column 5': 5 },
    ]);
    expect(pointsOf(points, 'job_series')).toHaveLength(1);
  });

  it.each([';', '\t'])('knows the separator %j', async (separator) => {
    const text = ['time', 'a', 'b'].join(separator) + `\n${['2026-10-01', '1', 'x,y'].join(separator)}\n`;
    const { points } = await importFile('csv', 'separated.tsv', text);
    expect(readMetadata(points)).toEqual([{ a: 1, b: 'x,y' }]);
  });

  it('reads a file of many pieces as one of few', async () => {
    const cell = (i: number): string => (i % 3 === 0 ? `"q ""${i}""\n\u00e9"` : `p${i}`);
    const text = `time,n,s\n${Array.from({ length: 40_000 }, (_, i) => `${1_790_812_800 + i},${i},${cell(i)}\n`).join('')}`;
    const { points } = await importFile('csv', 'pieces.csv', text);
    const rows = readMetadata(points);
    expect(rows).toHaveLength(40_000);
    expect(rows.filter(({ n, s }) => s !== cell(Number(n)).replace(/^"|"$/g, '').replaceAll('""', '"'))).toEqual([]);
  });
});

describe('an import that is stopped', () => {
  it('goes on where it was, with the same points in all', async () => {
    const file = join(joblens.folder, 'long.jsonl');
    writeFileSync(
      file,
      Array.from({ length: 150_000 }, (_, i) => `{"step": ${i}, "time": ${1_790_812_800 + i}}\n`).join('')
    );
    rmSync(OUT, { force: true });
    const args = ['import', 'jsonl', '--user', 'ann', '--out', OUT, file];
    expect((await joblens.run(args)).code).toBe(0);
    const whole = readFileSync(OUT, 'utf8');
    rmSync(OUT);
    const child = joblens.start(args);
    while (!existsSync(OUT) || readFileSync(OUT).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    expect(await child.ended).toEqual({ code: 130, signal: null });
    expect(child.stdout().toString()).toMatch(/^stopped the import of .*: the same command goes on from there\n$/);
    expect(readFileSync(OUT).length).toBeLessThan(whole.length);
    const rest = await joblens.run(args, '', { JOBLENS_LOG_LEVEL: 'info' });
    expect([rest.code, rest.stderr]).toEqual([0, expect.stringMatching(/going on where the import .* was stopped/)]);
    expect(readFileSync(OUT, 'utf8') === whole).toBe(true);
    expect(readdirSync(join(joblens.folder, '.local/state/joblens/imports'))).toEqual([]);
  });
});
