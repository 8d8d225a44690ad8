import { gzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly error: string;
  readonly body: string;
}

export interface QueryOptions {
  readonly database?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly method?: 'GET' | 'POST';
}

export async function query(url: string, text: string, options: QueryOptions = {}): Promise<Answer> {
  const { database, parameters = {}, accept = 'application/json', method = 'POST' } = options;
  const values = new URLSearchParams({ ...(database !== undefined && { db: database }), ...parameters, q: text });
  const headers = { accept };
  if (method === 'GET') return readAnswer(await fetch(`${url}/query?${values.toString()}`, { headers }));
  return readAnswer(await fetch(`${url}/query`, { method, headers, body: values }));
}

export interface WriteOptions {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isGzip?: boolean;
  readonly path?: string;
}

export async function write(url: string, body: string, options: WriteOptions = {}): Promise<Answer> {
  const { parameters = {}, isGzip = false, path = '/write' } = options;
  return readAnswer(
    await fetch(`${url}${path}?${new URLSearchParams(parameters).toString()}`, {
      method: 'POST',
      headers: isGzip ? { 'content-encoding': 'gzip' } : {},
      body: isGzip ? gzipSync(body) : body,
    })
  );
}

async function readAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    type: (response.headers.get('content-type') ?? '').replace(/;.*/, ''),
    error: response.headers.get('x-influxdb-error') ?? '',
    body: await response.text(),
  };
}
