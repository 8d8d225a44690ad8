/**
 * Measures the steps between a line of output and its line protocol, in ns of CPU time per line (the best of some
 * rounds), and as multiples of JSON.parse of the same line. `node bench/micro/metadata.mjs [lines]`, after `npm run
 * build`.
 */
import { createMetadataReader } from '../../core/dist/metadata/metadata-reader.js';
import { parseMetadataLine, parsePrintedRow } from '../../core/dist/metadata/parse-metadata.js';
import { formatPoint } from '../../core/dist/point/line-protocol.js';
import { createLogLineFormatter, createLogPoints } from '../../core/dist/schema/log-point.js';
import { createMetadataPoints } from '../../core/dist/schema/metadata-point.js';
import { createSeriesNamer } from '../../core/dist/schema/series-name.js';
import { createTableStats, foldRow, formatTableStats } from '../../core/dist/table/table-stats.js';
import { openLineKernel } from '../../ingester/dist/kernels/line-kernel.js';
import { LoadedLines } from '../../ingester/dist/kernels/loaded-lines.js';
import { TableTree } from '../../ingester/dist/kernels/table-tree.js';

const LINES = Number(process.argv[2] ?? 5000);
const ROUNDS = 15;
const SOURCE = { job: '1234567', user: 'ann' };
const NONFINITE = { nonfinite: 'log' };
const START_NS = 1_700_000_000_000_000_000n;

/** The same figures in each run. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function createLines(columns, digits) {
  const random = createRandom(1);
  return Array.from({ length: LINES }, (_, i) => {
    const values = Array.from({ length: columns - 1 }, (_key, k) => [
      columns === 3 ? ['loss', 'acc'][k] : `metric_name_${k}`,
      digits === undefined ? String(random()) : random().toFixed(digits),
    ]);
    return `{"epoch": ${i % 1000}${values.map(([key, value]) => `, "${key}": ${value}`).join('')}}`;
  });
}

function createLogLines() {
  return Array.from({ length: LINES }, (_, i) => `2026-01-01 00:00:00 INFO step ${i} `.padEnd(110, 'loss-went-down,'));
}

/** The lines as a stream delivers them: pieces of a longer string. */
function slice(lines) {
  const text = Buffer.from(`${lines.join('\n')}\n`).toString('latin1');
  let start = 0;
  const pieces = lines.map((line) => {
    const piece = text.slice(start, start + line.length);
    start += line.length + 1;
    return piece;
  });
  return { text, pieces };
}

function measure(count, run) {
  let bestNs = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    bestNs = Math.min(bestNs, ((user + system) * 1000) / count);
  }
  return bestNs;
}

let parsedNs = 0;
function print(step, ns) {
  console.log(`  ${step.padEnd(58)} ${ns.toFixed(0).padStart(7)} ${(ns / parsedNs).toFixed(2).padStart(7)}`);
}

/** Turns line protocol into bytes as the pipeline does: 256 KiB at a time. */
function createSink() {
  let text = '';
  return (piece) => {
    text += piece;
    if (text.length >= 262_144) {
      Buffer.from(text, 'latin1');
      text = '';
    }
  };
}

function measureMetadata(title, lines) {
  const { text, pieces } = slice(lines);
  const bytesPerLine = text.length / lines.length;
  console.log(`${title} (${bytesPerLine.toFixed(0)} B)`.padEnd(60) + ' ns/line   ratio');
  const each = (step) => measure(lines.length, () => pieces.forEach(step));
  parsedNs = each((line) => JSON.parse(line));
  print('JSON.parse', parsedNs);

  const nameSeries = createSeriesNamer();
  const stats = createTableStats();
  const sink = createSink();
  let timeNs = START_NS;
  print(
    'by points: parse',
    each((line) => parseMetadataLine(line, NONFINITE))
  );
  print(
    'by points: log line',
    each((line) => {
      timeNs += 1000n;
      for (const point of createLogPoints(SOURCE, { stream: 'stdout', line, kind: 'output', timeNs })) {
        sink(`${formatPoint(point)}\n`);
      }
    })
  );
  print(
    'by points: parse, name, metadata points, fold',
    each((line) => {
      timeNs += 1000n;
      const { row, jsonKeys } = parsePrintedRow(line, NONFINITE);
      for (const point of createMetadataPoints(SOURCE, nameSeries(row), row, timeNs)) sink(`${formatPoint(point)}\n`);
      foldRow(stats, row, jsonKeys);
    })
  );

  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const reader = createMetadataReader(SOURCE);
  const readStats = createTableStats();
  print(
    'by lines: log line',
    each((line) => sink(formatter.format(line, 'output', '1700000000000000000')))
  );
  print(
    'by lines: read, metadata points, fold',
    each((line) => {
      const metadata = reader.read(line, NONFINITE);
      sink(metadata.formatPoints('1700000000000000000').text);
      metadata.foldInto(readStats);
    })
  );

  const tables = new TableTree();
  const telling = createMetadataReader(SOURCE, tables);
  for (const line of [lines[0], lines[0]]) telling.read(line, NONFINITE);
  const bytes = Buffer.from(text);
  const range = { start: 0, end: bytes.length };
  const head = Buffer.from(formatter.lineHead);
  const writeRuns = ({ withLog, stats }) =>
    measure(lines.length, () => {
      const loaded = new LoadedLines(bytes, openLineKernel());
      const openFold = (layout) => {
        const columns = stats === undefined ? [] : layout.columnsOf(stats);
        return { stats, columns, buckets: undefined, placesOf: () => undefined, maxRows: Infinity };
      };
      const run = { tables, openFold, firstTimeNs: START_NS, withLog, head };
      while (range.start < range.end) range.start = loaded.writeMetadata(range, run).end;
      range.start = 0;
    });
  print('by runs: metadata points', writeRuns({ withLog: false, stats: undefined }));
  print('by runs: metadata points, fold', writeRuns({ withLog: false, stats: readStats }));
  print('by runs: log line, metadata points, fold', writeRuns({ withLog: true, stats: readStats }));
  print(
    'statistics as JSON',
    measure(100, () => Array.from({ length: 100 }, () => formatTableStats(readStats)))
  );
}

function measureLogLines() {
  const { text, pieces } = slice(createLogLines());
  console.log(`plain log lines (${(text.length / LINES).toFixed(0)} B)`.padEnd(60) + ' ns/line');
  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const sink = createSink();
  let timeNs = START_NS;
  parsedNs = NaN;
  print(
    'by points',
    measure(LINES, () => {
      for (const line of pieces) {
        timeNs += 1000n;
        const points = createLogPoints(SOURCE, { stream: 'stdout', line, kind: 'output', timeNs });
        for (const point of points) sink(`${formatPoint(point)}\n`);
      }
    })
  );
  print(
    'by lines',
    measure(LINES, () => {
      for (const line of pieces) sink(formatter.format(line, 'output', '1700000000000000000'));
    })
  );
  const bytes = Buffer.from(text);
  const head = Buffer.from(formatter.lineHead);
  print(
    'by runs',
    measure(LINES, () => {
      const loaded = new LoadedLines(bytes, openLineKernel());
      for (let start = 0; start < bytes.length;) start = loaded.writeOutput(start, head, START_NS).end;
    })
  );
}

measureMetadata('3 keys, 8 digits', createLines(3, 8));
measureMetadata('21 keys, 8 digits', createLines(21, 8));
measureMetadata('21 keys, as Python prints them', createLines(21, undefined));
measureLogLines();
