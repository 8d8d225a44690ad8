import { connect, type Socket } from 'node:net';
import type { JoblensUnderTest } from '../../../testing/joblens.js';
import { type StartedServe, startServe } from './started-serve.js';

/** A connection to `joblens serve` that a test keeps in its hands. */
export interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  /** How long the connection was open; undefined while it is. */
  readonly closedMs: () => number | undefined;
}

/** Opens a connection and sends a text; by default to the HTTP port of this machine. */
export type OpenClient = (text?: string, port?: number, host?: string) => Client;

function openClient(text: string, port: number, host: string): Client {
  const [openedMs, chunks] = [Date.now(), [] as Buffer[]];
  let closedMs: number | undefined;
  const socket = connect(port, host);
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  socket.on('close', () => (closedMs = Date.now() - openedMs));
  socket.write(text);
  return { socket, received: () => Buffer.concat(chunks).toString(), closedMs: () => closedMs };
}

/** Serves to clients that open connections and send what they want; returns what it said on stderr. */
export async function serveClients(
  joblens: JoblensUnderTest,
  args: readonly string[],
  task: (serve: StartedServe, open: OpenClient) => Promise<void>,
  environment: Record<string, string> = {}
): Promise<string> {
  const serve = await startServe(joblens, args, environment);
  const sockets: Socket[] = [];
  const open: OpenClient = (text = '', port = Number(new URL(serve.httpUrl).port), host = '127.0.0.1') => {
    const client = openClient(text, port, host);
    sockets.push(client.socket);
    return client;
  };
  try {
    await task(serve, open);
  } finally {
    for (const socket of sockets) socket.destroy();
    await serve.stop();
  }
  return serve.process.stderr().toString();
}

/** The head of a write over HTTP. */
export function formatHead(...headers: readonly string[]): string {
  return ['POST /write HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');
}
