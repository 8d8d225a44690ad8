import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { Point } from '../../point/point.js';
import { compareOldestFirst } from '../../rows/newest-first.js';
import { createBucketPoints } from '../../schema/bucket-point.js';
import { createMetadataPoints } from '../../schema/metadata-point.js';
import { createBucketFold, foldIntoBuckets } from '../../table/bucket-fold.js';
import type { TablePiece } from './table-pieces.js';
import type { TableSummary } from '../tables/tables.js';
import type { Ask } from '../reading/reading.js';
import { answerReading } from '../testing/answer-reading.js';
import { answerAll } from '../testing/model-store.js';
import { chooseLevel, readWholeTable } from './whole-table.js';
import type { WholeTable, WholeTableRequest } from './table-questions.js';

const SOURCE = { job: '7', user: 'ann' };
const KEYS = ['loss', 'step'];
const SERIES = 'loss,step';
const STEP_NS = 1_000n;

interface Row {
  readonly timeNs: bigint;
  /** In the order of KEYS; NaN where the row has no number. */
  readonly values: readonly number[];
}

interface RunInput {
  readonly rows: number;
  /** The writer folds buckets, and counts its rows. */
  readonly hasBuckets: boolean;
}

interface Store {
  readonly table: TableSummary;
  readonly rows: readonly Row[];
  readonly points: readonly Point[];
}

/** A row's numbers, without order, and with gaps in the first key. */
function createRow(at: number, timeNs: bigint): Row {
  const noise = (at * 7919) % 10_007;
  return { timeNs, values: [at % 5 === 3 ? NaN : noise, at] };
}

function writeRun(run: RunInput, startNs: bigint): { readonly rows: Row[]; readonly points: Point[] } {
  const rows = Array.from({ length: run.rows }, (_, at) => createRow(at, startNs + BigInt(at) * STEP_NS));
  const fold = createBucketFold(KEYS.length);
  const points = rows.flatMap(({ timeNs, values }) => {
    const row = new Map(
      KEYS.map((key, at) => [key, values[at] ?? NaN]).filter(([, value]) => !Number.isNaN(value)) as [string, number][]
    );
    const folded = foldIntoBuckets(
      fold,
      KEYS.map((key) => row.get(key) ?? ''),
      timeNs
    );
    const buckets = run.hasBuckets ? folded : [];
    return [
      ...createMetadataPoints(SOURCE, SERIES, row, timeNs),
      ...buckets.flatMap((bucket) => createBucketPoints(SOURCE, { series: SERIES, keys: KEYS }, bucket)),
    ];
  });
  return { rows, points };
}

function writeStore(runs: readonly RunInput[]): Store {
  let startNs = 1_000_000n;
  const starts: bigint[] = [];
  const written = runs.map((run) => {
    starts.push(startNs);
    const result = writeRun(run, startNs);
    startNs += BigInt(run.rows) * STEP_NS;
    return result;
  });
  const table: TableSummary = {
    ...SOURCE,
    series: SERIES,
    keys: KEYS,
    rows: runs.reduce((sum, { rows }) => sum + rows, 0),
    runs: runs.map(({ rows }, at) => ({ rows, timeNs: starts[at] ?? 0n })),
    timeNs: starts[0] ?? 0n,
  };
  return {
    table,
    rows: written.flatMap(({ rows }) => rows),
    points: written.flatMap(({ points }) => points).sort(compareOldestFirst),
  };
}

interface Reading {
  readonly result: WholeTable | { readonly kind: 'rows' };
  readonly requests: number;
  /** Pieces in all answers, in each request. */
  readonly answered: readonly number[];
}

function readAll(store: Store, range: { readonly fromNs: bigint; readonly toNs: bigint }, maxPieces: number): Reading {
  const answered: number[] = [];
  const result = answerReading(readWholeTable({ table: store.table, keys: KEYS, ...range, maxPieces }), (asked) => {
    const results = answerAll(store.points, asked);
    const rows = results.flatMap(({ series = [] }) => series.map(({ values }) => values.length));
    if (results.length > 0) answered.push(rows.reduce((sum, count) => sum + count, 0));
    return results;
  });
  return { result, requests: answered.length, answered };
}

function rangeOf(numbers: readonly number[]): number[] {
  return [numbers.reduce((a, b) => Math.min(a, b), Infinity), numbers.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** min, max, mean and last of one key. */
function summarize(rows: readonly Row[], key: number): readonly number[] {
  const numbers = rows.map(({ values }) => values[key] ?? NaN).filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) return [NaN, NaN, NaN, NaN];
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return [...rangeOf(numbers), mean, numbers.at(-1) ?? NaN];
}

/** Sums of the same numbers differ by how they are added. */
function roundOff(value: number): number {
  return Number(value.toPrecision(12));
}

function expandPiece(piece: TablePiece): readonly number[] {
  return piece.level === 0 ? piece.values.flatMap((value) => [value, value, value, value]) : piece.values;
}

const runsOf = (...lengths: readonly number[]): RunInput[] => lengths.map((rows) => ({ rows, hasBuckets: true }));

const anyRuns = fc.array(fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 2000, max: 9000 })), {
  minLength: 1,
  maxLength: 3,
});

