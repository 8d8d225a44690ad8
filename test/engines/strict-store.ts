import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseQuery } from '@joblens/core/influxql/parse';
import { printStatement } from '@joblens/core/influxql/print';
import type { SelectStatement, Statement } from '@joblens/core/influxql/nodes';
import type { QueryResponse, StatementResult } from '@joblens/core/influxql/response';
import { adaptConditions, readStoredNames, SHOW_STORED_NAMES, type StoredNames } from './stored-names.js';

/** A store before an InfluxDB that answers as openGemini 1.5 does where the two differ (docs/engines.md). */
export interface StrictStore {
  readonly url: string;
  /** The text of each query, in the order in which they came. */
  readonly asked: readonly string[];
  /** What ended it: an expression that openGemini would write out as more texts than fit into memory. */
  readonly killedBy: string | undefined;
  stop(): Promise<void>;
}

interface StrictStoreOptions {
  /** False: it has the name and version of the InfluxDB behind it, so that Joblens does not know what it is. */
  readonly isNamed?: boolean;
}

export async function startStrictStore(
  influxdbUrl: string,
  { isNamed = true }: StrictStoreOptions = {}
): Promise<StrictStore> {
  const asked: string[] = [];
  let killedBy: string | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, parameters, body } = await readRequest(request);
    const text = path === '/query' ? parameters.get('q') : null;
    if (text !== null) asked.push(text);
    killedBy ??= text === null ? undefined : findWrittenOut(text);
    if (killedBy !== undefined) return void response.destroy();
    const query = text === null ? undefined : readStatements(text);
    if (query === undefined) return pass(request, response, body, { influxdbUrl, isNamed });
    const ask = createAsk(influxdbUrl, parameters, request.headers.authorization);
    const results: StatementResult[] = [];
    for (const statement of query) results.push({ ...(await execute(statement, ask)), statement_id: results.length });
    response.setHeader('content-type', 'application/json');
    if (isNamed) response.setHeader('x-geminidb-version', VERSION);
    response.end(JSON.stringify({ results }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    get killedBy() {
      return killedBy;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const VERSION = '1.5.0';
const HEADERS_OF_BODY = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];
const HEADERS_OF_INFLUXDB = ['x-influxdb-version', 'x-influxdb-build'];

interface Request {
  readonly path: string;
  /** The parameters of the address, and of a form. */
  readonly parameters: URLSearchParams;
  readonly body: Buffer<ArrayBuffer>;
}

async function readRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const form = isForm ? [...new URLSearchParams(body.toString())] : [];
  return { path: pathname, parameters: new URLSearchParams([...searchParams, ...form]), body };
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer<ArrayBuffer>,
  { influxdbUrl, isNamed }: { readonly influxdbUrl: string; readonly isNamed: boolean }
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const passed = ['authorization', 'content-type', 'content-encoding', 'accept'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const answer = await fetch(influxdbUrl + url, {
    ...{ method, headers: Object.fromEntries(passed) },
    ...(hasBody && { body }),
  });
  response.statusCode = answer.status;
  const hidden = isNamed ? [...HEADERS_OF_BODY, ...HEADERS_OF_INFLUXDB] : HEADERS_OF_BODY;
  answer.headers.forEach((value, name) => {
    if (!hidden.includes(name)) response.setHeader(name, value);
  });
  if (isNamed) response.setHeader('x-geminidb-version', VERSION);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Asks the InfluxDB one statement. */
type Ask = (statement: string) => Promise<StatementResult>;

function createAsk(influxdbUrl: string, parameters: URLSearchParams, authorization: string | undefined): Ask {
  return async (statement) => {
    const body = new URLSearchParams(parameters);
    body.set('q', statement);
    for (const name of ['chunked', 'pretty']) body.delete(name);
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${influxdbUrl}/query`, { method: 'POST', headers, body });
    const { results = [], error } = (await answer.json()) as QueryResponse;
    return error === undefined ? (results[0] ?? { statement_id: 0 }) : { statement_id: 0, error };
  };
}

/** Undefined for what core does not parse, which goes to the InfluxDB as it is. */
function readStatements(text: string): readonly Statement[] | undefined {
  const parsed = parseQuery(text);
  return parsed.ok ? parsed.value : undefined;
}

/**
 * Whether openGemini writes an expression out as all texts that it matches (matchExactRegex in its influxql/ast.go):
 * from beginning to end, with a class so many times.
 */
const WRITTEN_OUT = /[=!]~ *\/(?:\^|\\A)(?:\\.|[^/\\])*(?:\]|\\[dw])\)*\{\d+(?:\\.|[^/\\])*(?:\$|\\z)\//;

function findWrittenOut(text: string): string | undefined {
  return WRITTEN_OUT.exec(text)?.[0];
}

async function execute(statement: Statement, ask: Ask): Promise<StatementResult> {
  if (statement.kind === 'dropSeries' && (statement.from?.length ?? 0) > 1) {
    return { statement_id: 0, error: 'there must be and can only be one table' };
  }
  if (statement.kind !== 'select' && !('where' in statement)) return ask(printStatement(statement));
  const stored = readStoredNames(await Promise.all(SHOW_STORED_NAMES.map(ask)));
  if (statement.kind !== 'select') return ask(printStatement(adaptConditions(statement, stored)));
  if (readsUnwritten(statement, stored)) return { statement_id: 0, error: 'measurement not found' };
  return countTogether(adaptConditions(statement, stored), ask);
}

function readsUnwritten({ from }: SelectStatement, stored: StoredNames): boolean {
  return from.some((source) => {
    if (source.kind === 'subquery') return readsUnwritten(source.select, stored);
    return source.kind === 'measurement' && !stored.measurements.has(source.name);
  });
}

/** LIMIT and OFFSET beside GROUP BY are those of all series together; SLIMIT and SOFFSET do nothing. */
async function countTogether(select: SelectStatement, ask: Ask): Promise<StatementResult> {
  const { limit, offset, seriesLimit: _limit, seriesOffset: _offset, ...all } = select;
  const isGrouped = select.groupBy?.dimensions.some(({ kind }) => kind !== 'time') === true;
  if (!isGrouped || limit === undefined) return ask(printStatement({ ...all, ...pick({ limit, offset }) }));
  const answer = await ask(printStatement({ ...all, limit: limit + (offset ?? 0) }));
  let [skipped, taken] = [offset ?? 0, limit];
  const series = answer.series?.flatMap(({ values, ...one }) => {
    const rest = values.slice(skipped);
    skipped = Math.max(0, skipped - values.length);
    const rows = rest.slice(0, taken);
    taken -= rows.length;
    return rows.length === 0 ? [] : [{ ...one, values: rows }];
  });
  return { ...answer, ...(series !== undefined && { series }) };
}

function pick<Parts extends object>(parts: Parts): { [Name in keyof Parts]?: NonNullable<Parts[Name]> } {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Parts]?: NonNullable<Parts[Name]> };
}
