/** @jest-environment node */
import {
  createColumn,
  createMeasurement,
  createSelect,
  createTimeComparison,
  freezeNode,
} from '@joblens/core/influxql/build';
import type { Condition, SelectStatement, Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import * as fc from 'fast-check';
import { firstValueFrom, of } from 'rxjs';
import type { InfluxdbClient } from './influxdb-client.js';
import { createKept } from './kept.js';
import { createNewestRowsReader } from './newest-rows.js';
import type { NewestRows, Page, PageRange } from './refresh-page.js';

const SECOND_NS = 1_000_000_000n;
const START_NS = 1_700_000_000n * SECOND_NS;

function readTimes(condition: Condition | undefined): readonly [bigint, bigint] {
  if (condition === undefined) return [0n, 2n ** 63n];
  if (condition.kind === 'and') {
    const [left, right] = [readTimes(condition.left), readTimes(condition.right)];
    return [left[0] > right[0] ? left[0] : right[0], left[1] < right[1] ? left[1] : right[1]];
  }
  if (condition.kind !== 'time' || condition.right.kind !== 'time') throw new Error('not asked here');
  return condition.operator === '>=' ? [condition.right.timeNs, 2n ** 63n] : [0n, condition.right.timeNs];
}

type Fields = Readonly<Record<string, string>>;

/** A store of rows at times of their own, and the bytes that it sent. */
function createStore() {
  const rows = new Map<bigint, Fields>();
  let sentBytes = 0;
  const answer = (statement: SelectStatement): StatementResult => {
    const [from, to] = readTimes(statement.where);
    const found = [...rows].filter(([time]) => time >= from && time <= to).sort(([a], [b]) => (a < b ? 1 : -1));
    if (found.length === 0) return { statement_id: 0 };
    const { names, isCount } = readColumns(statement);
    const columns = ['time', ...names.map(({ shown }) => shown)];
    const values = isCount
      ? [[formatRfc3339Nano(from), ...names.map(({ field }) => found.filter(([, row]) => field in row).length)]]
      : found
          .slice(0, statement.limit)
          .map(([time, row]) => [formatRfc3339Nano(time), ...names.map(({ field }) => row[field] ?? null)]);
    return { statement_id: 0, series: [{ name: 'log', columns, values }] };
  };
  const query = (statements: readonly Statement[]) => {
    const results = statements.map((statement) => answer(statement as SelectStatement));
    sentBytes += JSON.stringify(results).length;
    return of(results);
  };
  return { rows, answer, client: { query } as unknown as InfluxdbClient, sentBytes: () => sentBytes };
}

function readColumns({ columns }: SelectStatement) {
  const names = columns.map(({ expression, alias }) => {
    const ref = expression.kind === 'call' ? expression.argument : expression;
    if (ref.kind !== 'ref') throw new Error('not asked here');
    return { field: ref.name, shown: alias ?? ref.name };
  });
  return { names, isCount: columns.some(({ expression }) => expression.kind === 'call') };
}

/** Whole rows, or those that lack one of two fields. */
function createRow(text: string, serial: number, isSparse: boolean): Fields {
  if (!isSparse || serial % 3 === 0) return { line: text, other: text };
  return serial % 3 === 1 ? { line: text } : { other: text };
}

function createQuery(limit: number, rewrittenRows?: number): NewestRows {
  return {
    select: ({ fromNs, toNs, limit: rows }) =>
      createSelect({
        columns: [createColumn('line'), createColumn('other')],
        from: [createMeasurement('log')],
        where: freezeNode({
          kind: 'and',
          left: createTimeComparison('>=', fromNs),
          right: createTimeComparison('<=', toNs),
        }),
        orderBy: 'DESC',
        limit: rows,
      }),
    limit,
    counted: ['line', 'other'],
    ...(rewrittenRows !== undefined && { rewrittenRows }),
  };
}

/** Where rows are never rewritten. */
const SEEN_WITHIN_A_MINUTE: ReadonlySet<Step['kind']> = new Set(['late', 'delete', 'expire']);

type Step =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'rewrite'; readonly back: number }
  | { readonly kind: 'late'; readonly back: number }
  | { readonly kind: 'delete'; readonly back: number }
  | { readonly kind: 'expire'; readonly share: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'moveStart'; readonly seconds: number };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.nat(60) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rewrite' as const), back: fc.nat(23) }) },
  fc.record({ kind: fc.constant('late' as const), back: fc.nat(120) }),
  fc.record({ kind: fc.constant('delete' as const), back: fc.nat(120) }),
  fc.record({ kind: fc.constant('expire' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(90) }),
  fc.record({ kind: fc.constant('moveStart' as const), seconds: fc.integer({ min: -3, max: 90 }) })
);

