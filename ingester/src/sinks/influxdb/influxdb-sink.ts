import { promisify } from 'node:util';
import { gzip as gzipWithCallback, type ZlibOptions } from 'node:zlib';
import type { Clock } from '../../clock/clock.js';
import { withDeadline } from '../../clock/deadline.js';
import { ROWS_HEADER } from '../../net/rows-header.js';
import type { PointBatch } from '../../queue/point-queue.js';
import type { Sink, WriteOutcome, WriteRejected } from '../sink.js';
import { type CheckedStore, createCheckedStore } from './checked-store.js';
import { classifyAnswer, classifyFailure } from './classify-answer.js';
import {
  formatAuthorization,
  formatWritePath,
  type InfluxApi,
  type InfluxConnection,
  isLoopback,
} from './connection.js';
import { createHttpClient, type HttpAnswer, type HttpRequest } from './http-client.js';
import { readAnswer, readMessage } from './read-answer.js';
import { readField, readRejection } from './read-rejection.js';

const gzip = promisify<Buffer, ZlibOptions, Buffer>(gzipWithCallback);

const GZIP_FROM_BYTES = 1000;
/** A request gets this much time for its size besides `timeoutMs`, so that a slow link does not count as a dead one. */
const MIN_BYTES_PER_MS = 100;

/** A shorter silence tells nothing about a store. */
const FAIR_WAIT_MS = 1000;

interface Body {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type SinkClock = Pick<Clock, 'nowMs' | 'monotonicMs'>;

/** Makes one request for each attempt. Other sinks around it retry and split. */
export function createInfluxdbSink(connection: InfluxConnection, clock: SinkClock): Sink {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  const isCompressed = !isLoopback(connection.url);
  const bodies = new WeakMap<Buffer, Promise<Body>>();
  const known = connection.api === 'auto' ? undefined : connection.api;
  let api = known;
  const store = createCheckedStore(client, connection);

  /** Compresses a batch once, however often it is sent. */
  function encode({ bytes }: PointBatch): Promise<Body> {
    const body = bodies.get(bytes) ?? (isCompressed ? compress(bytes) : Promise.resolve({ body: bytes, headers: {} }));
    bodies.set(bytes, body);
    return body;
  }

  /** `signal` ends all, `requestSignal` also what takes too long. */
  async function write(batch: PointBatch, requestSignal: AbortSignal, signal: AbortSignal): Promise<WriteOutcome> {
    if (api === undefined) {
      const detected = await detectApi(store, connection, requestSignal, clock);
      if (typeof detected !== 'string') return detected;
      api = detected;
    }
    const { body, headers } = await encode(batch);
    const request: HttpRequest = {
      ...{ method: 'POST', path: formatWritePath(connection, api), body, signal: requestSignal },
      headers: { 'content-type': 'text/plain; charset=utf-8', [ROWS_HEADER]: 'made', ...headers },
    };
    const { answer, doubt } = await store.write(request, api, signal);
    const read = readAnswer(answer, clock);
    const outcome = classifyAnswer(doubt === undefined ? read : { ...read, doubt }, connection, api);
    if (outcome.kind === 'rejected') return addHint(outcome, answer, batch);
    if (outcome.kind === 'success') return outcome;
    store.forget();
    // Another server may be there now.
    if (answer.status === 404 || doubt !== undefined) api = known;
    return doubt !== undefined && signal.aborted ? { ...outcome, isCutShort: true } : outcome;
  }

  return {
    write(batch, signal) {
      const timeoutMs = connection.timeoutMs + batch.bytes.length / MIN_BYTES_PER_MS;
      const startedMs = clock.monotonicMs();
      return withDeadline(timeoutMs, [signal], async (requestSignal) => {
        try {
          return await write(batch, requestSignal, signal);
        } catch (error) {
          const waitedMs = signal.aborted ? clock.monotonicMs() - startedMs : timeoutMs;
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
  store: CheckedStore,
  connection: InfluxConnection,
  signal: AbortSignal,
  clock: SinkClock
): Promise<InfluxApi | WriteOutcome> {
  if (connection.token !== undefined || connection.org !== undefined) return 'v2';
  const { engine, answer } = await store.ping(signal);
  const isAnswered = (answer.status >= 200 && answer.status < 300) || answer.status === 404;
  const outcome = classifyAnswer(readAnswer(answer, clock), connection, 'v1');
  if (outcome.kind === 'retryable' && !isAnswered) return outcome;
  return engine.major === 2 || engine.major === 3 ? 'v2' : 'v1';
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
