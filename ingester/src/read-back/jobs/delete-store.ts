import type { Statement } from '@joblens/core/influxql/nodes';
import { err, ok, type Result } from '@joblens/core/result/result';
import { printStatements } from '@joblens/core/influxql/print';
import { JOB_SERIES_MEASUREMENTS } from '@joblens/core/ask/jobs/delete-job';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import { formatAuthorization, formatWritePath, type InfluxConnection } from '../../sinks/influxdb/connection.js';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from '../../sinks/influxdb/http-client.js';
import { ping } from '../../sinks/influxdb/engine.js';

type Version = 1 | 2 | 3;

/** Tried with openGemini 1.5: what DROP SERIES hid is in other answers still, and comes back with the next point. */
const HIDES_ONLY =
  'openGemini hides dropped points from some answers only, so nothing is deleted; shorten the duration of the retention policy, or ask its operators';
const LAST_TIME = '2262-04-11T00:00:00Z';
const POINTS_AT_ONCE = 5000;

/**
 * By the header that all versions of InfluxDB give; the embedded store is one of version 1. A build of one's own says
 * `dev` there: only version 2 tells whether it is set up (InfluxDB 2.7, GET /api/v2/setup).
 */
export async function detectVersion(
  connection: InfluxConnection,
  use: 'delete' | 'write' = 'delete'
): Promise<Result<Version, string>> {
  const asked = await tryToAsk(connection, (client, signal) => ping(client, signal));
  if (!asked.ok) return asked;
  const { engine } = asked.value;
  if (engine.kind === 'openGemini') return use === 'delete' ? err(HIDES_ONLY) : ok(1);
  if (engine.major !== undefined) return ok(engine.major === 2 || engine.major === 3 ? engine.major : 1);
  const setup = await send(connection, { method: 'GET', path: '/api/v2/setup' });
  return setup.ok ? ok(setup.value.status === 200 ? 2 : 1) : setup;
}

export async function writePoints(
  connection: InfluxConnection,
  version: Version,
  lines: readonly string[]
): Promise<Result<true, string>> {
  const path = formatWritePath(connection, version === 2 ? 'v2' : 'v1');
  for (let at = 0; at < lines.length; at += POINTS_AT_ONCE) {
    const body = Buffer.from(lines.slice(at, at + POINTS_AT_ONCE).join('\n'));
    const answer = await send(connection, { method: 'POST', path, body });
    if (!answer.ok) return answer;
    if (answer.value.status !== 204) return err(describeRefusal(connection, answer.value));
  }
  return ok(true);
}

/** Deletes the series of a job: as InfluxQL, or over /api/v2/delete, which version 2 has instead. */
export async function deleteSeries(
  connection: InfluxConnection,
  version: Version,
  names: { readonly job: string; readonly user: string },
  statements: readonly Statement[]
): Promise<Result<true, string>> {
  const query = createQuery(connection, version === 2 ? statements.map(printDelete) : statements.map(printDrop));
  const requests = version === 2 ? createDeletes(connection, names) : [];
  // The predicates of version 2 find no points that lack a tag; its InfluxQL does.
  if (version !== 2 || names.user === '') requests.push(query);
  for (const request of requests) {
    const answer = await send(connection, request);
    if (!answer.ok) return answer;
    const { status, text } = answer.value;
    const isDone = request.path !== '/query' ? status === 204 : status === 200 && !text.includes('"error"');
    if (!isDone) return err(describeRefusal(connection, answer.value));
  }
  return ok(true);
}

function printDrop(statement: Statement): string {
  return printStatements([statement]);
}

/** The same statement for version 2, which has no DROP SERIES. */
function printDelete(statement: Statement): string {
  return printDrop(statement).replace(/^DROP SERIES/, 'DELETE');
}

function createQuery({ bucket }: InfluxConnection, statements: readonly string[]): Omit<HttpRequest, 'signal'> {
  const parameters = new URLSearchParams({ db: bucket.split('/')[0] ?? '', q: statements.join('; ') });
  return {
    method: 'POST',
    path: '/query',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(parameters.toString()),
  };
}

/** Its predicates know AND and = alone (InfluxDB 2.7, delete predicate syntax). "user" is a word of InfluxQL's. */
function createDeletes(
  { bucket, org }: InfluxConnection,
  { job, user }: { readonly job: string; readonly user: string }
): Array<Omit<HttpRequest, 'signal'>> {
  const place = new URLSearchParams({ bucket, ...(org !== undefined && { org }) });
  const tags = `"job"=${quote(job)} AND "user"=${quote(user)}`;
  return JOB_SERIES_MEASUREMENTS.map((measurement) => ({
    method: 'POST',
    path: `/api/v2/delete?${place.toString()}`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(
      JSON.stringify({
        ...{ start: '1970-01-01T00:00:00Z', stop: LAST_TIME },
        predicate: `_measurement="${measurement}" AND ${tags}`,
      })
    ),
  }));
}

function quote(name: string): string {
  return `"${encodeTagValue(name).replace(/["\\]/g, '\\$&')}"`;
}

function describeRefusal({ bucket, url }: InfluxConnection, { status, text }: HttpAnswer): string {
  const isDenied = status === 401 || status === 403;
  const advice = isDenied ? 'use a token that may write' : 'check INFLUX_BUCKET and the log of the server';
  return `cannot change ${bucket} at ${url}: status ${status}, ${JSON.stringify(text.trim().slice(0, 200))}; ${advice}`;
}

function send(connection: InfluxConnection, request: Omit<HttpRequest, 'signal'>): Promise<Result<HttpAnswer, string>> {
  return tryToAsk(connection, (client, signal) => client.send({ ...request, signal }));
}

async function tryToAsk<T>(
  connection: InfluxConnection,
  ask: (client: HttpClient, signal: AbortSignal) => Promise<T>
): Promise<Result<T, string>> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  try {
    return ok(await ask(client, AbortSignal.timeout(6 * connection.timeoutMs)));
  } catch (error) {
    const found = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    return err(`cannot ask ${connection.url}: ${found}; check INFLUX_HOST`);
  } finally {
    client.close();
  }
}
