import { printStatement } from '@joblens/core/influxql/print';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { createKept } from '../../store/kept.js';
import { createTableMemory } from '../memory/table-memory.js';
import { readTrend } from './trend-reading.js';
import type { TableReading } from './metadata-reading.js';
import { isRows, type StoreAsk } from '../parts/run-reading.js';
import type { StatementResult } from '@joblens/core/influxql/response';
import type { DataFrame } from '@grafana/data';
import { readJoblensMeta, toPlainFields } from '../../../test/frame-table.js';
import type { RunContext } from '../parts/query-type.js';

const S = 1_000_000_000n;
const CONTEXT = {
  fromNs: 1000n * S,
  toNs: 5000n * S,
  nowMs: 0,
  monotonicMs: 0,
  tables: createTableMemory(createKept()),
} as RunContext;

function createTable(rows: number): TableSummary {
  const stats = createTableStats();
  for (const step of [1, 2])
    foldRow(
      stats,
      new Map<string, number | string>([
        ['step', step],
        ['lr', 0.1],
        ['loss', 1],
        ['note', 'x'],
      ])
    );
  return {
    ...{ job: '7', user: 'ann', series: 'loss,lr,note,step', keys: ['step', 'lr', 'loss', 'note'] },
    ...{ stats, rows, runs: [{ timeNs: 2000n * S, rows }], timeNs: 2000n * S },
  };
}

const read = (table: TableSummary, endsMs: Record<string, number>): TableReading =>
  readTrend({ refId: 'A', jobPrefix: '', table, keys: table.keys }, { points: 60, endsMs }, CONTEXT);

function listAsked(reading: TableReading): readonly StoreAsk[] {
  const next = reading.next();
  if (next.done === true || 'soFar' in next.value) throw new Error('nothing is asked');
  return next.value;
}

function answer(reading: TableReading, ...results: readonly StatementResult[]): DataFrame {
  listAsked(reading);
  const next = reading.next(results);
  if (next.done !== true) throw new Error('the table is not read');
  return next.value;
}

it.each([
  [{}, '5000', 50_000_000_001n],
  [{ '["7","ann"]': 2600_000 }, '2600', 10_000_000_001n],
])('asks for means of the main number from the first row to the end of the job (%j)', (endsMs, endS, intervalNs) => {
  const [asked] = listAsked(read(createTable(121), endsMs));
  const statement = asked === undefined || isRows(asked) || asked.kind === 'apart' ? '' : printStatement(asked);
  expect(statement).toContain('SELECT mean("loss") AS "mean" FROM "job_metadata"');
  const end = new Date(Number(endS) * 1000).toISOString().replace('.000', '');
  expect(statement).toContain(`time >= '1970-01-01T00:33:20Z' AND time <= '${end}'`);
  expect(statement).toContain(`GROUP BY time(${String(intervalNs)}ns) fill(none)`);
});

it('makes a table of the means, with the X of the whole one', () => {
  const reading = read(createTable(121), {});
  const series = [
    {
      name: 'job_metadata',
      columns: ['time', 'mean'],
      values: [
        ['1970-01-01T00:40:00Z', 0.5],
        ['1970-01-01T00:50:00Z', 0.25],
      ],
    },
  ];
  const frame = answer(reading, { statement_id: 0, series });
  expect(toPlainFields(frame)).toEqual([
    ['time', 'time', 2_400_000, 3_000_000],
    ['loss', 'number', 0.5, 0.25],
  ]);
  expect(readJoblensMeta(frame)).toMatchObject({ job: '7', user: 'ann', x: { key: 'step' }, totalRows: 121 });
});

it('keeps all keys of few rows, of which X is chosen', () => {
  const reading = read(createTable(2), {});
  const series = [
    {
      name: 'job_metadata',
      columns: ['time', 'step', 'lr', 'loss'],
      values: [
        ['1970-01-01T00:50:00Z', 2, 0.1, 0.25],
        ['1970-01-01T00:40:00Z', 1, 0.1, 0.5],
      ],
    },
  ];
  const frame = answer(reading, { statement_id: 0, series }, { statement_id: 1 });
  expect(toPlainFields(frame).map(([name]) => name)).toEqual(['time', 'step', 'lr', 'loss', 'note']);
  expect(readJoblensMeta(frame)).toMatchObject({ x: { key: 'step' } });
});

it('takes the rows where they are few, or where the clock of the store is behind that of the job', () => {
  expect(listAsked(read(createTable(120), {})).every(isRows)).toBe(true);
  expect(listAsked(read(createTable(121), { '["7","ann"]': 1_999_000 })).every(isRows)).toBe(true);
});
