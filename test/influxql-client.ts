import { formatPoint } from '@joblens/core/point/line-protocol';
import { printStatements } from '@joblens/core/influxql/print';
import { type QueryResponse, readResults, type StatementResult } from '@joblens/core/influxql/response';
import type { Point } from '@joblens/core/point/point';
import type { Reading } from '@joblens/core/ask/reading/reading';
import type { Statement } from '@joblens/core/influxql/nodes';
import { OTHER_SERVER_URL, untilShown } from './store-under-test.js';

/** Writes points to a server's database `joblens` and asks it, as every part of Joblens does. */
export interface InfluxqlClient {
  write(points: readonly Point[]): Promise<void>;
  /** The answer to a text, errors and all. */
  post(text: string): Promise<QueryResponse>;
  /** One result for each statement; throws when one fails. */
  ask(...statements: readonly Statement[]): Promise<readonly StatementResult[]>;
}

export function createInfluxqlClient(url: string): InfluxqlClient {
  const post = async (text: string): Promise<QueryResponse> => {
    const body = new URLSearchParams({ db: 'joblens', q: text });
    const answer = await fetch(`${url}/query`, { method: 'POST', body });
    return (await answer.json()) as QueryResponse;
  };
  return {
    post,
    async write(points) {
      const body = points.map(formatPoint).join('\n');
      const answer = await fetch(`${url}/write?db=joblens&precision=ns`, { method: 'POST', body });
      if (answer.status !== 204) throw new Error(`Cannot write: ${String(answer.status)} ${await answer.text()}`);
      if (url === OTHER_SERVER_URL) await untilShown(url, points);
    },
    async ask(...statements) {
      const text = printStatements(statements);
      const response = await post(text);
      const results = readResults(response);
      const failure = response.error ?? results.find((result) => result.error !== undefined)?.error;
      if (failure !== undefined) throw new Error(`${text} gave ${failure}`);
      return results;
    },
  };
}

/** Reads to the end. */
export async function readAll<T>(client: InfluxqlClient, reading: Reading<T, unknown>): Promise<T> {
  let next = reading.next();
  while (next.done !== true) {
    const statements =
      'soFar' in next.value ? [] : next.value.map((ask) => (ask.kind === 'apart' ? ask.statement : ask));
    next = reading.next(statements.length === 0 ? [] : await client.ask(...statements));
  }
  return next.value;
}
