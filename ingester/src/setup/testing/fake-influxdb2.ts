import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Org {
  readonly id: string;
  readonly name: string;
}
interface Bucket {
  readonly id: string;
  readonly orgID: string;
  readonly name: string;
  retentionRules: Rule[];
}
interface Rule {
  readonly type: 'expire';
  readonly everySeconds: number;
  readonly shardGroupDurationSeconds: number;
}
interface Mapping {
  readonly id: string;
  readonly orgID: string;
  readonly bucketID: string;
  readonly database: string;
  readonly retention_policy: string;
  readonly default: boolean;
  readonly virtual?: boolean;
}
interface Authorization {
  readonly id: string;
  readonly orgID: string;
  readonly token: string;
  readonly status: 'active';
  readonly description: string;
  readonly permissions: readonly unknown[];
}

type Json = Readonly<Record<string, unknown>>;
type Reply = readonly [status: number, body: unknown];

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string
  ) {
    super(message);
  }
}

const TOKEN = 'the operator';
const ID = /^[0-9a-f]{16}$/;
const HEADERS = { 'x-influxdb-version': 'v2.7.11', 'content-type': 'application/json; charset=utf-8' };

/**
 * The management of InfluxDB 2.7, by its OpenAPI contract (influxdata/openapi, contracts/oss.yml) and the handlers of
 * 2.7 in tenant, dbrp and authorization. It refuses what is not in the contract.
 */
export class FakeInfluxdb2 {
  readonly orgs: Org[] = [];
  readonly buckets: Bucket[] = [];
  readonly authorizations: Authorization[] = [];
  mappings: Mapping[] = [];
  /** It maps each bucket to a database of its name, as 2.2 and later do. */
  mapsVirtually = true;
  /** It tells a token when it is made, and never again. */
  hidesTokens = false;
  /** `METHOD path` of each, without /ping. */
  readonly requests: string[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #nextId = 1;

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    if (pathname === '/ping') {
      response.writeHead(204, HEADERS).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const [line, text] = [`${request.method ?? ''} ${pathname}`, Buffer.concat(chunks).toString()];
    this.requests.push(line);
    const isKnown = request.headers.authorization === `Token ${TOKEN}`;
    const [status, body] = this.#reply(line, { isKnown, query: searchParams, body: parse(text) });
    response.writeHead(status, HEADERS).end(JSON.stringify(body));
  }

  #reply(line: string, { isKnown, query, body }: { isKnown: boolean; query: URLSearchParams; body: Json }): Reply {
    try {
      if (!isKnown) throw new Refusal(401, 'unauthorized', 'unauthorized access');
      const [, patched] = /^PATCH \/api\/v2\/buckets\/(.*)$/.exec(line) ?? [];
      if (patched !== undefined) return this.#patchBucket(patched, body);
      const known = this.#routes[line];
      if (known === undefined) throw new Refusal(404, 'not found', 'path not found');
      return known(query, body);
    } catch (error) {
      if (error instanceof Refusal) return [error.status, { code: error.code, message: error.message }];
      throw error;
    }
  }

  readonly #routes: Readonly<Record<string, (query: URLSearchParams, body: Json) => Reply>> = {
    'GET /api/v2/orgs': (query) => this.#listOrgs(query),
    'POST /api/v2/orgs': (_query, body) => {
      only(Object.keys(body), ['name', 'description']);
      const org = { id: this.#createId(), name: String(body['name']) };
      this.orgs.push(org);
      return [201, org];
    },
    'GET /api/v2/buckets': (query) => this.#listBuckets(query),
    'POST /api/v2/buckets': (_query, body) => this.#createBucket(body),
    'GET /api/v2/dbrps': (query) => [200, { content: this.#listMappings(query) }],
    'POST /api/v2/dbrps': (_query, body) => this.#createMapping(body),
    'GET /api/v2/authorizations': (query) => this.#listAuthorizations(query),
    'POST /api/v2/authorizations': (_query, body) => this.#createAuthorization(body),
  };

  #createId(): string {
    return (this.#nextId++).toString(16).padStart(16, '0');
  }

  #listOrgs(query: URLSearchParams): Reply {
    only(query.keys(), ['offset', 'limit', 'descending', 'org', 'orgID', 'userID']);
    const name = query.get('org');
    const orgs = this.orgs.filter((each) => name === null || each.name === name);
    if (name !== null && orgs.length === 0)
      throw new Refusal(404, 'not found', `organization name "${name}" not found`);
    return [200, { links: { self: '/api/v2/orgs' }, orgs }];
  }

  #listBuckets(query: URLSearchParams): Reply {
    only(query.keys(), ['offset', 'limit', 'after', 'org', 'orgID', 'name', 'id']);
    const [orgID, name] = [readId(query.get('orgID'), 'orgID'), query.get('name')];
    const buckets = this.buckets.filter((each) => each.orgID === orgID && (name === null || each.name === name));
    if (name !== null && buckets.length === 0) throw new Refusal(404, 'not found', `bucket "${name}" not found`);
    return [200, { links: { self: '/api/v2/buckets' }, buckets }];
  }

