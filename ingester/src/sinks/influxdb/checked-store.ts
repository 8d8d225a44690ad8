import { withDeadline } from '../../clock/deadline.js';
import { formatWritePath, type InfluxApi, type InfluxConnection } from './connection.js';
import { isNamed, type Ping, ping } from './engine.js';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.js';
import { isStoreError } from './read-answer.js';
import { parseJson, readField } from './read-rejection.js';

/** The time that a server has for its answer to a question. */
const PATIENCE_MS = 2000;

interface Written {
  readonly answer: HttpAnswer;
  /** What was asked and found, where nothing shows that a store gave an answer 204. */
  readonly doubt?: string;
}

/** A server of which it is known whether it is a store. */
export interface CheckedStore {
  ping(signal: AbortSignal): Promise<Ping>;
  /** Sends a write, and asks what answers a nameless 204. `signal` ends the questions. */
  write(request: HttpRequest, api: InfluxApi, signal: AbortSignal): Promise<Written>;
  /** Another server may be there now. */
  forget(): void;
}

interface Question {
  /** As messages name it. */
  readonly name: string;
  readonly request: Omit<HttpRequest, 'signal'>;
  /** Whether this is a store's answer, also where something on the way takes its headers off. */
  readonly isOfStore: (answer: HttpAnswer) => boolean;
}

/**
 * Asks once for each connection whether a store answers there. A captive portal, a proxy or a load balancer may say 204
 * to everything. Some stores say it without their name (Telegraf's listeners, older VictoriaMetrics), and a proxy may
 * take their headers off.
 */
export function createCheckedStore(client: HttpClient, connection: InfluxConnection): CheckedStore {
  let confirmed: object | undefined;

  async function check(api: InfluxApi, signal: AbortSignal): Promise<string | undefined> {
    const found: string[] = [];
    for (const { name, request, isOfStore } of listQuestions(connection, api)) {
      const said = await ask(client, request, signal);
      if (said !== undefined && (isNamed(said.headers) || isOfStore(said))) {
        confirmed = said.connection;
        return undefined;
      }
      found.push(`${name}: ${said?.status ?? 'no answer'}`);
    }
    return found.join(', ');
  }

  return {
    async ping(signal) {
      const pinged = await ping(client, signal);
      if (isNamed(pinged.answer.headers)) confirmed = pinged.answer.connection;
      return pinged;
    },
    async write(request, api, signal) {
      for (let isAgain = false; ; isAgain = true) {
        const answer = await client.send(request);
        if (!isNameless204(answer) || connection.trustsUnnamed === true) return { answer };
        if (confirmed === answer.connection) return { answer };
        const doubt = await check(api, signal);
        if (doubt !== undefined) return { answer, doubt };
        // A store answers now. Over another connection, the write may have met somebody else.
        if (isAgain || confirmed === answer.connection || closes(answer)) return { answer };
      }
    },
    forget: () => void (confirmed = undefined),
  };
}

/** Who answers before the request is read has not stored it, whoever it is. */
function isNameless204({ status, headers, isEarly }: HttpAnswer): boolean {
  return status === 204 && !isNamed(headers) && isEarly !== true;
}

async function ask(
  client: HttpClient,
  request: Question['request'],
  signal: AbortSignal
): Promise<HttpAnswer | undefined> {
  return withDeadline(PATIENCE_MS, [signal], async (timely) => {
    // The server may have closed the kept connection, so a fault counts only over a new one.
    for (let tries = 0; tries < 2 && !timely.aborted; tries += 1) {
      const answer = await client.send({ ...request, signal: timely }).catch(() => undefined);
      if (answer !== undefined) return answer;
    }
    return undefined;
  });
}

/** Each request has a connection of its own there. */
function closes({ headers }: HttpAnswer): boolean {
  return headers.connection?.toLowerCase() === 'close';
}

/** What only stores answer so; the cheapest question first. */
function listQuestions(connection: InfluxConnection, api: InfluxApi): readonly Question[] {
  return [
    // InfluxDB 3 says its version in the body, too.
    get('/ping', '/ping', (json) => hasTexts(json, ['version', 'revision'])),
    // InfluxDB 1.x, and VictoriaMetrics for its sake.
    get('/query', '/query?q=SHOW+DATABASES', (json) => Array.isArray(readField(json, 'results'))),
    // InfluxDB 1.8 and 2.x, and VictoriaMetrics.
    get('/health', '/health', (json) => readField(json, 'name') === 'influxdb'),
    // Telegraf's influxdb_v2_listener and InfluxDB 2.x.
    ...['/api/v2/ready', '/ready'].map((path) =>
      get(path, path, (json) => readField(json, 'status') === 'ready' && hasTexts(json, ['started', 'up']))
    ),
    // All that read line protocol refuse this, such as older listeners of Telegraf, which answer nothing else.
    {
      name: 'a line that is no point',
      request: { method: 'POST', path: formatWritePath(connection, api), body: Buffer.from('joblens asks\n') },
      isOfStore: ({ status, text }) => (status === 400 || status === 422) && isStoreError(parseJson(text)),
    },
  ];
}

function get(name: string, path: string, isOfStore: (json: unknown) => boolean): Question {
  const request = { method: 'GET', path } as const;
  return { name, request, isOfStore: ({ status, text }) => status === 200 && isOfStore(parseJson(text)) };
}

function hasTexts(json: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof readField(json, name) === 'string');
}
