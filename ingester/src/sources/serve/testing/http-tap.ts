import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../../../../test/influxdb.js';

/** One request, of a client that opens a connection for each. */
interface Exchange {
  readonly beganMs: number;
  /** The part that has passed so far. */
  readonly body: string;
  /** The answer that the client got; undefined before. */
  readonly status: number | undefined;
}

/**
 * A proxy between an HTTP client and a server. It changes nothing, and keeps the client's requests and their answers.
 */
export interface HttpTap {
  readonly port: number;
  exchanges(): readonly Exchange[];
  close(): void;
}

export async function startHttpTap(serverPort: number): Promise<HttpTap> {
  const port = await freePort();
  const taps: (() => Exchange)[] = [];
  const sockets = new Set<Socket>();
  const tap = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
    }
    taps.push(record(client, server));
  });
  await new Promise<void>((resolve) => tap.listen(port, '127.0.0.1', resolve));
  return {
    port,
    exchanges: () => taps.map((read) => read()),
    close() {
      tap.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function record(client: Socket, server: Socket): () => Exchange {
  const beganMs = Date.now();
  const [sent, answered] = [client, server].map((socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  }) as [() => string, () => string];
  return () => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(answered())?.[1];
    return {
      beganMs,
      body: /\r\n\r\n(.*)/s.exec(sent())?.[1] ?? '',
      status: status === undefined ? undefined : Number(status),
    };
  };
}
