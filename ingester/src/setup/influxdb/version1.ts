import { randomBytes } from 'node:crypto';
import { quoteIdentifier, quoteString } from '@joblens/core/influxql/quote';
import { formatAuthorization, type InfluxConnection } from '../../sinks/influxdb/connection.js';
import { createHttpClient, type HttpClient } from '../../sinks/influxdb/http-client.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { completeWanted, describeKept, isAsWanted, type Kept, type Login, type Logins, type Wanted } from './wanted.js';

type Row = readonly unknown[];
/** The rows that a statement gives. Throws what the server says against it. */
type Ask = (statement: string) => Promise<readonly Row[]>;

/**
 * Sets up a database of InfluxDB 1.x, and how long its default retention policy, or that in `database/policy`, keeps
 * points. Who logs in as an administrator gets a user that may only read it and one that may only write.
 */
export async function setUpVersion1(connection: InfluxConnection, wanted: Wanted, changes: Changes): Promise<Logins> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  const ask = createAsk(client, connection);
  const [database = '', policy] = connection.bucket.split('/');
  try {
    const isThere = (await ask('SHOW DATABASES')).some(([name]) => name === database);
    if (isThere) changes.kept(`database ${database}`);
    else await changes.make(`database ${database}`, () => ask(`CREATE DATABASE ${quoteIdentifier(database)}`));
    // What a dry run did not make has no policies.
    if (isThere || !changes.isDryRun) await setUpPolicy(ask, { database, policy }, wanted, changes);
    if (connection.user === undefined) return { read: undefined, write: undefined };
    return {
      read: await setUpUser(ask, { name: 'joblens_reader', privilege: 'READ', database }, changes),
      write: await setUpUser(ask, { name: 'joblens_writer', privilege: 'WRITE', database }, changes),
    };
  } finally {
    client.close();
  }
}

function createAsk(client: HttpClient, { url, timeoutMs }: InfluxConnection): Ask {
  return async (statement) => {
    const body = Buffer.from(new URLSearchParams({ q: statement }).toString());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await client.send({ method: 'POST', path: '/query', headers, body, signal });
    const { results = [], error } = parseAnswer(answer.text);
    const fault = error ?? results[0]?.error ?? (answer.status === 200 ? undefined : answer.statusText);
    if (fault === undefined) return results[0]?.series?.flatMap(({ values = [] }) => values) ?? [];
    const isDenied = answer.status === 401 || answer.status === 403;
    const advice = isDenied ? '; set INFLUX_USER and INFLUX_PASSWORD to an administrator' : '';
    // A statement may hold a password.
    throw new SetupError(`InfluxDB at ${url} refuses ${statement.replace(/'.*'/, "'***'")}: ${fault}${advice}`);
  };
}

interface Answer {
  readonly results?: readonly { readonly series?: readonly { values?: readonly Row[] }[]; readonly error?: string }[];
  readonly error?: string;
}

function parseAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return { error: `the answer is no JSON: ${JSON.stringify(text.slice(0, 100))}` };
  }
}

interface Policy extends Kept {
  readonly name: string;
  readonly isDefault: boolean;
}

async function setUpPolicy(
  ask: Ask,
  { database, policy }: { readonly database: string; readonly policy: string | undefined },
  wanted: Wanted,
  changes: Changes
): Promise<void> {
  const on = `ON ${quoteIdentifier(database)}`;
  const policies = (await ask(`SHOW RETENTION POLICIES ${on}`)).map(readPolicy);
  const found = policies.find(({ name, isDefault }) => (policy === undefined ? isDefault : name === policy));
  const name = found?.name ?? policy ?? 'autogen';
  const { retentionS, shardS } = completeWanted(found, wanted);
  const what = `retention policy ${name} of ${database}: ${describeKept({ retentionS, shardS })}`;
  if (found?.isDefault === true && isAsWanted(found, wanted)) {
    changes.kept(what);
    return;
  }
  const shard = wanted.shardS === undefined ? '' : ` SHARD DURATION ${wanted.shardS}s`;
  const kept = `DURATION ${retentionS === 0 ? 'INF' : `${retentionS}s`}`;
  const statement = `RETENTION POLICY ${quoteIdentifier(name)} ${on} ${kept}`;
  if (found === undefined) await changes.make(what, () => ask(`CREATE ${statement} REPLICATION 1${shard} DEFAULT`));
  else await changes.change(what, () => ask(`ALTER ${statement}${shard} DEFAULT`));
}

/** A row of SHOW RETENTION POLICIES. */
function readPolicy([name, duration, shardDuration, , isDefault]: Row): Policy {
  return {
    name: String(name),
    retentionS: readDurationS(duration) ?? 0,
    shardS: readDurationS(shardDuration),
    isDefault: isDefault === true,
  };
}

/** The seconds of `8736h0m0s`, as InfluxDB writes it. */
function readDurationS(text: unknown): number | undefined {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(\d+)s$/.exec(String(text));
  if (parts === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((digits) => Number(digits) || 0);
  return 3600 * hours + 60 * minutes + seconds;
}

async function setUpUser(
  ask: Ask,
  { name, privilege, database }: { readonly name: string; readonly privilege: string; readonly database: string },
  changes: Changes
): Promise<Login> {
  const [user, what] = [quoteIdentifier(name), `user ${name}, who may ${privilege} ${database} alone`];
  const isThere = (await ask('SHOW USERS')).some(([found]) => found === name);
  const grants = isThere ? await ask(`SHOW GRANTS FOR ${user}`) : [];
  const grant = (): Promise<unknown> => ask(`GRANT ${privilege} ON ${quoteIdentifier(database)} TO ${user}`);
  if (!isThere) {
    const secret = randomBytes(18).toString('base64url');
    const made = await changes.make(what, async () => {
      await ask(`CREATE USER ${user} WITH PASSWORD ${quoteString(secret)}`);
      await grant();
      return secret;
    });
    return { user: name, secret: made };
  }
  if (grants.some(([on, has]) => on === database && has === privilege)) changes.kept(what);
  else await changes.change(what, grant);
  return { user: name };
}
