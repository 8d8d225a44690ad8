import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type JoinedRows, joinRefreshedRows } from '@joblens/core/ask/tables/refreshed-rows';
import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createKept } from '../../store/kept.js';
import { createPage, mergePage, type NewestRows, type Page, planRefresh } from '../../store/refresh-page.js';
import { createPieceColumns, type PieceColumns } from '../memory/piece-columns.js';
import { createRecordColumns, type RecordColumns } from '../memory/record-columns.js';
import { createTableMemory, type ReadTable, type ReadViews } from '../memory/table-memory.js';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const T0 = 1_700_000_000_000_000_000n;
const STEP_NS = 1_000_000_000n;
const REFRESHES = 50;

const timeOf = (at: number): string => new Date(Number((T0 + BigInt(at) * STEP_NS) / 1_000_000n)).toISOString();
const ROWS = Array.from({ length: REFRESHES + 9 }, (_, at): [string, number] => [timeOf(at), at]);
const RECORDS = ROWS.map(([, at]): MetadataRecord => ({
  timeNs: T0 + BigInt(at) * STEP_NS,
  values: new Map([['a "b" (c)', at]]),
}));
const PIECES = ROWS.map(([, at]): TablePiece => ({
  timeNs: T0 + BigInt(at) * STEP_NS,
  level: 1,
  rows: 1,
  values: [at, at, at, at],
}));
const answerOf = (rows: ReadonlyArray<[string, number]>) => ({
  statement_id: 0,
  ...(rows.length > 0 && { series: [{ name: 'm', columns: ['time', 'a "b" (c)'], values: rows }] }),
});
const PAGE_QUERY = { select: () => ({ from: [], where: undefined }), limit: 1000, counted: ['a "b" (c)'] };

function refreshPage(before: Page | undefined, rows: ReadonlyArray<[string, number]>): Page {
  const query = PAGE_QUERY as unknown as NewestRows;
  const range = { fromNs: T0, toNs: T0 + BigInt(rows.length) * STEP_NS };
  if (before === undefined) return createPage(query, range, answerOf(rows), 0);
  const plan = planRefresh(before, query, range, 0);
  if (plan === undefined) throw new Error('The page is not continued');
  const asked = rows.slice(0, rows.length - plan.keptRows.length);
  const page = mergePage(before, query, range, plan, [answerOf(asked)], 0);
  if (page === undefined) throw new Error('The answer does not fit');
  return page;
}

/** What a refresh makes from the `at`-th state of a table that grows, and from what the refresh before made. */
const CONTINUED: ReadonlyArray<readonly [name: string, refresh: (before: object | undefined, at: number) => object]> = [
  [
    'columns of rows',
    (before, at) => createRecordColumns(RECORDS.slice(0, at), ['a "b" (c)'], before as RecordColumns | undefined),
  ],
  [
    'columns of rows whose statistics are read',
    (before, at) => {
      const columns = createRecordColumns(RECORDS.slice(0, at), ['a "b" (c)'], before as RecordColumns | undefined);
      columns.readStats();
      return columns;
    },
  ],
  ['columns of pieces', (before, at) => createPieceColumns(PIECES.slice(0, at), 1, before as PieceColumns | undefined)],
  [
    'joined rows',
    (before, at) => {
      const rows = ROWS.slice(0, at).reverse();
      return joinRefreshedRows([answerOf(rows), answerOf([])], ['a "b" (c)'], 1000, before as JoinedRows | undefined);
    },
  ],
  ['a page of newest rows', (before, at) => refreshPage(before as Page | undefined, ROWS.slice(0, at).reverse())],
];

describe('what a refresh makes holds nothing of the refreshes before', () => {
  it.each(CONTINUED)('%s', async (_name, refresh) => {
    const made: WeakRef<object>[] = [];
    let newest: object | undefined;
    for (let at = 12; at < REFRESHES; at += 1) {
      newest = refresh(newest, at);
      made.push(new WeakRef(newest));
    }
    // A WeakRef holds its object until the present turn of the event loop is over.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collectGarbage();
    expect(made.filter((ref) => ref.deref() !== undefined)).toHaveLength(1);
    expect(newest).toBeDefined();
  });
});

describe('the memory of tables', () => {
  const HOUR_NS = 3600n * STEP_NS;
  const tableOf = (characters: number): ReadTable => ({ characters });

  function createMemory() {
    const kept = createKept<ReadViews>();
    const values = new Map<string, ReadViews>();
    const memory = createTableMemory({
      get: (key) => kept.get(key),
      set: (key, value) => {
        values.set(key, value);
        kept.set(key, value);
      },
    });
    const countKept = (): number => [...values.values()].reduce((sum, { views }) => sum + views.length, 0);
    return { memory, countKept };
  }

  it.each<[string, (at: bigint) => { fromNs: bigint; toNs: bigint }]>([
    ['moves with the time', (at) => ({ fromNs: T0 + at * STEP_NS, toNs: T0 + HOUR_NS + at * STEP_NS })],
    ['grows with the time', (at) => ({ fromNs: T0, toNs: T0 + HOUR_NS + at * STEP_NS })],
  ])('keeps one reading of a range that %s', (_name, rangeAt) => {
    const { memory, countKept } = createMemory();
    for (let at = 0; at < 350; at += 1) {
      if (at > 0) expect(memory.recall('q', rangeAt(BigInt(at)))).toEqual(tableOf(at - 1));
      memory.keep('q', rangeAt(BigInt(at)), tableOf(at));
    }
    expect(countKept()).toBe(1);
  });

  it('keeps two views of one table apart, each of which moves or grows', () => {
    const { memory, countKept } = createMemory();
    for (let at = 0n; at < 20n; at += 1n) {
      const views = [
        { fromNs: T0 + at * STEP_NS, toNs: T0 + HOUR_NS + at * STEP_NS },
        { fromNs: T0 - 9n * HOUR_NS, toNs: T0 + HOUR_NS + at * STEP_NS },
        { fromNs: T0 - 50n * HOUR_NS, toNs: T0 - 49n * HOUR_NS },
      ];
      views.forEach((range, view) => {
        if (at > 0n) expect(memory.recall('q', range)).toEqual(tableOf(view));
        memory.keep('q', range, tableOf(view));
      });
    }
    expect(countKept()).toBe(3);
  });

  it('keeps few views of a table that is zoomed again and again', () => {
    const { memory, countKept } = createMemory();
    for (let at = 1n; at < 50n; at += 1n) memory.keep('q', { fromNs: T0 + at, toNs: T0 + 3n * at }, tableOf(1));
    expect(countKept()).toBe(4);
  });
});
