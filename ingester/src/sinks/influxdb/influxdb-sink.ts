import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { gzip as gzipWithCallback } from 'node:zlib';
import { withDeadline } from '../../clock/deadline.js';
import type { PointBatch } from '../../queue/point-queue.js';
import type { Sink, WriteOutcome, WriteRejected } from '../sink.js';
import type { WriteAnswer } from './classify-answer.js';
import { classifyAnswer, classifyFailure, parseRetryAfter } from './classify-answer.js';
import type { InfluxApi, InfluxConnection } from './connection.js';
import { formatAuthorization, formatWritePath, isLoopback } from './connection.js';
import type { HttpAnswer, HttpClient } from './http-client.js';
import { createHttpClient } from './http-client.js';
import { parseJson, readField, readRejection } from './read-rejection.js';

const gzip = promisify<Buffer, ZlibOptions, Buffer>(gzipWithCallback);

const GZIP_FROM_BYTES = 1000;
const MAX_MESSAGE_CHARS = 300;
/**
 * Headers that show that InfluxDB answers (httpd/handler.go of 1.x, http/handler.go of 2.x; also version 3 and
 * compatible servers).
 */
const INFLUXDB_HEADERS = ['x-influxdb-version', 'x-influxdb-build', 'x-influxdb-error'] as const;
/** A request gets this much time for its size besides `timeoutMs`, so that a slow link does not count as a dead one. */
const MIN_BYTES_PER_MS = 100;

/** A shorter silence tells nothing about a store. */
const FAIR_WAIT_MS = 1000;

interface Body {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes one request for each attempt. Other sinks around it retry and split. */
export function createInfluxdbSink(connection: InfluxConnection, nowMs: () => number): Sink {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  const isCompressed = !isLoopback(connection.url);
  const bodies = new WeakMap<Buffer, Promise<Body>>();
  const known = connection.api === 'auto' ? undefined : connection.api;
  let api = known;

  /** Compresses a batch once, however often it is sent. */
  function encode({ bytes }: PointBatch): Promise<Body> {
    const body = bodies.get(bytes) ?? (isCompressed ? compress(bytes) : Promise.resolve({ body: bytes, headers: {} }));
    bodies.set(bytes, body);
    return body;
  }

  async function write(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome> {
    if (api === undefined) {
      const detected = await detectApi(client, connection, signal, nowMs);
      if (typeof detected !== 'string') return detected;
      api = detected;
    }
    const { body, headers } = await encode(batch);
    const path = formatWritePath(connection, api);
    const answer = await client.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
      body,
      signal,
    });
    const outcome = classifyAnswer(readAnswer(answer, nowMs), connection, api);
    // Another server may be there now.
    if (answer.status === 404) api = known;
    return outcome.kind === 'rejected' ? addHint(outcome, answer, batch) : outcome;
  }

  return {
    write(batch, signal) {
      const timeoutMs = connection.timeoutMs + batch.bytes.length / MIN_BYTES_PER_MS;
      const startedMs = nowMs();
      return withDeadline(timeoutMs, [signal], async (requestSignal) => {
        try {
          return await write(batch, requestSignal);
        } catch (error) {
          const waitedMs = signal.aborted ? nowMs() - startedMs : timeoutMs;
          const message = requestSignal.aborted
            ? `no answer within ${formatSeconds(waitedMs)}`
            : readErrorField(error, 'message');
          const failure = classifyFailure(readErrorField(error, 'code'), message, connection);
          return signal.aborted && waitedMs < FAIR_WAIT_MS ? { ...failure, isCutShort: true } : failure;
        }
      });
    },
    prepare: (batch) => void encode(batch),
    close() {
      client.close();
      return Promise.resolve();
    },
  };
}

/**
 * Level 1 is five times as fast as the default level 6, and the result only a fifth larger. It runs outside the main
 * thread.
 */
async function compress(body: Buffer): Promise<Body> {
  if (body.length < GZIP_FROM_BYTES) return { body, headers: {} };
  return { body: await gzip(body, { level: 1 }), headers: { 'content-encoding': 'gzip' } };
}

/**
 * A token or an organisation means 2.x or 3.x; else the server's version decides. Undecided while the server does not
 * answer.
 */
async function detectApi(
  client: HttpClient,
  connection: InfluxConnection,
  signal: AbortSignal,
  nowMs: () => number
): Promise<InfluxApi | WriteOutcome> {
  if (connection.token !== undefined || connection.org !== undefined) return 'v2';
  const answer = await client.send({ method: 'GET', path: '/ping', signal });
  const isAnswered = (answer.status >= 200 && answer.status < 300) || answer.status === 404;
  const outcome = classifyAnswer(readAnswer(answer, nowMs), connection, 'v1');
  if (outcome.kind === 'retryable' && !isAnswered) return outcome;
  const version = answer.headers['x-influxdb-version'];
  return /^v?[23]\./.test(typeof version === 'string' ? version : '') ? 'v2' : 'v1';
}

function readAnswer({ status, statusText, headers, text }: HttpAnswer, nowMs: () => number): WriteAnswer {
  const body = readBodyKind(headers['content-type'], text);
  const { location } = headers;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs());
  return {
    ...{ status, body, isNamed: INFLUXDB_HEADERS.some((name) => headers[name] !== undefined) },
    message: shorten(text === '' ? statusText : body === 'page' ? readPage(text) : readMessage(text)),
    ...(location !== undefined && { location: shorten(location) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function readBodyKind(contentType: string | undefined, text: string): WriteAnswer['body'] {
  if (text.trim() === '') return 'none';
  if (parseJson(text) !== undefined) return 'json';
  return contentType?.includes('html') === true || /^\s*</.test(text) ? 'page' : 'text';
}

/** Reads the text of a page that a person would read first. */
function readPage(text: string): string {
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  return `a page: ${title.trim() === '' ? text.replace(/<[^>]*>/g, ' ') : title}`;
}

/** InfluxDB 1.x and 3.x answer `{"error": …}`, 2.x `{"message": …}`, proxies answer with pages. */
function readMessage(text: string): string {
  const json = parseJson(text);
  const said = [readField(json, 'message'), readField(json, 'error')].find((value) => typeof value === 'string');
  return typeof said === 'string' ? said : text;
}

function shorten(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS);
}

function addHint(outcome: WriteRejected, { status, text }: HttpAnswer, batch: PointBatch): WriteOutcome {
  if (status === 413) return { ...outcome, hint: { kind: 'size' } };
  const hint = readRejection(text, readMessage(text), batch);
  return hint === undefined ? outcome : { ...outcome, hint };
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function readErrorField(error: unknown, name: 'code' | 'message'): string {
  const value = readField(error, name);
  return typeof value === 'string' ? value : '';
}
