import { Readable } from 'node:stream';
import { parseQuery, printStatement } from '@joblens/core';
import type { Precision, Statement } from '@joblens/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { executeStatement } from './execute-statement.js';
import { formatChunkedJson, formatCsv, formatJson, quoteCsv } from './format-response.js';
import type { StatementOutput } from './format-response.js';
import { sendError } from './http-error.js';
import { indentJson } from './indent-json.js';
import { StatementError } from './statement-error.js';
import type { Store } from './store.js';

/** InfluxDB's own default for `chunked=true`. */
const DEFAULT_CHUNK_SIZE = 10_000;

/** The units that InfluxDB 1.x knows in `epoch`; every other text means nanoseconds there. */
const EPOCH_UNITS: Readonly<Record<string, Precision>> = { u: 'us', µ: 'us', ms: 'ms', s: 's', m: 'm', h: 'h' };

export interface QueryClock {
  readonly nowNs: () => bigint;
}

/** Answers /query: parameters come in the URL, in a form, or both. */
export async function answerQuery(
  store: Store,
  clock: QueryClock,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const parameters = readParameters(request);
  const isCsv = /^(application|text)\/csv/.test(request.headers.accept ?? '');
  const refuse = (message: string): FastifyReply =>
    isCsv ? sendCsvError(reply, message) : sendError(reply, 400, message);
  const text = (parameters.get('q') ?? '').trim();
  if (text === '') return refuse('missing required parameter "q"');
  if (parameters.has('params')) return refuse('error parsing query parameters: params is not supported by this store');
  const parsed = parseQuery(text);
  if (!parsed.ok) return refuse(prefixParseError(parsed.error.message));
  const options = { database: parameters.get('db') ?? '', nowNs: clock.nowNs() };
  const outputs = parsed.value.map((statement, statementId) =>
    createOutput(store, statement, statementId, options, request)
  );
  const epochText = (parameters.get('epoch') ?? '').trim();
  const epoch = epochText === '' ? undefined : (EPOCH_UNITS[epochText] ?? 'ns');
  if (isCsv) return reply.type('text/csv').send(Readable.from(formatCsv(outputs, { epoch })));
  reply.type('application/json');
  if (parameters.get('chunked') === 'true') {
    const chunkSize = readChunkSize(parameters.get('chunk_size'));
    return reply.send(Readable.from(formatChunkedJson(outputs, { epoch, chunkSize })));
  }
  const json = formatJson(outputs, { epoch });
  if (parameters.get('pretty') !== 'true') return reply.send(Readable.from(json));
  const parts: string[] = [];
  for await (const part of json) parts.push(part);
  return reply.send(indentJson(parts.join('')));
}

function createOutput(
  store: Store,
  statement: Statement,
  statementId: number,
  options: { readonly database: string; readonly nowNs: bigint },
  request: FastifyRequest
): StatementOutput {
  return {
    statementId,
    batches: executeStatement(store, statement, options),
    describeError: (error) => {
      if (error instanceof StatementError) return error.message;
      request.log.error({ err: error, statement: printStatement(statement) }, 'Cannot answer a statement');
      return `internal error: ${error instanceof Error ? error.message : String(error)}`;
    },
  };
}

function prefixParseError(message: string): string {
  return message.startsWith('error parsing query: ') ? message : `error parsing query: ${message}`;
}

function readParameters(request: FastifyRequest): URLSearchParams {
  const url = request.url;
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  if (isForm && Buffer.isBuffer(request.body)) {
    for (const [name, value] of new URLSearchParams(request.body.toString('utf8'))) parameters.set(name, value);
  }
  return parameters;
}

function readChunkSize(text: string | null): number {
  const size = Number(text ?? '');
  return Number.isInteger(size) && size > 0 ? size : DEFAULT_CHUNK_SIZE;
}

function sendCsvError(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .code(400)
    .header('X-Influxdb-Error', message.replace(/[^\x20-\x7e]/g, ' '))
    .type('text/csv')
    .send(`error\n${quoteCsv(message)}\n`);
}

/** A header holds one line of printable ASCII. */
export function encodeHeader(message: string): string {
  return message.replace(/[^\x20-\x7e]/g, ' ');
}
