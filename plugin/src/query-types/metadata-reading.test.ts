import { createDataFrame } from '@grafana/data';
import type { SelectStatement } from '@joblens/core/influxql/nodes';
import type { ReadableResult } from '@joblens/core/queries/result-rows';
import { lastValueFrom, of } from 'rxjs';
import { readTogether, type TableReading } from './metadata-reading.js';
import type { RunContext } from './query-type.js';

/** A statement of which only the identity counts. */
const statement = (name: string): SelectStatement => ({ name }) as unknown as SelectStatement;

function createReading(names: readonly string[], isParallel: boolean, read: (results: readonly unknown[]) => void) {
  return {
    kind: 'ask',
    statements: names.map(statement),
    read: (results: readonly ReadableResult[]): TableReading => {
      read(results);
      return { kind: 'read', frame: createDataFrame({ name: names.join(), fields: [] }) };
    },
    ...(isParallel && { isParallel }),
  } as TableReading;
}

it('sends statements that take long alone, all others together, and gives each reading its own answers', async () => {
  const requests: unknown[] = [];
  const given: unknown[] = [];
  const context = {
    client: {
      query: (statements: readonly unknown[]) => {
        if (statements.length > 0) requests.push(statements);
        return of(statements);
      },
    },
    newestRows: { read: () => of([]) },
    nowMs: 0,
    monotonicMs: 0,
  } as unknown as RunContext;
  const note = (results: readonly unknown[]) => given.push(results);
  const readings = [
    createReading(['a', 'b'], false, note),
    createReading(['c', 'd'], true, note),
    createReading(['e'], false, note),
    createReading(['f'], true, note),
  ];
  const frames = await lastValueFrom(readTogether(readings, context));
  const list = (...names: string[]) => names.map(statement);
  expect(requests).toEqual([list('a', 'b', 'e'), list('c'), list('d'), list('f')]);
  expect(given).toEqual([list('a', 'b'), list('c', 'd'), list('e'), list('f')]);
  expect(frames.map(({ name }) => name)).toEqual(['a,b', 'c,d', 'e', 'f']);
});
