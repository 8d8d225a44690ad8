import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Step } from '@joblens/core/gateway/restrict';
import { type QueryResponse, readResults } from '@joblens/core/influxql/response';
import { err, ok, type Result } from '@joblens/core/result/result';
import { type Fault, refuse } from './fault.js';
import { formatQuery, type Place, type WantedQuery } from './read-query.js';
import { type StoreProxy, streamAnswer } from './store-proxy.js';

/** The most of an answer that is put together here, which only names of fields and the like are. */
const MAX_JOINED_BYTES = 16 << 20;
const TOO_LONG = refuse(413, 'long-answer', 'the answer is too long to be put together: ask one statement at a time');

interface Asking {
  readonly store: StoreProxy;
  readonly place: Place;
  readonly wanted: WantedQuery;
  readonly client: ServerResponse;
}

/**
 * Asks the store what may be asked. Usually its answer is passed on as it comes; where a part is made here, all parts
 * are put together first.
 */
export async function askRestricted(
  response: ServerResponse,
  steps: readonly Step[],
  wanted: WantedQuery,
  { store, place }: { readonly store: StoreProxy; readonly place: Place }
): Promise<Fault | undefined> {
  const asking = { store, place, wanted, client: response };
  const statements = steps.flatMap((step) => (step.kind === 'ask' ? [step.statement] : []));
  if (statements.length < steps.length) return sendJoined(response, steps, asking);
  const answer = await store.query(formatQuery(statements.join(';\n'), wanted, place), response);
  if (!answer.ok) return answer.error;
  await streamAnswer(answer.value, response);
  return undefined;
}

async function sendJoined(
  response: ServerResponse,
  steps: readonly Step[],
  asking: Asking
): Promise<Fault | undefined> {
  const results: string[] = [];
  let bytes = 0;
  for (const [at, step] of steps.entries()) {
    const result = await (step.kind === 'ask' ? askOne(step.statement, at, asking) : makeAnswer(step, at, asking));
    if (!result.ok) return result.error;
    results.push(result.value);
    bytes += result.value.length;
    if (bytes > MAX_JOINED_BYTES) return TOO_LONG;
  }
  const parts = asking.wanted.isChunked ? results : [results.join(',')];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(parts.map((part) => `{"results":[${part}]}\n`).join(''));
  return undefined;
}

type Made = Extract<Step, { readonly kind: 'answer' }>;

async function makeAnswer({ statements, answer }: Made, at: number, asking: Asking): Promise<Result<string, Fault>> {
  const text = statements.length === 0 ? ok('{}') : await askWhole(statements.join(';\n'), asking);
  if (!text.ok) return text;
  const made = answer(readResults(JSON.parse(text.value) as QueryResponse));
  return ok(JSON.stringify({ statement_id: at, ...made }));
}

/** The result of one statement with its number, as the text that came: numbers stay as they were printed. */
async function askOne(statement: string, at: number, asking: Asking): Promise<Result<string, Fault>> {
  const text = await askWhole(statement, asking);
  if (!text.ok) return text;
  const inner = /^\{"results":\[\{"statement_id":0(.*)\]\}$/s.exec(text.value.trim())?.[1];
  if (inner !== undefined) return ok(`{"statement_id":${at}${inner}`);
  const [result = {}] = readResults(JSON.parse(text.value) as QueryResponse);
  return ok(JSON.stringify({ ...result, statement_id: at }));
}

async function askWhole(text: string, { store, place, wanted, client }: Asking): Promise<Result<string, Fault>> {
  const answer = await store.query(formatQuery(text, { ...wanted, isChunked: false, isPretty: false }, place), client);
  if (!answer.ok) return answer;
  const body = await readWhole(answer.value);
  if (body === undefined) return err(TOO_LONG);
  const isJson = answer.value.headers['content-type']?.startsWith('application/json') === true;
  return isJson ? ok(body) : err(refuse(502, 'no-store', 'what the store answers is no JSON'));
}

async function readWhole(answer: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_JOINED_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
