import type { Ask, Reading } from '@joblens/core/ask/reading/reading';
import { printStatement } from '@joblens/core/influxql/print';
import type { Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';
import { lastValueFrom, map, Observable, of, Subject, throwError, toArray } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { NewestRows } from '../../store/refresh-page.js';
import type { RunContext } from './query-type.js';
import { runReading, runRowsReading, type StoreAsk, withQuery } from './run-reading.js';

const DATABASES: Statement = { kind: 'showDatabases' };
const MEASUREMENTS: Statement = { kind: 'showMeasurements' };
const APART = { kind: 'apart', statement: MEASUREMENTS } as const;
const ROWS = { select: () => DATABASES, limit: 1, counted: [] } as unknown as NewestRows;

const nameOf = (name: string): StatementResult => ({ statement_id: 0, series: [{ name, columns: [], values: [] }] });

/** A store that answers each statement with its text. */
function createContext(answer: (texts: readonly string[]) => Observable<readonly string[]> = of) {
  const requests: string[][] = [];
  const ask = (texts: string[]): Observable<readonly StatementResult[]> => {
    requests.push(texts);
    return answer(texts).pipe(map((names) => names.map(nameOf)));
  };
  const client: InfluxdbClient = { query: (all) => ask(all.map(printStatement)), queryText: (text) => ask([text]) };
  const newestRows = {
    read: (rows: readonly NewestRows[]) => (rows.length === 0 ? of([]) : ask(rows.map(() => 'newest rows'))),
  };
  return { requests, context: { client, newestRows, fromNs: 0n, toNs: 1n, monotonicMs: 0 } as unknown as RunContext };
}

type Names = readonly (string | undefined)[];

/** Asks for all of these, one after the other, and shows a part before each. */
function* list<A = Ask>(...asked: ReadonlyArray<readonly A[]>): Reading<Names, string, A> {
  const names: (string | undefined)[] = [];
  for (const each of asked) {
    yield { soFar: `${names.length} names` };
    const results = yield each;
    names.push(...results.map((result) => result?.series?.[0]?.name));
  }
  return names;
}

const [databases, measurements] = ['SHOW DATABASES', 'SHOW MEASUREMENTS'];

describe('a reading in the browser', () => {
  it('gives its parts and then its answer, anew to each who subscribes', async () => {
    const { context, requests } = createContext();
    const answers = runReading(() => list([DATABASES], [], [MEASUREMENTS, DATABASES]), context).pipe(toArray());
    const all = ['0 names', '1 names', '1 names', [databases, measurements, databases]];
    expect(await lastValueFrom(answers)).toEqual(all);
    expect(await lastValueFrom(answers)).toEqual(all);
    expect(requests).toHaveLength(4);
  });

  it('asks in one request what it asks at once, alone what goes apart, and newest rows as such', async () => {
    const { context, requests } = createContext();
    const reading = () => list<StoreAsk>([DATABASES, APART, ROWS, DATABASES, APART, ROWS]);
    const names = [databases, measurements, 'newest rows', databases, measurements, 'newest rows'];
    expect(await lastValueFrom(runRowsReading(reading, context))).toEqual(names);
    expect(requests).toEqual([[databases, databases], [measurements], [measurements], ['newest rows', 'newest rows']]);
  });

  it('throws the failure of a request where it was asked', async () => {
    const failure = new Error('the store is away');
    const { context } = createContext(() => throwError(() => failure));
    function* patient(): Reading<unknown> {
      try {
        yield [DATABASES, APART];
        return 'asked';
      } catch (error) {
        return error;
      }
    }
    expect(await lastValueFrom(runReading(patient, context))).toBe(failure);
    await expect(lastValueFrom(runReading(() => list([DATABASES]), context))).rejects.toBe(failure);
  });

  it('stops when nobody waits any more, and drops the request', () => {
    const events: string[] = [];
    const { context, requests } = createContext(
      () => new Observable<string[]>(() => () => events.push('dropped the request'))
    );
    function* reading(): Reading<string> {
      try {
        yield [DATABASES];
        return 'asked';
      } finally {
        events.push('stopped');
      }
    }
    runReading(reading, context)
      .subscribe(() => events.push('answered'))
      .unsubscribe();
    expect(events.sort()).toEqual(['dropped the request', 'stopped']);
    expect(requests).toHaveLength(1);
  });

  it('asks no more when it is stopped at a part', () => {
    const answers = new Subject<string[]>();
    const { context, requests } = createContext(() => answers);
    const parts: unknown[] = [];
    const waiting = runReading(() => list([DATABASES], [DATABASES]), context).subscribe((part) => {
      parts.push(part);
      if (parts.length === 2) waiting.unsubscribe();
    });
    answers.next([databases]);
    expect(parts).toEqual(['0 names', '1 names']);
    expect(requests).toHaveLength(1);
  });

  it('tells the first of its statements', async () => {
    const { context } = createContext();
    const many = Array.from({ length: 30 }, () => DATABASES);
    const { answer, executedQuery } = (await lastValueFrom(
      runReading(() => withQuery(list([APART, DATABASES], many)), context)
    )) as { answer: Names; executedQuery: string };
    expect(answer).toHaveLength(32);
    expect(executedQuery.split(';\n')).toEqual([measurements, ...Array.from({ length: 19 }, () => databases)]);
  });
});