  #createBucket(body: Json): Reply {
    only(Object.keys(body), ['orgID', 'name', 'description', 'rp', 'retentionRules', 'schemaType']);
    const [orgID, name] = [readId(body['orgID'], 'orgID'), String(body['name'])];
    if (name.startsWith('_')) throw new Refusal(422, 'unprocessable entity', 'Buckets may not start with underscore');
    if (this.buckets.some((each) => each.orgID === orgID && each.name === name))
      throw new Refusal(422, 'conflict', `bucket with name ${name} already exists`);
    const bucket = { id: this.#createId(), orgID, name, retentionRules: [readRule(body['retentionRules'])] };
    this.buckets.push(bucket);
    return [201, bucket];
  }

  #patchBucket(id: string, body: Json): Reply {
    only(Object.keys(body), ['name', 'description', 'retentionRules']);
    const bucket = this.buckets.find((each) => each.id === id);
    if (bucket === undefined) throw new Refusal(404, 'not found', 'bucket not found');
    bucket.retentionRules = [readRule(body['retentionRules'], bucket.retentionRules[0])];
    return [200, bucket];
  }

  #listMappings(query: URLSearchParams): Mapping[] {
    only(query.keys(), ['orgID', 'org', 'id', 'bucketID', 'default', 'db', 'rp']);
    const virtual = this.buckets
      .filter(({ name }) => this.mapsVirtually && !this.mappings.some(({ database }) => database === name))
      .map(({ id, orgID, name: database }) => ({
        ...{ id, orgID, bucketID: id, database, retention_policy: 'autogen', default: true, virtual: true },
      }));
    const [orgID, db] = [readId(query.get('orgID'), 'orgID'), query.get('db')];
    const all: Mapping[] = [...this.mappings, ...virtual];
    return all.filter((each) => each.orgID === orgID && (db === null || each.database === db));
  }

  #createMapping(body: Json): Reply {
    only(Object.keys(body), ['orgID', 'org', 'bucketID', 'database', 'retention_policy', 'default']);
    const mapping: Mapping = {
      id: this.#createId(),
      orgID: readId(body['orgID'], 'orgID'),
      bucketID: readId(body['bucketID'], 'bucketID'),
      database: String(body['database']),
      retention_policy: String(body['retention_policy']),
      default: body['default'] === true,
    };
    this.mappings.push(mapping);
    return [201, mapping];
  }

  #listAuthorizations(query: URLSearchParams): Reply {
    only(query.keys(), ['userID', 'user', 'orgID', 'org']);
    const orgID = readId(query.get('orgID'), 'orgID');
    const authorizations = this.authorizations
      .filter((each) => each.orgID === orgID)
      .map((each) => ({ ...each, ...(this.hidesTokens && { token: undefined }) }));
    return [200, { links: { self: '/api/v2/authorizations' }, authorizations }];
  }

  #createAuthorization(body: Json): Reply {
    only(Object.keys(body), ['status', 'description', 'orgID', 'userID', 'permissions']);
    const permissions = body['permissions'] as readonly unknown[];
    if (permissions.length === 0) throw new Refusal(400, 'invalid', 'authorization must include permissions');
    const id = this.#createId();
    const authorization: Authorization = {
      id,
      orgID: readId(body['orgID'], 'orgID'),
      token: Buffer.from(`token ${id}`).toString('base64'),
      status: 'active',
      description: String(body['description']),
      permissions,
    };
    this.authorizations.push(authorization);
    return [201, authorization];
  }
}

function parse(text: string): Json {
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function only(keys: Iterable<string>, allowed: readonly string[]): void {
  for (const key of keys) if (!allowed.includes(key)) throw new Refusal(400, 'invalid', `not in the contract: ${key}`);
}

function readId(value: unknown, of: string): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new Refusal(400, 'invalid', `${of}: id must have a length of 16 bytes`);
}

function readRule(value: unknown, before: Partial<Rule> = {}): Rule {
  const [rule, ...more] = value as Partial<Rule>[];
  if (rule === undefined || more.length > 0) throw new Refusal(422, 'unprocessable entity', 'one rule is expected');
  only(Object.keys(rule), ['type', 'everySeconds', 'shardGroupDurationSeconds']);
  const everySeconds = rule.everySeconds ?? before.everySeconds ?? 0;
  if (everySeconds !== 0 && everySeconds < 3600)
    throw new Refusal(422, 'unprocessable entity', 'retention policy duration must be at least 1h0m0s');
  const shardGroupDurationSeconds = rule.shardGroupDurationSeconds ?? before.shardGroupDurationSeconds ?? 604_800;
  return { type: 'expire', everySeconds, shardGroupDurationSeconds };
}
