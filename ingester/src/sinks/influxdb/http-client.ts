import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as requestHttp } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';

/** More of an answer is not read. A batch of which InfluxDB cannot parse anything comes back whole, with escapes. */
const MAX_ANSWER_BYTES = 1 << 23;
/** InfluxDB 1.x repeats its message, and with it every line that it cannot parse, in a header. */
const MAX_HEADER_BYTES = 1 << 24;

interface HttpRequest {
  readonly method: 'GET' | 'POST';
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
  /** The body as text, cut at 8 MiB; '' when there is none. */
  readonly text: string;
}

export interface HttpClient {
  /** Rejects when there is no answer, or not a whole one. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/**
 * Requests to one server over a connection that is kept, one at a time. Not the transport of InfluxDB's own client:
 * that cuts an answer that is not named JSON after 1000 characters, and with it the bad lines that version 3 lists,
 * reads JSON of any length, and sends text only.
 */
export function createHttpClient(url: string, headers: Readonly<Record<string, string>>): HttpClient {
  const base = new URL(url);
  const isTls = base.protocol === 'https:';
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const folder = base.pathname.replace(/\/+$/, '');

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
          // A line with a NUL that InfluxDB 1.x cannot parse comes back in a header as it is.
          insecureHTTPParser: true,
        };
        const request = (isTls ? requestHttps : requestHttp)(options, (answer) => {
          readText(answer).then((text) => {
            const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
            resolve({ status, statusText, headers: answer.headers, text });
            // The rest of an endless answer is not waited for.
            if (!answer.readableEnded) request.destroy();
          }, reject);
        });
        request.once('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER_BYTES);
}
