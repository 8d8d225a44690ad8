import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { ResultValue, StatementResult } from '../../influxql/response.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { type JoinedRows, joinRefreshedRows } from './refreshed-rows.js';
import { joinRows } from './rows.js';

const KEYS = ['loss', 'note'];
type Row = readonly ResultValue[];

/** One half of a table: its rows by time. A refresh gives the rows that have not changed as the same objects. */
function createHalf(column: string) {
  const rows = new Map<number, Row>();
  return {
    rows,
    put: (time: number, value: ResultValue) => rows.set(time, [formatRfc3339Nano(BigInt(time)), value]),
    answer: (fromNs: number, limit: number): StatementResult => {
      const values = [...rows]
        .filter(([time]) => time >= fromNs)
        .sort(([a], [b]) => b - a)
        .slice(0, limit)
        .map(([, row]) => row);
      if (values.length === 0) return { statement_id: 0 };
      return { statement_id: 0, series: [{ name: 'job_metadata', columns: ['time', column], values }] };
    },
  };
}

type Half = ReturnType<typeof createHalf>;

const CHANGE = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      rows: fc.nat(8),
      halves: fc.integer({ min: 1, max: 7 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reread' as const), rows: fc.nat(5) }) },
  fc.record({ kind: fc.constant('late' as const), back: fc.nat(15), halves: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('delete' as const), back: fc.nat(15) }),
  fc.record({ kind: fc.constant('moveStart' as const), rows: fc.integer({ min: -2, max: 20 }) })
);
type Change = typeof CHANGE extends fc.Arbitrary<infer T> ? T : never;

function createTable() {
  const halves: readonly [Half, Half] = [createHalf('loss'), createHalf('note')];
  let [now, from, serial] = [1000, 0, 0];
  const put = (time: number, which: number): void => {
    serial += 1;
    if ((which & 1) !== 0) halves[0].put(time, serial);
    if ((which & 2) !== 0) halves[1].put(time, `text ${String(serial)}`);
  };
  const change = (one: Change): void => {
    // Rows with numbers, with texts, or with both in turns.
    if (one.kind === 'append')
      for (let i = 0; i < one.rows; i += 1) put((now += 2), one.halves > 3 ? 1 + (i % 3) : one.halves);
    if (one.kind === 'late') put(now - 2 * one.back - 1, one.halves);
    if (one.kind === 'moveStart') from = Math.max(0, Math.min(now, (from || 1000) + 2 * one.rows));
    for (const { rows } of halves) {
      const times = [...rows.keys()].sort((a, b) => b - a);
      if (one.kind === 'delete') rows.delete(times[one.back] ?? -1);
      if (one.kind === 'reread')
        times.slice(0, one.rows).forEach((time) => rows.set(time, [...(rows.get(time) ?? [])]));
    }
  };
  const answer = (limit: number) => [halves[0].answer(from, limit), halves[1].answer(from, limit)] as const;
  return { change, answer };
}

it('gives what joinRows gives, whatever a refresh brings', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(CHANGE, { maxLength: 3 }), { maxLength: 25 }),
      fc.integer({ min: 1, max: 40 }),
      (script, limit) => {
        const table = createTable();
        let joined: JoinedRows | undefined;
        for (const changes of script) {
          changes.forEach(table.change);
          const answers = table.answer(limit);
          joined = joinRefreshedRows(answers, KEYS, limit, joined);
          expect(joined.records).toEqual(joinRows(...answers, KEYS, { order: 'desc', limit }));
        }
      }
    ),
    { numRuns: randomCases(300) }
  );
});

it('keeps the records of rows that have not changed', () => {
  const table = createTable();
  table.change({ kind: 'append', rows: 100, halves: 3 });
  const first = joinRefreshedRows(table.answer(1000), KEYS, 1000, undefined);
  table.change({ kind: 'reread', rows: 4 });
  table.change({ kind: 'append', rows: 5, halves: 3 });
  const next = joinRefreshedRows(table.answer(1000), KEYS, 1000, first);
  expect(next.records.filter((record) => first.records.includes(record))).toHaveLength(96);
  expect(next.records).toHaveLength(105);
});
