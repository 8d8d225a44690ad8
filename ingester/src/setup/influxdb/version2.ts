import nodeProcess from 'node:process';
import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import {
  type Authorization,
  AuthorizationsAPI,
  type Bucket,
  BucketsAPI,
  DbrpsAPI,
  type Organization,
  OrgsAPI,
  type Permission,
  type RetentionRule,
} from '@influxdata/influxdb-client-apis';
import type { InfluxConnection } from '../../sinks/influxdb/connection.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { completeWanted, describeKept, isAsWanted, type Kept, type Login, type Logins, type Wanted } from './wanted.js';

/** InfluxDB's client calls url.parse(), of which newer versions of Node would warn the user. */
nodeProcess.noDeprecation = true;

/** InfluxQL names a policy that nobody has named so. */
const DEFAULT_POLICY = 'autogen';
const MANY = 100;

/**
 * Sets up InfluxDB 2.x: the organisation, the bucket and how long it keeps points, the mapping by which InfluxQL finds
 * it, a token that may only read it and one that may only write it.
 */
export async function setUpVersion2(connection: InfluxConnection, wanted: Wanted, changes: Changes): Promise<Logins> {
  const { url, token, timeoutMs: timeout } = connection;
  if (token === undefined) {
    throw new SetupError('set INFLUX_TOKEN to a token of InfluxDB that may do everything, or give --token');
  }
  const influxdb = new InfluxDB({ url, token, timeout });
  try {
    const org = await setUpOrg(new OrgsAPI(influxdb), connection.org, changes);
    const bucket = org && (await setUpBucket(new BucketsAPI(influxdb), org, connection.bucket, wanted, changes));
    await setUpMapping(new DbrpsAPI(influxdb), bucket, connection.bucket, changes);
    const tokens = new AuthorizationsAPI(influxdb);
    return {
      read: await setUpToken(tokens, bucket, { action: 'read', description: 'Joblens: Grafana reads' }, changes),
      write: await setUpToken(
        tokens,
        bucket,
        { action: 'write', description: 'Joblens: the ingester writes' },
        changes
      ),
    };
  } catch (error) {
    throw error instanceof HttpError ? explain(error, url) : error;
  }
}

function explain({ statusCode, message }: HttpError, url: string): SetupError {
  const isDenied = statusCode === 401 || statusCode === 403;
  const advice = isDenied ? '; set INFLUX_TOKEN to a token that may do everything' : '';
  return new SetupError(`InfluxDB at ${url} refuses with status ${statusCode}: ${message}${advice}`);
}

/** InfluxDB answers 404 where a name is asked for that it does not know. */
async function orNone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof HttpError && error.statusCode === 404) return undefined;
    throw error;
  });
}

async function setUpOrg(api: OrgsAPI, name: string | undefined, changes: Changes): Promise<Organization | undefined> {
  const { orgs = [] } = (await orNone(api.getOrgs({ limit: MANY, ...(name !== undefined && { org: name }) }))) ?? {};
  const [found] = name === undefined ? orgs : orgs.filter((org) => org.name === name);
  if (name === undefined && (found === undefined || orgs.length > 1)) {
    const names = orgs.map((org) => org.name).join(', ');
    throw new SetupError(
      `set INFLUX_ORG to an organisation, or give --org${names === '' ? '' : `: there are ${names}`}`
    );
  }
  if (found !== undefined) {
    changes.kept(`organisation ${found.name}`);
    return found;
  }
  return changes.make(`organisation ${name}`, () => api.postOrgs({ body: { name: name ?? '' } }));
}

async function setUpBucket(
  api: BucketsAPI,
  { id: orgID = '' }: Organization,
  name: string,
  wanted: Wanted,
  changes: Changes
): Promise<Bucket | undefined> {
  const found = (await orNone(api.getBuckets({ orgID, name })))?.buckets?.find((bucket) => bucket.name === name);
  const kept = found && readRules(found.retentionRules);
  const complete = completeWanted(kept, wanted);
  const what = `bucket ${name}: ${describeKept(complete)}`;
  const retentionRules = [formatRule(complete)];
  if (found === undefined) return changes.make(what, () => api.postBuckets({ body: { orgID, name, retentionRules } }));
  const { id: bucketID = '' } = found;
  if (kept !== undefined && isAsWanted(kept, wanted)) changes.kept(what);
  else await changes.change(what, () => api.patchBucketsID({ bucketID, body: { retentionRules } }));
  return found;
}

/** Without a rule, points are kept forever. */
function readRules([rule]: readonly RetentionRule[]): Kept {
  return { retentionS: rule?.everySeconds ?? 0, shardS: rule?.shardGroupDurationSeconds };
}

function formatRule({ retentionS, shardS }: Kept): RetentionRule {
  const shard = shardS === undefined ? {} : { shardGroupDurationSeconds: shardS };
  return { type: 'expire', everySeconds: retentionS, ...shard };
}

/** From 2.2 on, InfluxDB makes such a mapping by itself, which it calls virtual. */
async function setUpMapping(api: DbrpsAPI, bucket: Bucket | undefined, name: string, changes: Changes): Promise<void> {
  const slash = name.indexOf('/');
  const [database, policy] = slash < 0 ? [name, DEFAULT_POLICY] : [name.slice(0, slash), name.slice(slash + 1)];
  const what = `mapping of InfluxQL's database ${database} to the bucket ${name}`;
  const { id: bucketID = '', orgID = '' } = bucket ?? {};
  const { content = [] } = bucket === undefined ? {} : await api.getDBRPs({ orgID, db: database });
  const used = content.filter((mapping) => mapping.database === database).sort((a, b) => rank(a) - rank(b));
  const [standard] = used;
  if (standard !== undefined && standard.bucketID === bucketID) {
    changes.kept(what);
    return;
  }
  if (standard !== undefined) {
    const advice = `remove it (influx v1 dbrp delete --id ${standard.id}), or choose another bucket`;
    throw new SetupError(`InfluxQL's database ${database} leads to another bucket, ${standard.bucketID}; ${advice}`);
  }
  const body = { orgID, bucketID, database, retention_policy: policy, default: true };
  await changes.make(what, () => api.postDBRP({ body }));
}

/** Which mapping of a database InfluxQL takes without a policy: the default one, and first those that somebody made. */
function rank({ default: isDefault, virtual }: { readonly default: boolean; readonly virtual?: boolean }): number {
  return (isDefault ? 0 : 2) + (virtual === true ? 1 : 0);
}

async function setUpToken(
  api: AuthorizationsAPI,
  bucket: Bucket | undefined,
  { action, description }: { readonly action: 'read' | 'write'; readonly description: string },
  changes: Changes
): Promise<Login> {
  const what = `token that may ${action} the bucket alone: "${description}"`;
  if (bucket === undefined) {
    await changes.make(what, () => undefined);
    return {};
  }
  const { id = '', orgID = '' } = bucket;
  const permissions: Permission[] = [{ action, resource: { type: 'buckets', id, orgID } }];
  const { authorizations = [] } = await api.getAuthorizations({ orgID });
  const isSame = (each: Authorization): boolean =>
    each.description === description && each.status !== 'inactive' && isOnly(each.permissions ?? [], action, id);
  const found = authorizations.find(isSame);
  if (found !== undefined) {
    changes.kept(what);
    return { secret: found.token };
  }
  const made = await changes.make(what, () => api.postAuthorizations({ body: { orgID, description, permissions } }));
  return { secret: made?.token };
}

function isOnly(permissions: readonly Permission[], action: string, id: string): boolean {
  const [first] = permissions;
  return permissions.length === 1 && first?.action === action && first.resource.id === id;
}
