import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;
type Reply = readonly [status: number, body: unknown];

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message);
  }
}

const SOURCE_KEYS = [
  ...['id', 'uid', 'orgId', 'name', 'type', 'access', 'url', 'user', 'database', 'basicAuth', 'basicAuthUser'],
  ...['withCredentials', 'isDefault', 'jsonData', 'secureJsonData', 'version'],
];

/**
 * Grafana's HTTP API, by its documentation of 9.5 and later (developers/http_api: data_source, folder, dashboard) and
 * the settings of plugins. It refuses what is not in there.
 */
export class FakeGrafana {
  static readonly TOKEN = 'glsa_admin';
  /** What it has, by uid. Secrets are apart: it never tells them. */
  readonly sources = new Map<string, Json>();
  readonly secrets = new Map<string, Json>();
  readonly dashboards = new Map<string, { dashboard: Json; meta: Json }>();
  readonly folders: Json[] = [];
  /** Undefined: its files are not there. */
  plugin: Json | undefined = { id: 'joblens-app', enabled: false };
  readonly requests: string[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/sub`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const line = `${request.method ?? ''} ${(request.url ?? '').replace(/\?.*/, '')}`;
    this.requests.push(line);
    const [status, body] = this.#reply(line, request.headers.authorization, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #reply(line: string, authorization: string | undefined, text: string): Reply {
    try {
      if (authorization !== `Bearer ${FakeGrafana.TOKEN}`) throw new Refusal(401, 'Invalid API key');
      const body = text === '' ? {} : (JSON.parse(text) as Json);
      for (const [pattern, answer] of this.#routes) {
        const found = pattern.exec(line);
        if (found !== null) return answer(decodeURIComponent(found[1] ?? ''), body);
      }
      throw new Refusal(404, 'Not found');
    } catch (error) {
      if (error instanceof Refusal) return [error.status, { message: error.message }];
      throw error;
    }
  }

  readonly #routes: readonly (readonly [RegExp, (uid: string, body: Json) => Reply])[] = [
    [/^GET \/sub\/api\/plugins\/joblens-app\/settings$/, () => [200, need(this.plugin, 'Plugin not found')]],
    [/^POST \/sub\/api\/plugins\/joblens-app\/settings$/, (_uid, body) => this.#enable(body)],
    [
      /^GET \/sub\/api\/datasources\/uid\/([^/]+)$/,
      (uid) => [200, need(this.sources.get(uid), 'Data source not found')],
    ],
    [/^POST \/sub\/api\/datasources$/, (_uid, body) => this.#addSource(body)],
    [/^PUT \/sub\/api\/datasources\/uid\/([^/]+)$/, (uid, body) => this.#changeSource(uid, body)],
    [/^GET \/sub\/api\/folders$/, () => [200, this.folders]],
    [/^POST \/sub\/api\/folders$/, (_uid, body) => this.#addFolder(body)],
    [
      /^GET \/sub\/api\/dashboards\/uid\/([^/]+)$/,
      (uid) => [200, need(this.dashboards.get(uid), 'Dashboard not found')],
    ],
    [/^POST \/sub\/api\/dashboards\/db$/, (_uid, body) => this.#saveDashboard(body)],
  ];

  #enable(body: Json): Reply {
    only(body, ['enabled', 'pinned', 'jsonData', 'secureJsonData']);
    this.plugin = { ...need(this.plugin, 'Plugin not found'), enabled: body['enabled'] };
    return [200, { message: 'Plugin settings updated' }];
  }

  #addSource(body: Json): Reply {
    if (this.sources.has(String(body['uid']))) throw new Refusal(409, 'data source with the same uid already exists');
    return this.#putSource(body, 'Datasource added');
  }

  #changeSource(uid: string, body: Json): Reply {
    const before = need(this.sources.get(uid), 'Data source not found');
    if (before['readOnly'] === true) throw new Refusal(403, 'Cannot update read-only data source');
    return this.#putSource(body, 'Datasource updated');
  }

  #putSource(body: Json, message: string): Reply {
    only(body, SOURCE_KEYS);
    for (const key of ['name', 'type', 'access', 'url'])
      if (typeof body[key] !== 'string') throw new Refusal(400, 'bad request data');
    const { secureJsonData = {}, ...source } = body;
    const uid = String(body['uid']);
    this.secrets.set(uid, { ...this.secrets.get(uid), ...(secureJsonData as Json) });
    const secureJsonFields = Object.fromEntries(Object.keys(this.secrets.get(uid) ?? {}).map((key) => [key, true]));
    const defaults = { id: this.sources.size + 1, basicAuth: false, user: '', database: '', isDefault: false };
    this.sources.set(uid, { ...defaults, ...source, secureJsonFields, version: 1, readOnly: false });
    return [200, { datasource: this.sources.get(uid), message }];
  }

  #addFolder(body: Json): Reply {
    only(body, ['uid', 'title', 'parentUid']);
    if (this.folders.some(({ title }) => title === body['title']))
      throw new Refusal(409, 'a folder with the same name already exists');
    this.folders.push({ id: this.folders.length + 1, uid: body['uid'], title: body['title'] });
    return [200, this.folders.at(-1)];
  }

  #saveDashboard(body: Json): Reply {
    only(body, ['dashboard', 'folderId', 'folderUid', 'overwrite', 'message', 'isFolder']);
    const dashboard = body['dashboard'] as Json;
    const [uid, before] = [String(dashboard['uid']), this.dashboards.get(String(dashboard['uid']))];
    if (before !== undefined && body['overwrite'] !== true)
      throw new Refusal(412, 'A dashboard with the same uid already exists');
    if (!this.folders.some((folder) => folder['uid'] === body['folderUid'])) throw new Refusal(400, 'folder not found');
    const version = Number(before?.dashboard['version'] ?? 0) + 1;
    const id = before?.dashboard['id'] ?? this.dashboards.size + 1;
    // A newer Grafana brings what it stores up to date.
    this.dashboards.set(uid, {
      dashboard: { ...dashboard, id, version, schemaVersion: 42, preload: false },
      meta: { folderUid: body['folderUid'], provisioned: false },
    });
    return [200, { id, uid, version, status: 'success' }];
  }
}

function only(body: Json, allowed: readonly string[]): void {
  for (const key of Object.keys(body)) if (!allowed.includes(key)) throw new Refusal(400, `not in the API: ${key}`);
}

function need<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Refusal(404, message);
  return value;
}
