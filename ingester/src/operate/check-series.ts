import { type QueryResponse, readResults } from '@joblens/core/influxql/response';
import { countTablesQuery, type JobTables, readMostTables } from '@joblens/core/ask/tables/most-tables';
import { cutToColumns, toVisibleText } from '@joblens/core/console/terminal-text';
import { printStatement } from '@joblens/core/influxql/print';
import { DAY_MS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import { formatAuthorization, type InfluxConnection } from '../sinks/influxdb/connection.js';
import { createHttpClient } from '../sinks/influxdb/http-client.js';
import { parseJson, readField } from '../sinks/influxdb/read-rejection.js';
import type { Finding } from './finding.js';

const NAME = 'series';
const DAYS = 7;
const MOST_NAMED = 3;
const MAX_NAME_COLUMNS = 60;
/** Enough for a week of some 100,000 jobs. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** A job has no more of Joblens's own, unless the administrator allows it. */
const MANY_TABLES = 1000;
const ADVICE =
  'each set of keys is a table, and each table several series, which cost the store memory as long as it keeps them; print the same keys in each row, or lower --max-tables';

/** Names the jobs of the last days that have the most series: those with the most tables. */
export async function checkSeries(connection: InfluxConnection, nowMs: number): Promise<Finding> {
  const fromNs = BigInt(Math.floor(nowMs) - DAYS * DAY_MS) * NS_PER_MS;
  const client = createHttpClient(connection.url, formatAuthorization(connection), MAX_ANSWER_BYTES);
  try {
    const [db = '', rp] = connection.bucket.split('/');
    const q = printStatement(countTablesQuery({ fromNs }));
    const parameters = new URLSearchParams({ db, ...(rp !== undefined && { rp }), q });
    const signal = AbortSignal.timeout(connection.timeoutMs);
    const { status, text } = await client.send({ method: 'GET', path: `/query?${parameters.toString()}`, signal });
    const answer = parseJson(text);
    const [result] = Array.isArray(readField(answer, 'results')) ? readResults(answer as QueryResponse) : [];
    if (result === undefined || result.error !== undefined) {
      return describeUnknown(result?.error ?? `status ${status}`);
    }
    return describeMost(readMostTables(result, MOST_NAMED));
  } catch (error) {
    return describeUnknown(error instanceof Error ? error.message : String(error));
  } finally {
    client.close();
  }
}

/** Whoever writes need not be allowed to read. */
function describeUnknown(reason: string): Finding {
  const found = toVisibleText(reason);
  return { state: 'ok', name: NAME, message: `which jobs have the most tables cannot be read: ${found}` };
}

function describeMost(jobs: readonly JobTables[]): Finding {
  const [first] = jobs;
  const range = `the last ${DAYS} days`;
  if (first === undefined) return { state: 'ok', name: NAME, message: `no job of ${range} has a table` };
  const named = jobs.map(({ job, user, tables }) => `${formatName(job)} of ${formatName(user)} (${tables})`).join(', ');
  const message = `of ${range}, the jobs with the most tables are ${named}`;
  if (first.tables < MANY_TABLES) return { state: 'ok', name: NAME, message };
  return { state: 'warn', name: NAME, message: `${message}; ${ADVICE}` };
}

function formatName(name: string): string {
  return cutToColumns(toVisibleText(name), MAX_NAME_COLUMNS);
}
