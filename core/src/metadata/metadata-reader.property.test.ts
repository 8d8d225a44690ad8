import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { createTableStats, foldRow, type TableStats } from '../table/table-stats.js';
import { listInexactIntegers } from '../table/inexact-integer.js';
import { formatPoint } from '../point/line-protocol.js';
import { parseLineProtocol } from '../point/parse-line-protocol.js';
import { createLogLineFormatter, createLogPoints } from '../schema/log-point.js';
import { createMetadataPoints } from '../schema/metadata-point.js';
import { createSeriesName } from '../schema/series-name.js';
import type { NonfiniteOption } from '../table/metadata-row.js';
import { createMetadataReader } from './metadata-reader.js';
import { parsePrintedRow } from './parse-metadata.js';
import { createRandomOutput } from './testing/random-output.js';

const RUNS = randomCases(500);
const SOURCE = { job: 'alpha,1 é', user: 'ann' };
const START_NS = 1_700_000_000_000_998_123n;

/** The result of one job's output: its points as line protocol, and the statistics of each table. */
interface Stored {
  readonly text: string;
  readonly stats: ReadonlyMap<string, TableStats>;
}

function openTable(stats: Map<string, TableStats>, series: string): TableStats {
  const table = stats.get(series) ?? createTableStats();
  stats.set(series, table);
  return table;
}

/** The law: each line by itself, through points. */
function storeByPoints(lines: readonly string[], nonfinite: NonfiniteOption): Stored {
  const stats = new Map<string, TableStats>();
  let text = '';
  lines.forEach((line, i) => {
    const timeNs = START_NS + BigInt(i) * 1000n;
    const points = createLogPoints(SOURCE, { stream: 'stdout', line, kind: 'output', timeNs });
    const printed = parsePrintedRow(line, { nonfinite });
    if (printed !== undefined) {
      const { row, jsonKeys } = printed;
      const series = createSeriesName(row.keys());
      points.push(...createMetadataPoints(SOURCE, series, row, timeNs, listInexactIntegers(row, jsonKeys)));
      foldRow(openTable(stats, series), row, jsonKeys);
    }
    text += points.map((point) => `${formatPoint(point)}\n`).join('');
  });
  return { text, stats };
}

/** The same by the reader. */
function storeByReader(lines: readonly string[], nonfinite: NonfiniteOption): Stored {
  const reader = createMetadataReader(SOURCE);
  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const stats = new Map<string, TableStats>();
  let stored = '';
  let points = 0;
  lines.forEach((line, i) => {
    const timeText = String(START_NS + BigInt(i) * 1000n);
    const metadata = reader.read(line, { nonfinite });
    const formatted = metadata?.formatPoints(timeText);
    stored += formatter.format(line, 'output', timeText) + (formatted?.text ?? '');
    points += 1 + (formatted?.points ?? 0);
    if (metadata !== undefined) {
      expect([...metadata.toRow().keys()]).toEqual(metadata.keys);
      metadata.foldInto(openTable(stats, metadata.series));
    }
  });
  expect(points).toBe(readPoints(stored).length);
  return { text: stored, stats };
}

function readPoints(text: string): readonly unknown[] {
  const { points, errors } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return points;
}

function describeStats(stats: ReadonlyMap<string, TableStats>): unknown {
  return [...stats].map(([series, table]) => [series, table.rows, [...table.columns]]);
}

const output = createRandomOutput().map(({ lines }) => lines);

const nonfinite = fc.constantFrom<NonfiniteOption>('log', 'metadata');

describe('MetadataReader', () => {
  it('stores any output as its lines by themselves are stored', () => {
    fc.assert(
      fc.property(output, nonfinite, (lines, option) => {
        const expected = storeByPoints(lines, option);
        const found = storeByReader(lines, option);
        expect(found.text).toBe(expected.text);
        expect(describeStats(found.stats)).toEqual(describeStats(expected.stats));
      }),
      { numRuns: RUNS }
    );
  });
});
