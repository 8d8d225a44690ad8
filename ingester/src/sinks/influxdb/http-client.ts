import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';

/** The most of an answer that is read. If InfluxDB can parse nothing of a batch, all of it comes back, with escapes. */
const MAX_ANSWER_BYTES = 1 << 23;
/** InfluxDB 1.x repeats its message, with every line that it cannot parse, in a header. */
const MAX_HEADER_BYTES = 1 << 24;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, cut at 8 MiB (or `maxAnswerBytes`); '' when there is none. */
  readonly text: string;
  readonly isCut?: true;
  /** It came before the whole request was sent: whoever answered has not read it. */
  readonly isEarly?: true;
  /** Another object for each connection. */
  readonly connection: object;
}

export interface HttpClient {
  /** Rejects when there is no whole answer. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/**
 * Sends requests to one server over a kept connection, one at a time. The transport of InfluxDB's own client does not
 * suffice. It cuts an answer that is not labelled JSON after 1000 characters, and so loses the bad lines that version 3
 * lists; it reads JSON of any length, and it sends only text.
 */
export function createHttpClient(
  url: string,
  headers: Readonly<Record<string, string>>,
  maxAnswerBytes = MAX_ANSWER_BYTES
): HttpClient {
  const base = new URL(url);
  const isTls = base.protocol === 'https:';
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const folder = base.pathname.replace(/(?<!\/)\/+$/, '');

  return {
    send: ({ method, path, headers: more, body, signal }) =>
      new Promise((resolve, reject) => {
        const options = {
          agent,
          protocol: base.protocol,
          hostname: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          method,
          path: folder + path,
          headers: { ...headers, ...more, ...(body === undefined ? {} : { 'content-length': body.length }) },
          signal,
          maxHeaderSize: MAX_HEADER_BYTES,
          // InfluxDB 1.x returns a line with a NUL that it cannot parse unchanged in a header.
          insecureHTTPParser: true,
        };
        const request = (isTls ? requestHttps : requestHttp)(options, (answer) => {
          const early = request.writableFinished ? {} : { isEarly: true as const };
          const connection = answer.socket;
          readText(answer, maxAnswerBytes).then((body) => {
            const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
            resolve({ status, statusText, headers: answer.headers, connection, ...body, ...early });
            // Nobody waits for the rest of an endless answer.
            if (!answer.readableEnded) request.destroy();
          }, reject);
        });
        request.once('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<Pick<HttpAnswer, 'text' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  const text = Buffer.concat(chunks).toString('utf8', 0, maxBytes);
  return bytes >= maxBytes ? { text, isCut: true } : { text };
}
