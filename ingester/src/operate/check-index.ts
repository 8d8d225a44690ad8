import { formatAuthorization, type InfluxConnection } from '../sinks/influxdb/connection.js';
import { createHttpClient, type HttpClient } from '../sinks/influxdb/http-client.js';
import { parseJson, readField } from '../sinks/influxdb/read-rejection.js';
import type { Finding } from './finding.js';

const NAME = 'index';
/** The defaults of InfluxDB 1.x (tsdb/config.go). Only its default index, `inmem`, has these limits. */
const DEFAULT_LIMITS: Limits = { valuesPerTag: 100_000, seriesPerDatabase: 1_000_000 };
const ADVICE =
  'set index-version = "tsi1" under [data] in influxdb.conf, run `influx_inspect buildtsi` for what is stored already, and restart it';

/** The most values of one tag, and series of one database; 0: no limit. */
interface Limits {
  readonly valuesPerTag: number;
  readonly seriesPerDatabase: number;
}

/**
 * Checks whether an InfluxDB 1.x accepts any number of jobs. With its default index it refuses the points of new jobs
 * once there are 100,000. From 1.7 on, /debug/vars shows everyone the index of each shard; in older versions only the
 * stored data can tell. Engines that merely speak the protocol of 1.x answer neither /debug/vars nor SHOW DIAGNOSTICS;
 * then there is no finding.
 */
export async function checkIndex(connection: InfluxConnection): Promise<readonly Finding[]> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  try {
    return await judgeIndex(client, connection);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return [{ state: 'warn', name: NAME, message: `could not be asked for: ${found}; ask again` }];
  } finally {
    client.close();
  }
}

async function judgeIndex(client: HttpClient, connection: InfluxConnection): Promise<readonly Finding[]> {
  const [database = ''] = connection.bucket.split('/');
  const signal = AbortSignal.timeout(connection.timeoutMs);
  const { text: debugVars } = await client.send({ method: 'GET', path: '/debug/vars', signal });
  const index = readIndexType(debugVars, database);
  if (index !== undefined && index !== 'inmem') return find('ok', `${index}, for any number of jobs`);

  const ask = async (q: string): Promise<readonly unknown[]> => {
    const parameters = new URLSearchParams({ db: database, q });
    const { text } = await client.send({ method: 'GET', path: `/query?${parameters.toString()}`, signal });
    return listSeries(text);
  };
  const config = readConfig(await ask('SHOW DIAGNOSTICS'));
  if (config.size === 0 && !debugVars.includes('"httpd:')) return [];
  const { valuesPerTag, seriesPerDatabase } = readLimits(config);
  if (valuesPerTag === 0 && seriesPerDatabase === 0) return find('ok', 'any number of jobs: it has no limits');
  const jobs = countJobs(await ask('SHOW TAG VALUES CARDINALITY WITH KEY = "job"'));
  if (index === undefined && valuesPerTag > 0 && jobs > valuesPerTag) {
    return find('ok', `it holds ${jobs} jobs, more than the default index would take`);
  }
  const limits = `refuses new jobs beyond ${valuesPerTag} (it holds ${jobs}) or ${seriesPerDatabase} series`;
  if (index === 'inmem') return find('warn', `inmem, which ${limits}; ${ADVICE}`);
  return find('warn', `not known; the default one, inmem, ${limits}; unless it is tsi1 already, ${ADVICE}`);
}

function find(state: Finding['state'], message: string): readonly Finding[] {
  return [{ state, name: NAME, message }];
}

/**
 * The index of the newest shard of the database, else of any: new shards will have the same. A line of the answer is
 * `"key": {"name": …, "tags": {…}, "values": {…}},`.
 */
function readIndexType(debugVars: string, database: string): string | undefined {
  const shards = debugVars.split('\n').flatMap((line) => {
    const [, json = ''] = /^"shard:.*?": (\{.*\}),?$/.exec(line) ?? [];
    const tags = readField(parseJson(json), 'tags');
    const type = readField(tags, 'indexType');
    if (typeof type !== 'string') return [];
    return [{ type, id: Number(readField(tags, 'id')), isOurs: readField(tags, 'database') === database }];
  });
  const ours = shards.filter(({ isOurs }) => isOurs);
  return (ours.length > 0 ? ours : shards).sort((a, b) => b.id - a.id)[0]?.type;
}

/** The series of the first statement in an answer of /query; none when the statement was refused. */
function listSeries(text: string): readonly unknown[] {
  const results = readField(parseJson(text), 'results');
  const series = Array.isArray(results) ? readField(results[0], 'series') : undefined;
  return Array.isArray(series) ? series : [];
}

/** The settings under [data]; only administrators get them. */
function readConfig(series: readonly unknown[]): ReadonlyMap<string, unknown> {
  const config = series.find((each) => readField(each, 'name') === 'config-data');
  const columns = readField(config, 'columns');
  const row = firstValues(config);
  return new Map(Array.isArray(columns) ? columns.map((name, i) => [String(name), row[i]]) : []);
}

function readLimits(config: ReadonlyMap<string, unknown>): Limits {
  const [valuesPerTag, seriesPerDatabase] = [config.get('max-values-per-tag'), config.get('max-series-per-database')];
  return {
    valuesPerTag: typeof valuesPerTag === 'number' ? valuesPerTag : DEFAULT_LIMITS.valuesPerTag,
    seriesPerDatabase: typeof seriesPerDatabase === 'number' ? seriesPerDatabase : DEFAULT_LIMITS.seriesPerDatabase,
  };
}

/** The number of jobs in the measurement that has the most; 0 when the user may not read. */
function countJobs(series: readonly unknown[]): number {
  return Math.max(0, ...series.map((each) => Number(firstValues(each)[0] ?? 0)));
}

function firstValues(series: unknown): readonly unknown[] {
  const values = readField(series, 'values');
  const row: unknown = Array.isArray(values) ? values[0] : undefined;
  return Array.isArray(row) ? row : [];
}
