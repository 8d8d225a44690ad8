import { err, ok, type Result } from '@joblens/core/result/result';
import type { Clock } from '../clock/clock.js';
import type { Destination } from '../config/settings.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import { type Engine, type Ping, pingOnce } from '../sinks/influxdb/engine.js';
import { createInfluxdbSink } from '../sinks/influxdb/influxdb-sink.js';
import { checkIndex } from './check-index.js';
import { checkSeries } from './check-series.js';
import type { Finding } from './finding.js';

/** With a greater difference, rows of several machines appear in the wrong order. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;

type ServerClock = Pick<Clock, 'nowMs' | 'monotonicMs'>;

/**
 * Checks that the server answers, is an InfluxDB, lets us write, accepts any number of jobs, and has our time.
 * Names the jobs that cost it most.
 */
export async function checkServer(destination: Destination | undefined, clock: ServerClock): Promise<Finding[]> {
  const name = 'connection';
  if (destination === undefined) {
    const message = 'nothing says where to write; set INFLUX_HOST, or give --url URL';
    return [{ state: 'fail', name, message }];
  }
  if (destination.kind !== 'influxdb') return [{ state: 'ok', name, message: 'points go to a file, no server' }];
  const { connection } = destination;
  const sentMs = clock.nowMs();
  const asked = await askEngine(connection);
  if (!asked.ok) {
    const message = `cannot reach InfluxDB at ${connection.url}: ${asked.error}; start it, or set INFLUX_HOST to its address`;
    return [{ state: 'fail', name, message }];
  }
  const receivedMs = clock.nowMs();
  const { engine, answer } = asked.value;
  const access = await checkAccess(connection, clock);
  return [
    describeServer(engine, connection, access),
    ...describeLimits(engine),
    describeRewrites(engine, connection),
    access,
    ...(engine.major === 1 ? await checkIndex(connection) : []),
    ...(access.state === 'ok' ? [await checkSeries(connection, receivedMs)] : []),
    compareClocks(answer.headers.date, (sentMs + receivedMs) / 2),
  ];
}

/** Any status will do: the next check finds out whether it accepts points. The error says why there is no answer. */
async function askEngine(connection: InfluxConnection): Promise<Result<Ping, string>> {
  try {
    return ok(await pingOnce(connection, AbortSignal.timeout(connection.timeoutMs)));
  } catch (error) {
    return err(readReason(error));
  }
}

function readReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError') return 'no answer in time';
  return code === undefined || error.message.includes(code) ? error.message.replace(/\s+/g, ' ') : code;
}

function describeServer(engine: Engine, { url, trustsUnnamed }: InfluxConnection, access: Finding): Finding {
  const name = 'connection';
  if (engine.kind !== 'unknown') return { state: 'ok', name, message: `${engine.name} answers at ${url}` };
  if (access.state === 'ok') {
    const why = trustsUnnamed === true ? ', as JOBLENS_UNNAMED_STORE says' : '';
    return { state: 'ok', name, message: `a store that does not say its name answers at ${url}${why}` };
  }
  const message = `what answers at ${url} does not say that it is an InfluxDB; check INFLUX_HOST`;
  return { state: 'warn', name, message };
}

const LIMITS: Readonly<Partial<Record<Engine['kind'], string>>> = {
  openGemini: 'joblens delete cannot delete there, and a new job or table shows up to 2 s late',
  cluster: 'with the consistency `one`, what was just written may be missing from an answer for a moment',
};

/** What differs from one InfluxDB (docs/engines.md). */
function describeLimits({ kind }: Engine): Finding[] {
  const message = LIMITS[kind];
  return message === undefined ? [] : [{ state: 'ok', name: 'engine', message }];
}

/** What is written where a point that is written again may not replace the one before (docs/promises.md). */
function describeRewrites({ kind, rewrites: byEngine }: Engine, { rewrites = byEngine }: InfluxConnection): Finding {
  const isSaid = rewrites !== byEngine;
  const said = isSaid ? 'as JOBLENS_REWRITES says, ' : kind === 'unknown' ? 'as far as is known, ' : '';
  const message = rewrites
    ? 'a point that is written again replaces the one before'
    : 'either of two versions of a point may stay, so only what is final is written: a line once it has ended';
  return { state: 'ok', name: 'rewrites', message: `${said}${message}` };
}

/** Writes no point at all, so that the server can only object to token, bucket or user. */
async function checkAccess(connection: InfluxConnection, clock: ServerClock): Promise<Finding> {
  const { token, user, bucket, timeoutMs } = connection;
  const sink = createInfluxdbSink(connection, clock);
  const outcome = await sink.write({ bytes: Buffer.from('\n'), points: 0 }, AbortSignal.timeout(timeoutMs));
  await sink.close();
  if (outcome.kind === 'retryable') return { state: 'fail', name: 'access', message: outcome.message };
  const who = token !== undefined ? 'the token' : user !== undefined ? `user ${user}` : 'anyone, without a token,';
  return { state: 'ok', name: 'access', message: `${who} may write to ${bucket}` };
}

/** Uses the Date header of the server's answer, which has whole seconds. */
function compareClocks(date: string | undefined, nowMs: number): Finding {
  const name = 'clock';
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs)) return { state: 'warn', name, message: 'the server does not say what time it has' };
  const differenceMs = nowMs - (serverMs + 500);
  const distanceMs = Math.abs(differenceMs);
  if (distanceMs <= MAX_CLOCK_DIFFERENCE_MS) {
    return {
      state: 'ok',
      name,
      message: `differs from the server's by at most ${Math.ceil(distanceMs / 1000 + 0.5)} s`,
    };
  }
  const found = `${Math.round(distanceMs / 1000)} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the server's`;
  return { state: 'warn', name, message: `${found}: rows get this machine's time; synchronise both (NTP)` };
}