function createPlayer(query: NewestRows, isSparse = false) {
  const store = createStore();
  let [nowNs, fromNs, serial] = [START_NS, START_NS, 0];
  const put = (time: bigint, text: string, at = 0): void => {
    store.rows.set(time, createRow(text, serial + at, isSparse));
  };
  const timeBack = (back: number): bigint | undefined => [...store.rows.keys()].sort((a, b) => (a < b ? 1 : -1))[back];
  const play = (step: Step): void => {
    serial += 1;
    if (step.kind === 'append') {
      for (let i = 0; i < step.count; i++) put((nowNs += 1000n), `line ${serial} ${i}`, i);
    } else if (step.kind === 'wait') {
      nowNs += BigInt(step.seconds) * SECOND_NS;
    } else if (step.kind === 'moveStart') {
      fromNs += BigInt(step.seconds) * SECOND_NS;
    } else if (step.kind === 'expire') {
      const times = [...store.rows.keys()].sort((a, b) => (a < b ? -1 : 1));
      times.slice(0, Math.floor(step.share * times.length)).forEach((time) => store.rows.delete(time));
    } else {
      const time = timeBack(step.back);
      if (time === undefined) return;
      if (step.kind === 'rewrite') put(time, `rewritten ${serial}`);
      if (step.kind === 'late') put(findFreeTime(time), `late ${serial}`);
      if (step.kind === 'delete') store.rows.delete(time);
    }
  };
  const findFreeTime = (before: bigint): bigint => (store.rows.has(before) ? findFreeTime(before - 1n) : before);
  const range = (): PageRange => ({ fromNs, toNs: nowNs });
  const readFull = (): unknown => store.answer(query.select({ ...range(), limit: query.limit })).series?.[0]?.values;
  return { store, play, range, readFull, monotonicMs: () => Number(nowNs / 1_000_000n) };
}

