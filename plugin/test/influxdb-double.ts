import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server answers to one request. */
export interface HttpAnswer {
  readonly status: number;
  readonly body?: string | object;
}

/** The answers of one InfluxDB, in one situation, to the three requests of Save & test. */
export interface InfluxdbAnswers {
  readonly version?: string;
  readonly ping?: HttpAnswer;
  readonly query: HttpAnswer;
  readonly write?: HttpAnswer;
}

export interface InfluxdbDouble {
  readonly url: string;
  /** Method and path of each request. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** A server that answers as an InfluxDB did, without one. */
export async function startInfluxdbDouble(answers: InfluxdbAnswers): Promise<InfluxdbDouble> {
  const asked: string[] = [];
  const { version, query, ping = { status: 204 }, write = { status: 204 } } = answers;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://double').pathname;
    asked.push(`${request.method ?? ''} ${path}`);
    const answer = new Map([
      ['/ping', ping],
      ['/query', query],
      ['/write', write],
    ]).get(path) ?? { status: 404 };
    if (version !== undefined) response.setHeader('X-Influxdb-Version', version);
    // InfluxDB 1.x says so of answers without a body, too.
    const isText = typeof answer.body === 'string';
    response.setHeader('Content-Type', isText ? 'text/html' : 'application/json');
    response.statusCode = answer.status;
    response.end(typeof answer.body === 'object' ? JSON.stringify(answer.body) : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
