import { createDataFrame } from '@grafana/data';
import { createColumn, createMeasurement, createSelect } from '@joblens/core/influxql/build';
import { printStatement } from '@joblens/core/influxql/print';
import type { StatementResult } from '@joblens/core/influxql/response';
import fc from 'fast-check';
import { lastValueFrom, map, timer } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { NewestRowsReader } from '../../store/newest-rows.js';
import type { NewestRows } from '../../store/refresh-page.js';
import { askAhead } from './ask-ahead.js';
import type { TableReading } from './metadata-reading.js';
import type { RunContext } from '../parts/query-type.js';
import type { StoreAsk } from '../parts/run-reading.js';

const createStatement = (name: string) =>
  createSelect({ columns: [createColumn(name)], from: [createMeasurement('m')] });
const createRows = (name: string): NewestRows => ({ select: () => createStatement(name), limit: 1, counted: [] });
const createResult = (name: string) => ({ statement_id: 0, series: [{ name, columns: [], values: [] }] });

/** A store that answers each question with its name, later. */
function createStore() {
  const asked: string[] = [];
  const answer = (names: readonly string[]) => {
    asked.push(...names);
    return timer(0).pipe(map((): readonly StatementResult[] => names.map(createResult)));
  };
  const client: InfluxdbClient = {
    query: (statements) => answer(statements.map(printStatement)),
    queryText: (text) => answer([text]),
  };
  const newestRows: NewestRowsReader = {
    read: (queries) => answer(queries.map(({ select }) => `page of ${printStatement(select(ALL))}`)),
  };
  const context = { client, newestRows, fromNs: 0n, toNs: 0n, nowMs: 0, monotonicMs: 0 } as unknown as RunContext;
  return { asked, context };
}

const ALL = { fromNs: 0n, toNs: 0n, limit: 1 };
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
const questions = fc.record({ statements: names, rows: names });

function createReadings({ statements, rows }: { statements: string[]; rows: string[] }): TableReading[] {
  return [statements.map(createStatement), rows.map(createRows)].map(askOnce);

  function* askOnce(asked: readonly StoreAsk[]): TableReading {
    yield { soFar: createDataFrame({ fields: [] }) };
    yield asked;
    if (asked.length > 0) throw new Error('an expected reading is never read');
    return createDataFrame({ fields: [] });
  }
}

describe('askAhead', () => {
  it('gives the answers that were asked for, and asks no question twice', async () => {
    await fc.assert(
      fc.asyncProperty(questions, questions, async (expected, wanted) => {
        const { asked, context } = createStore();
        const { result, context: informed } = await lastValueFrom(
          askAhead(createStatement('tables'), createReadings(expected), context)
        );
        expect(result).toEqual(createResult(printStatement(createStatement('tables'))));
        const texts = wanted.statements.map((name) => printStatement(createStatement(name)));
        const pages = wanted.rows.map((name) => `page of ${printStatement(createStatement(name))}`);
        expect(await lastValueFrom(informed.client.query(wanted.statements.map(createStatement)))).toEqual(
          texts.map(createResult)
        );
        expect(await lastValueFrom(informed.newestRows.read(wanted.rows.map(createRows), ALL, 0))).toEqual(
          pages.map(createResult)
        );
        expect(asked).toHaveLength(new Set(asked).size);
      })
    );
  });

  it('asks for the tables and for what is expected at the same time', () => {
    const { asked, context } = createStore();
    askAhead(createStatement('tables'), createReadings({ statements: ['a'], rows: ['b'] }), context).subscribe();
    expect(asked).toHaveLength(3);
  });
});
