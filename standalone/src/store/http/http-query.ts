import { Readable } from 'node:stream';
import type { Statement } from '@joblens/core/influxql/nodes';
import { type BoundParameters, type BoundValue, parseQuery } from '@joblens/core/influxql/parse';
import { printStatement } from '@joblens/core/influxql/print';
import type { Precision } from '@joblens/core/point/timestamp';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecuteOptions, executeStatement } from '../query/execute-statement.js';
import { formatChunkedJson, formatCsv, formatJson, quoteCsv, type StatementOutput } from './format-response.js';
import { encodeHeader, sendError, shorten } from './http-error.js';
import { indentJson } from './indent-json.js';
import { MAX_QUERY_CHARS } from '../query/values/limits.js';
import { inTurns, startQueryTask } from '../query/values/query-task.js';
import { StatementError } from '../query/values/statement-error.js';
import type { Store } from '../kept/store.js';

/** InfluxDB's own default for `chunked=true`. */
const DEFAULT_CHUNK_SIZE = 10_000;
/** A chunk is made in one piece. */
const MAX_CHUNK_SIZE = 100_000;

/** The units that InfluxDB 1.x knows in `epoch`; any other text means nanoseconds. */
const EPOCH_UNITS: Readonly<Record<string, Precision>> = { u: 'us', µ: 'us', ms: 'ms', s: 's', m: 'm', h: 'h' };

export interface QueryRules {
  readonly nowNs: () => bigint;
  /** Refuse statements that change the store. */
  readonly isReadOnly: boolean;
  readonly timeoutMs: number;
}

const READ_KINDS: readonly Statement['kind'][] = [
  'select',
  'showDatabases',
  'showRetentionPolicies',
  'showMeasurements',
  'showTagKeys',
  'showFieldKeys',
  'showTagValues',
  'showSeries',
  'showCardinality',
];

/** Answers /query. Parameters come in the URL, in a form, or in both. */
export function answerQuery(
  store: Store,
  rules: QueryRules,
  request: FastifyRequest,
  reply: FastifyReply
): FastifyReply {
  const parameters = readParameters(request);
  const isCsv = /^(application|text)\/csv/.test(request.headers.accept ?? '');
  const asked = readStatements(parameters, rules);
  if (!asked.ok) {
    const { status, message } = asked.error;
    return isCsv ? sendCsvError(reply, status, message) : sendError(reply, status, message);
  }
  const signal = startQueryTask(reply, rules.timeoutMs);
  const options = { database: parameters.get('db') ?? '', nowNs: rules.nowNs(), signal };
  const outputs = asked.value.map((statement, statementId) =>
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
  return reply.send(Readable.from(parameters.get('pretty') === 'true' ? indentJson(json) : json));
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

function readStatements(parameters: URLSearchParams, { isReadOnly }: QueryRules): Result<Statement[], Refusal> {
  const refuse = (message: string, status = 400): Result<never, Refusal> => err({ status, message });
  const text = (parameters.get('q') ?? '').trim();
  if (text === '') return refuse('missing required parameter "q"');
  if (text.length > MAX_QUERY_CHARS) return refuse('Request Entity Too Large', 413);
  const bound = parseBoundParameters(parameters.get('params'));
  if (!bound.ok) return refuse(bound.error);
  const parsed = parseQuery(text, bound.value);
  if (!parsed.ok) return refuse(prefixParseError(parsed.error.message));
  const change = isReadOnly && parsed.value.find(({ kind }) => !READ_KINDS.includes(kind));
  if (!change) return parsed;
  const what = `not authorized to execute statement '${printStatement(change)}', requires the token`;
  return refuse(`error authorizing query: ${what}`, 403);
}

/** The values of `params`: a JSON object of texts, numbers and booleans. */
function parseBoundParameters(text: string | null): Result<BoundParameters, string> {
  if (text === null || text === '') return ok(new Map());
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return err(`error parsing query parameters: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return err('error parsing query parameters: params must be a JSON object');
  }
  const values = new Map<string, BoundValue>();
  for (const [name, value] of Object.entries(parsed)) {
    const bound = bindValue(value as unknown);
    if (bound === undefined) return err(`error parsing query: missing parameter: unable to bind parameter ${name}`);
    values.set(name, bound);
  }
  return ok(values);
}

/** A plain value, or an object that says of what kind it is (influxql.BindValue). */
function bindValue(value: unknown): BoundValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return undefined;
  const [entry, ...others] = Object.entries(value) as [string, unknown][];
  return entry === undefined || others.length > 0 ? undefined : bindKind(...entry);
}

function bindKind(kind: string, value: unknown): BoundValue | undefined {
  if (typeof value === 'string') return bindText(kind, value);
  if (typeof value !== 'number') return undefined;
  if (kind === 'float' || kind === 'number') return value;
  if (!Number.isSafeInteger(value)) return undefined;
  if (kind === 'duration') return { kind, text: `${value}ns` };
  return kind === 'int' || kind === 'integer' ? BigInt(value) : undefined;
}

function bindText(kind: string, text: string): BoundValue | undefined {
  switch (kind) {
    case 'string':
      return text;
    case 'regex':
    case 'duration':
      return { kind, text };
    case 'ident':
    case 'identifier':
      return { kind: 'identifier', text };
    default:
      return undefined;
  }
}

function createOutput(
  store: Store,
  statement: Statement,
  statementId: number,
  options: ExecuteOptions,
  request: FastifyRequest
): StatementOutput {
  return {
    statementId,
    batches: inTurns(executeStatement(store, statement, options), options.signal),
    describeError: (error) => {
      if (error instanceof StatementError) return shorten(error.message);
      request.log.error({ err: error, statement: printStatement(statement) }, 'Cannot answer a statement');
      return shorten(`internal error: ${error instanceof Error ? error.message : String(error)}`);
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
  return Number.isInteger(size) && size > 0 ? Math.min(size, MAX_CHUNK_SIZE) : DEFAULT_CHUNK_SIZE;
}

function sendCsvError(reply: FastifyReply, status: number, message: string): FastifyReply {
  const text = shorten(message);
  return reply
    .code(status)
    .header('X-Influxdb-Error', encodeHeader(text))
    .type('text/csv')
    .send(`error\n${quoteCsv(text)}\n`);
}
