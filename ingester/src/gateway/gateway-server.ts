import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { restrict, type Rights } from '@joblens/core/gateway/restrict';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { Result } from '@joblens/core/result/result';
import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import { createLimitedServer, readTarget, sendJson } from '../net/limited-server.js';
import { askRestricted } from './ask-restricted.js';
import type { Audit } from './audit-log.js';
import { type Fault, formatFault, refuse } from './fault.js';
import { identify, type Identity, type IdentityWay } from './identity.js';
import { readForm } from './read-body.js';
import { type Place, readQuery } from './read-query.js';
import { MAX_AT_ONCE, type StoreProxy } from './store-proxy.js';

/** The most of a request for /query; the statements of a whole dashboard are some tens of KiB. */
const MAX_QUERY_BYTES = 1 << 20;
/** The most questions of one user at once, of MAX_AT_ONCE in all. */
const MAX_OF_USER = 64;
const RETRY_AFTER_S = 1;
/** Rules whose breach InfluxDB answers with 400: the text is no query. */
const FAULTY_TEXT: ReadonlySet<string> = new Set(['syntax', 'empty']);

export interface GatewayOptions {
  readonly place: Place;
  /** Measurements of other programs whose tag `user` says whose a point is. */
  readonly measurements: readonly string[];
  readonly store: StoreProxy;
  readonly ways: readonly IdentityWay[];
  readonly rightsOf: (identity: Identity) => Promise<Rights>;
  /** Undefined where the gateway takes no points. */
  readonly takeWrite: TakeWrite | undefined;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly report: Reporter;
  /** The headers by which clients know the store and its version. */
  readonly storeHeaders: Readonly<Record<string, string>>;
}

export type TakeWrite = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  identity: Identity
) => Promise<Result<true, Fault>>;

/** Answers /query for whom the request shows it comes from, and /write, /ping and /health; refuses everything else. */
export function createGatewayServer(options: GatewayOptions): Server {
  const { clock, report } = options;
  const running = new RunningQueries();
  return createLimitedServer({
    clock,
    report,
    async answer(request, response) {
      const fault = await answer(request, response, options, running);
      if (fault === undefined) return;
      if (response.headersSent) response.destroy();
      else sendFault(response, fault);
    },
  });
}

const NO_PATH = refuse(400, 'no-path', 'the target of the request is no path');
const NOT_HERE = refuse(
  403,
  'path',
  'only /query, /write, /ping and /health are answered here: InfluxQL, no Flux, no administration'
);

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: GatewayOptions,
  running: RunningQueries
): Promise<Fault | undefined> {
  for (const [name, value] of Object.entries(options.storeHeaders)) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  const url = readTarget(request);
  if (url === undefined) return NO_PATH;
  const { method = '' } = request;
  switch (`${method} ${url.pathname}`) {
    case 'GET /ping':
    case 'HEAD /ping':
      response.writeHead(204).end();
      return undefined;
    case 'GET /health':
      return answerHealth(response, options);
    case 'GET /query':
    case 'POST /query':
      return asIdentified(request, options, url, (identity) =>
        answerQuery(request, response, url, { options, running, identity })
      );
    case 'POST /write':
    case 'POST /api/v2/write':
      return asIdentified(request, options, url, async (identity) => {
        const { takeWrite } = options;
        if (takeWrite === undefined) return refuse(403, 'no-writing', 'this gateway takes no points');
        const taken = await takeWrite(request, response, url, identity);
        if (!taken.ok) return taken.error;
        response.writeHead(204).end();
        return undefined;
      });
    default:
      return noteRefusal(request, options, NOT_HERE, undefined, url.pathname);
  }
}

async function asIdentified(
  request: IncomingMessage,
  options: GatewayOptions,
  url: URL,
  act: (identity: Identity) => Promise<Fault | undefined>
): Promise<Fault | undefined> {
  const identity = await identify(request, options.ways);
  return identity.ok ? act(identity.value) : noteRefusal(request, options, identity.error, undefined, url.pathname);
}

interface Asked {
  readonly options: GatewayOptions;
  readonly running: RunningQueries;
  readonly identity: Identity;
}

async function answerQuery(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { options, running, identity }: Asked
): Promise<Fault | undefined> {
  if (identity.isHost) return refuse(403, 'write-only', "a host's token writes and does not read");
  const body = await readForm(request, response, MAX_QUERY_BYTES);
  if (!body.ok) return noteRefusal(request, options, body.error, identity, url.pathname);
  const wanted = readQuery(url.searchParams, body.value, options.place);
  if (!wanted.ok) return noteRefusal(request, options, wanted.error, identity, url.search);
  const rights = await options.rightsOf(identity);
  const { text } = wanted.value;
  const restricted = restrict(text, rights, {
    ...{ database: options.place.database, measurements: options.measurements },
    nowNs: BigInt(options.clock.nowMs()) * NS_PER_MS,
  });
  if (restricted.kind === 'refused') {
    const { rule, message } = restricted;
    return noteRefusal(request, options, refuse(FAULTY_TEXT.has(rule) ? 400 : 403, rule, message), identity, text);
  }
  if (rights.kind === 'all') options.audit({ what: 'all', identity, from: readSender(request), query: text });
  return running.run(identity.user, () => askRestricted(response, restricted.steps, wanted.value, options));
}

async function answerHealth(response: ServerResponse, { store }: GatewayOptions): Promise<undefined> {
  const answer = await store.send({ method: 'GET', path: '/ping', client: response });
  if (answer.ok) answer.value.resume();
  const status = answer.ok ? 'pass' : 'fail';
  const message = answer.ok ? 'ready for queries' : answer.error.message;
  sendJson(response, answer.ok ? 200 : 503, { name: 'influxdb', message, status, checks: [] });
  return undefined;
}

function noteRefusal(
  request: IncomingMessage,
  { audit }: GatewayOptions,
  fault: Fault,
  identity: Identity | undefined,
  query: string
): Fault {
  audit({ what: 'refused', rule: fault.rule, from: readSender(request), query, ...(identity && { identity }) });
  return fault;
}

function readSender({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? 'gone';
}

/** In the form of InfluxDB 1.x, and of 2.x beside it. */
function sendFault(response: ServerResponse, fault: Fault): void {
  const text = formatFault(fault);
  if (fault.status === 429 || fault.status === 503) response.setHeader('Retry-After', RETRY_AFTER_S);
  if (fault.status === 401) response.setHeader('WWW-Authenticate', 'Token realm="joblens"');
  response.setHeader('X-Influxdb-Error', text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 1000));
  sendJson(response, fault.status, { error: text, code: fault.rule, message: text });
}

/** Counts what is asked at once, so that neither one user nor all together fill the memory. */
class RunningQueries {
  #all = 0;
  readonly #ofUser = new Map<string, number>();

  async run(user: string, ask: () => Promise<Fault | undefined>): Promise<Fault | undefined> {
    const own = this.#ofUser.get(user) ?? 0;
    if (own >= MAX_OF_USER) return refuse(429, 'too-many', `${MAX_OF_USER} of your queries are running: wait for them`);
    if (this.#all >= MAX_AT_ONCE) return refuse(503, 'too-many', 'too many queries are running: try again');
    this.#all += 1;
    this.#ofUser.set(user, own + 1);
    try {
      return await ask();
    } finally {
      this.#all -= 1;
      const left = (this.#ofUser.get(user) ?? 1) - 1;
      if (left === 0) this.#ofUser.delete(user);
      else this.#ofUser.set(user, left);
    }
  }
}