it('covers each row of the range once, with its min, max, mean and last, whatever the runs and the range', () => {
  fc.assert(
    fc.property(anyRuns, fc.nat(), fc.nat(), fc.integer({ min: 20, max: 2000 }), (lengths, from, length, maxPieces) => {
      const store = writeStore(runsOf(...lengths));
      const first = from % store.rows.length;
      const last = first + (length % (store.rows.length - first));
      const rows = store.rows.slice(first, last + 1);
      const { result } = readAll(
        store,
        // The ends of the range are between two rows or on one.
        { fromNs: (rows[0]?.timeNs ?? 0n) - BigInt(length % 2), toNs: (rows.at(-1)?.timeNs ?? 0n) + BigInt(from % 2) },
        maxPieces
      );
      if (result.kind === 'rows') {
        expect(chooseLevel(rows.length, maxPieces)).toBe(0);
        return;
      }
      expect(result.isAggregated).toBe(false);
      let at = 0;
      for (const piece of result.pieces) {
        const covered = rows.slice(at, at + piece.rows);
        expect(piece.timeNs).toBe(covered[0]?.timeNs);
        const expected = KEYS.flatMap((_, key) => summarize(covered, key));
        expect(expandPiece(piece).map(roundOff)).toEqual(expected.map(roundOff));
        at += piece.rows;
      }
      expect(at).toBe(rows.length);
    }),
    { numRuns: randomCases(25) }
  );
});

const everything = ({ rows }: Store) => ({ fromNs: 0n, toNs: (rows.at(-1)?.timeNs ?? 0n) + 1_000_000n });

function readPieces(store: Store, maxPieces: number): WholeTable & Pick<Reading, 'requests' | 'answered'> {
  const { result, ...counts } = readAll(store, everything(store), maxPieces);
  if (result.kind === 'rows') throw new Error('read as rows');
  return { ...result, ...counts };
}

/** Lowest and highest number of each key. */
function findExtremes(pieces: readonly TablePiece[]): number[][] {
  return KEYS.map((_, key) => {
    const [mins, maxes] = [0, 1].map((stat) =>
      pieces.map((piece) => expandPiece(piece)[4 * key + stat] ?? NaN).filter((value) => !Number.isNaN(value))
    );
    return rangeOf([...(mins ?? []), ...(maxes ?? [])]);
  });
}

const extremesOf = ({ rows }: Store): number[][] => KEYS.map((_, key) => summarize(rows, key).slice(0, 2));

it('asks once for a whole run, and for little more than it draws', () => {
  const store = writeStore(runsOf(40_000));
  const { pieces, requests, answered, level } = readPieces(store, 500);
  expect([level, requests]).toEqual([2, 1]);
  expect(pieces.length).toBeLessThan(40_000 / 1024 + 2 * 64);
  // Each bucket is four points.
  expect(answered[0]).toBeLessThan(4 * (40_000 / 1024 + 64) + 2 * 64);
});

it('asks for a finer level when the time range turns out to hold few rows', () => {
  const store = writeStore(runsOf(40_000));
  const [fromNs, toNs] = [store.rows[20_000]?.timeNs ?? 0n, store.rows[24_999]?.timeNs ?? 0n];
  const { result, requests } = readAll(store, { fromNs, toNs }, 500);
  expect(result).toMatchObject({ level: 1 });
  expect(requests).toBe(2);
  expect(readAll(store, { fromNs, toNs: fromNs + 100n * STEP_NS }, 500).result.kind).toBe('rows');
});

it.each<[string, (store: Store) => Store]>([
  ['no buckets', (store) => ({ ...store, points: store.points.filter(({ fields }) => !fields.has('bucket_rows')) })],
  [
    'none of the newest rows',
    (store) => ({
      ...store,
      points: store.points.filter(
        ({ fields, timeNs }) => !fields.has('bucket_rows') || timeNs < (store.rows[4000]?.timeNs ?? 0n)
      ),
    }),
  ],
  [
    'none of the oldest rows',
    (store) => ({
      ...store,
      points: store.points.filter(
        ({ fields, timeNs }) => !fields.has('bucket_rows') || timeNs > (store.rows[4000]?.timeNs ?? 0n)
      ),
    }),
  ],
])('lets the store aggregate where there are %s, so that no spike is lost', (_name, change) => {
  const store = change(writeStore(runsOf(9000)));
  const { pieces, isAggregated } = readPieces(store, 400);
  expect(isAggregated).toBe(true);
  expect(findExtremes(pieces)).toEqual(extremesOf(store));
  // The first rows of a run and a few at its end are read one by one.
  expect(pieces.length).toBeLessThan(400 + 1100);
  expect(pieces).toEqual([...pieces].sort(compareOldestFirst));
});