describe('rows read incrementally', () => {
  it.each([
    { name: 'lines that are rewritten', rewrittenRows: 200, isSparse: false },
    { name: 'rows that are not', rewrittenRows: undefined, isSparse: false },
    { name: 'rows that lack fields', rewrittenRows: undefined, isSparse: true },
  ])('are those of the full question, whatever arrives when: $name', async ({ rewrittenRows, isSparse }) => {
    const scripts = fc.tuple(
      fc.integer({ min: 5, max: 150 }),
      fc.array(fc.array(STEP, { maxLength: 4 }), { maxLength: 15 })
    );
    await fc.assert(
      fc.asyncProperty(scripts, async ([limit, script]) => {
        const query = createQuery(limit, rewrittenRows);
        const player = createPlayer(query, isSparse);
        const reader = createNewestRowsReader(player.store.client);
        for (const steps of script) {
          const isLate = steps.some(({ kind }) => kind === 'late');
          const isSeenLater = rewrittenRows === undefined && steps.some(({ kind }) => SEEN_WITHIN_A_MINUTE.has(kind));
          steps
            .filter(({ kind }) => rewrittenRows !== undefined || kind !== 'rewrite')
            // As many rows deleted as came late between the same two refreshes: only the next full reading sees it.
            .filter(({ kind }) => !isLate || (kind !== 'delete' && kind !== 'expire'))
            .forEach(player.play);
          if (isSeenLater) player.play({ kind: 'wait', seconds: 60 });
          const [result] = await firstValueFrom(reader.read([query], player.range(), player.monotonicMs()));
          expect(result?.series?.[0]?.values).toEqual(player.readFull());
        }
      }),
      { numRuns: 150 }
    );
  });

  it('shows a line that is redrawn far up after a minute at the latest, also when many lines followed', async () => {
    const query = createQuery(1000, 200);
    const player = createPlayer(query);
    const reader = createNewestRowsReader(player.store.client);
    const read = async (): Promise<unknown> =>
      (await firstValueFrom(reader.read([query], player.range(), player.monotonicMs())))[0]?.series?.[0]?.values;
    player.play({ kind: 'append', count: 900 });
    await read();
    player.play({ kind: 'rewrite', back: 199 });
    player.play({ kind: 'append', count: 50 });
    await read();
    player.play({ kind: 'append', count: 500 });
    player.play({ kind: 'wait', seconds: 60 });
    expect(await read()).toEqual(player.readFull());
  });

  it('have the fields that a store which was being written to did not give yet', async () => {
    const query = createQuery(1000);
    const player = createPlayer(query);
    const reader = createNewestRowsReader(player.store.client);
    const read = async (): Promise<unknown> =>
      (await firstValueFrom(reader.read([query], player.range(), player.monotonicMs())))[0]?.series?.[0]?.values;
    player.play({ kind: 'append', count: 100 });
    for (let round = 0; round < 2; round += 1) {
      const before = player.store.rows.size;
      player.play({ kind: 'append', count: 3 });
      const rows = [...player.store.rows].slice(before);
      for (const [time, { line = '' }] of rows) player.store.rows.set(time, { line });
      await read();
      for (const [time, row] of rows) player.store.rows.set(time, row);
      expect(await read()).toEqual(player.readFull());
    }
  });

  it('transfer little more than what is new, without a count, where they are never rewritten', async () => {
    const query = createQuery(1001);
    const player = createPlayer(query);
    const reader = createNewestRowsReader(player.store.client);
    const read = async (): Promise<number> => {
      const before = player.store.sentBytes();
      await firstValueFrom(reader.read([query], player.range(), player.monotonicMs()));
      return player.store.sentBytes() - before;
    };
    player.play({ kind: 'append', count: 1000 });
    const perRow = (await read()) / 1000;
    await read();
    player.play({ kind: 'append', count: 5 });
    expect(await read()).toBeLessThan(7.5 * perRow);
    // What came last is read twice.
    expect(await read()).toBeLessThan(7.5 * perRow);
    expect(await read()).toBeLessThan(3 * perRow);
  });

  it('transfer at most 5% of the first load', async () => {
    const query = createQuery(1001, 200);
    const player = createPlayer(query);
    const reader = createNewestRowsReader(player.store.client);
    const read = async (): Promise<number> => {
      const before = player.store.sentBytes();
      await firstValueFrom(reader.read([query], player.range(), player.monotonicMs()));
      return player.store.sentBytes() - before;
    };
    player.play({ kind: 'append', count: 2000 });
    const first = await read();
    const refreshes: number[] = [];
    for (let i = 0; i < 120; i++) {
      player.play({ kind: 'append', count: 5 });
      player.play({ kind: 'wait', seconds: 5 });
      refreshes.push(await read());
    }
    expect(refreshes[0]).toBeLessThan(0.05 * first);
    const mean = refreshes.reduce((sum, bytes) => sum + bytes, 0) / refreshes.length;
    // The second number counts the reading far up, once a minute, too.
    expect(mean).toBeLessThan(0.06 * first);
  });

  it('keep no more than they may', async () => {
    const kept = createKept<Page>(3000);
    const [small, large] = [createQuery(50), createQuery(500)];
    const player = createPlayer(small);
    player.play({ kind: 'append', count: 500 });
    const reader = createNewestRowsReader(player.store.client, kept);
    await firstValueFrom(reader.read([small], player.range(), player.monotonicMs()));
    const before = player.store.sentBytes();
    await firstValueFrom(reader.read([large], player.range(), player.monotonicMs()));
    const first = player.store.sentBytes() - before;
    await firstValueFrom(reader.read([large], player.range(), player.monotonicMs()));
    expect(player.store.sentBytes() - before).toBe(2 * first);
  });
});
