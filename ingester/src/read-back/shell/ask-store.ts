import type { Statement } from '@joblens/core/influxql/nodes';
import { type QueryResponse, readResults, type StatementResult } from '@joblens/core/influxql/response';
import { err, ok, type Result } from '@joblens/core/result/result';
import { printStatements } from '@joblens/core/influxql/print';
import { formatAuthorization, type InfluxConnection } from '../../sinks/influxdb/connection.js';
import { createHttpClient, type HttpAnswer, type HttpRequest } from '../../sinks/influxdb/http-client.js';
import { parseJson, readField } from '../../sinks/influxdb/read-rejection.js';

/** Asks a store; one result for each statement. The error is one line for the user. */
export type AskStore = (statements: readonly Statement[]) => Promise<Result<readonly StatementResult[], string>>;

/** The same for those who can ask for less if the answer is too long. */
export type AskPage = (statements: readonly Statement[]) => Promise<Result<readonly StatementResult[], AskFailure>>;

export interface AskFailure {
  /** One line for the user. */
  readonly message: string;
  /** Set if the answer was longer than an answer may be, so that memory stays bounded. */
  readonly isTooLong?: true;
  /** Set if the store did not say why; the first statement alone fails with the reason. */
  readonly isUnexplained?: true;
}

/**
 * InfluxDB's error for the statements around one that failed. InfluxDB 1.x also sends it, alone, when the database is
 * missing.
 */
const NOT_EXECUTED = 'not executed';

const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** Proxies may refuse longer addresses. */
const MAX_PATH_CHARS = 4000;

/** Reads the bucket that Joblens writes to over /query, as every InfluxDB and the embedded store answer it. */
export function createAskStore(connection: InfluxConnection): AskStore {
  const askPage = createAskPage(connection);
  return async (statements) => {
    const answer = await askPage(statements);
    return answer.ok ? answer : err(answer.error.message);
  };
}

export function createAskPage(connection: InfluxConnection): AskPage {
  const { url, timeoutMs } = connection;
  const askOnce: AskPage = async (statements) => {
    const client = createHttpClient(url, formatAuthorization(connection), MAX_ANSWER_BYTES);
    try {
      const request = createQueryRequest(connection, printStatements(statements));
      return readAnswer(await client.send({ ...request, signal: AbortSignal.timeout(timeoutMs) }), connection);
    } catch (error) {
      return err({ message: `cannot ask ${url}: ${explain(error, timeoutMs)}` });
    } finally {
      client.close();
    }
  };
  return async (statements) => {
    if (statements.length === 0) return ok([]);
    const answer = await askOnce(statements);
    if (answer.ok || answer.error.isUnexplained !== true || statements.length === 1) return answer;
    const reason = await askOnce(statements.slice(0, 1));
    return reason.ok ? answer : reason;
  };
}

function explain(error: unknown, timeoutMs: number): string {
  const { name, message } = error as Error;
  if (name === 'AbortError') return `no answer in ${timeoutMs / 1000} s; ask for less, or try again`;
  return `${message.replace(/\s+/g, ' ')}; check INFLUX_HOST`;
}

function createQueryRequest({ bucket }: InfluxConnection, text: string): Omit<HttpRequest, 'signal'> {
  const [db = '', rp] = bucket.split('/');
  const place = new URLSearchParams({ db, ...(rp !== undefined && { rp }) });
  const query = new URLSearchParams({ q: text });
  const path = `/query?${place.toString()}&${query.toString()}`;
  if (path.length <= MAX_PATH_CHARS) return { method: 'GET', path };
  return {
    method: 'POST',
    path: `/query?${place.toString()}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(query.toString()),
  };
}

function readAnswer(
  { status, text, isCut }: HttpAnswer,
  { url, bucket }: InfluxConnection
): Result<readonly StatementResult[], AskFailure> {
  if (isCut === true) {
    return err({ message: `cannot read ${bucket} at ${url}: the answer is too long; ask for less`, isTooLong: true });
  }
  const answer = parseJson(text);
  const response = (typeof answer === 'object' && answer !== null ? answer : {}) as QueryResponse;
  const { error } = response;
  const results = readResults(response);
  const failure = error ?? findFailure(results);
  if (status === 200 && failure === undefined && readField(answer, 'results') !== undefined) return ok(results);
  const told = describeFailure({ status, answer, text }, failure);
  return err({
    message: `cannot read ${bucket} at ${url}: ${told}`,
    ...(failure === NOT_EXECUTED && { isUnexplained: true }),
  });
}

/** What the store said, and what to do. */
function describeFailure(
  { status, answer, text }: { readonly status: number; readonly answer: unknown; readonly text: string },
  failure: string | undefined
): string {
  const advice = status === 401 || status === 403 ? 'use a token that may read' : 'check INFLUX_HOST and INFLUX_BUCKET';
  const found = JSON.stringify(failure ?? readField(answer, 'message') ?? text.trim().slice(0, 200));
  // If statements fail, the status says only that they were read.
  const source = status === 200 && failure !== undefined ? 'InfluxDB says ' : `status ${status}, `;
  return `${source}${found}; ${advice}`;
}

function findFailure(results: readonly StatementResult[]): string | undefined {
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return errors.find((each) => each !== NOT_EXECUTED) ?? errors[0];
}
