import type { Clock } from '../clock/clock.js';
import type { Destination } from '../config/settings.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import { formatAuthorization } from '../sinks/influxdb/connection.js';
import { createHttpClient } from '../sinks/influxdb/http-client.js';
import { createInfluxdbSink } from '../sinks/influxdb/influxdb-sink.js';
import { checkIndex } from './check-index.js';
import type { Finding } from './finding.js';

/** With a greater difference, rows of several machines appear in the wrong order. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;

type ServerClock = Pick<Clock, 'nowMs'>;

/** Checks that the server answers, is an InfluxDB, lets us write, accepts any number of jobs, and has our time. */
export async function checkServer(destination: Destination | undefined, clock: ServerClock): Promise<Finding[]> {
  const name = 'connection';
  if (destination === undefined) {
    const message = 'nothing says where to write; set INFLUX_HOST, or give --url URL';
    return [{ state: 'fail', name, message }];
  }
  if (destination.kind !== 'influxdb') return [{ state: 'ok', name, message: 'points go to a file, no server' }];
  const { connection } = destination;
  const sentMs = clock.nowMs();
  const answer = await ping(connection);
  if (answer.kind === 'none') {
    const message = `cannot reach InfluxDB at ${connection.url}: ${answer.reason}; start it, or set INFLUX_HOST to its address`;
    return [{ state: 'fail', name, message }];
  }
  const receivedMs = clock.nowMs();
  const isVersion1 = answer.version !== undefined && /^v?1\./.test(answer.version);
  return [
    describeServer(answer.version, connection),
    await checkAccess(connection, clock),
    ...(isVersion1 ? await checkIndex(connection) : []),
    compareClocks(answer.date, (sentMs + receivedMs) / 2),
  ];
}

type Answer =
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'answer'; readonly version: string | undefined; readonly date: string | undefined };

/** GET /ping, which all versions of InfluxDB answer (HTTP API references of 1.8, 2.7 and 3). */
async function ping(connection: InfluxConnection): Promise<Answer> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  try {
    const signal = AbortSignal.timeout(connection.timeoutMs);
    // Any status will do: the next check finds out whether it accepts points.
    const { headers } = await client.send({ method: 'GET', path: '/ping', signal });
    return { kind: 'answer', version: readHeader(headers['x-influxdb-version']), date: headers.date };
  } catch (error) {
    return { kind: 'none', reason: readReason(error) };
  } finally {
    client.close();
  }
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function readReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError') return 'no answer in time';
  return code === undefined || error.message.includes(code) ? error.message.replace(/\s+/g, ' ') : code;
}

function describeServer(version: string | undefined, { url }: InfluxConnection): Finding {
  const name = 'connection';
  if (version !== undefined) return { state: 'ok', name, message: `InfluxDB ${version} answers at ${url}` };
  const message = `what answers at ${url} does not say that it is an InfluxDB; check INFLUX_HOST`;
  return { state: 'warn', name, message };
}

/** Writes no point at all, so that the server can only object to token, bucket or user. */
async function checkAccess(connection: InfluxConnection, clock: ServerClock): Promise<Finding> {
  const { token, user, bucket, timeoutMs } = connection;
  const sink = createInfluxdbSink(connection, () => clock.nowMs());
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