it('aggregates at once where a gap is surely long, and reads a short one row by row', () => {
  const bare = (rows: number): Store => writeStore([{ rows, hasBuckets: false }]);
  expect(readPieces(bare(20_000), 400)).toMatchObject({ isAggregated: true, requests: 2 });
  const short = bare(2100);
  const { pieces, isAggregated } = readPieces(short, 400);
  expect(isAggregated).toBe(false);
  expect(pieces.map(({ timeNs }) => timeNs)).toEqual(short.rows.map(({ timeNs }) => timeNs));
});

/** Reads a table, and what there was to draw meanwhile. */
function readToEnd(store: Store, request: WholeTableRequest) {
  const parts: WholeTable[] = [];
  let requests = 0;
  const answer = (asked: readonly Ask[]) => {
    requests += asked.length === 0 ? 0 : 1;
    return answerAll(store.points, asked);
  };
  const whole = answerReading(readWholeTable(request), answer, (part) => parts.push(part));
  if (whole.kind === 'rows') throw new Error('read as rows');
  return { whole, parts, requests };
}

it('aggregates very many rows in several requests, and has the oldest part to draw meanwhile', () => {
  const store = writeStore([{ rows: 20_000, hasBuckets: false }]);
  const summary = { ...store.table, rows: 1_000_000, runs: [{ timeNs: store.table.timeNs, rows: 1_000_000 }] };
  const request = { table: summary, keys: KEYS, ...everything(store), maxPieces: 4000 };
  const { parts, whole } = readToEnd(store, request);
  const { pieces } = whole;
  expect(findExtremes(pieces)).toEqual(extremesOf(store));
  expect(parts.length).toBeGreaterThan(2);
  parts.forEach((part, at) => {
    expect(part.pieces.length).toBeGreaterThan(parts[at - 1]?.pieces.length ?? 0);
    expect(part.pieces).toEqual(pieces.slice(0, part.pieces.length));
  });
});

it('has a coarser level to draw while it reads many pieces for the first time', () => {
  const store = writeStore(runsOf(40_000));
  const request = { table: store.table, keys: KEYS, ...everything(store), maxPieces: 2000, quickPieces: 500 };
  const first = readToEnd(store, request);
  const [part, ...others] = first.parts;
  expect(others).toEqual([]);
  expect([part?.level, first.whole.level]).toEqual([2, 1]);
  expect(part?.pieces.reduce((sum, { rows }) => sum + rows, 0)).toBe(40_000);
  expect(findExtremes(part?.pieces ?? [])).toEqual(extremesOf(store));
  expect(first.whole.pieces).toEqual(readPieces(store, 2000).pieces);

  const again = readToEnd(store, { ...request, known: first.whole.known });
  expect(again).toMatchObject({ parts: [], requests: 1 });
  expect(again.whole.pieces).toEqual(first.whole.pieces);
  expect(readToEnd(store, { ...request, quickPieces: 2000 })).toMatchObject({ parts: [], requests: 1 });
  const bare = writeStore([{ rows: 20_000, hasBuckets: false }]);
  const asked = {
    table: { ...bare.table, hasBuckets: false as const },
    keys: KEYS,
    ...everything(bare),
    maxPieces: 2000,
  };
  expect(readToEnd(bare, { ...asked, quickPieces: 500 }).requests).toBe(readToEnd(bare, asked).requests);
});

it('lets the store aggregate a table that was started again very often', () => {
  const store = writeStore(runsOf(...Array.from({ length: 70 }, () => 2100)));
  const { pieces, isAggregated } = readPieces(store, 400);
  expect(isAggregated).toBe(true);
  expect(findExtremes(pieces)).toEqual(extremesOf(store));
  expect(pieces.length).toBeLessThan(400);
});

it('finds rows that the summary does not count yet', () => {
  const store = writeStore(runsOf(9000));
  const late = {
    ...store,
    table: { ...store.table, rows: 8000, runs: store.table.runs.map((run) => ({ ...run, rows: 8000 })) },
  };
  expect(readPieces(late, 400).pieces.reduce((sum, { rows }) => sum + rows, 0)).toBe(9000);
});

it.each([
  [400, 400, 0],
  [401, 400, 1],
  [12_800, 400, 1],
  [12_801, 400, 2],
  [1_000_000, 16_000, 2],
  [1_000_000_000, 16_000, 4],
])('reads %d rows in at most %d pieces at level %d', (rows, maxPieces, level) => {
  expect(chooseLevel(rows, maxPieces)).toBe(level);
});
