import { connect } from 'node:net';
import { createSocket } from 'node:dgram';
import { type JoblensUnderTest, type Started, until } from '../../../testing/joblens.js';

/** A `joblens serve` that runs, and where it is. */
export interface StartedServe {
  readonly process: Started;
  readonly httpUrl: string;
  readonly udpPort: number;
  readonly tcpPort: number;
  /** Sends a POST of line protocol. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  sendDatagrams(...datagrams: readonly string[]): Promise<void>;
  /** Sends it and ends the connection; resolves when the other side has read it. */
  sendStream(...pieces: readonly string[]): Promise<void>;
  /** Ends it by SIGTERM; returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts it on free ports. */
export async function startServe(
  joblens: JoblensUnderTest,
  args: readonly string[],
  environment: Record<string, string> = {}
): Promise<StartedServe> {
  const anyPort = ['--http', '0', '--udp', '0', '--tcp', '0'];
  const process = joblens.start(['serve', ...anyPort, ...args], { JOBLENS_LOG_LEVEL: 'info', ...environment });
  const read = (scheme: string): URL | undefined => {
    const [, url] = new RegExp(`(${scheme}://[^,\\s]+)[^\\n]*, writing to`).exec(process.stderr().toString()) ?? [];
    return url === undefined ? undefined : new URL(url);
  };
  await until(() => process.stderr().includes('writing to '));
  const [http, udp, tcp] = [read('http'), read('udp'), read('tcp')];
  const httpUrl = http?.origin ?? '';
  const [udpPort, tcpPort] = [Number(udp?.port), Number(tcp?.port)];
  return {
    ...{ process, httpUrl, udpPort, tcpPort },
    post: (path, body, headers = {}) =>
      fetch(`${httpUrl}${path}`, { method: 'POST', body: new Blob([Uint8Array.from(Buffer.from(body))]), headers }),
    sendDatagrams: (...datagrams) => sendDatagrams(udpPort, datagrams),
    sendStream: (...pieces) => sendStream(tcpPort, pieces),
    async stop() {
      process.kill('SIGTERM');
      return (await process.ended).code;
    },
  };
}

async function sendDatagrams(port: number, datagrams: readonly string[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const datagram of datagrams) {
    await new Promise<void>((resolve) => socket.send(datagram, port, '127.0.0.1', () => resolve()));
  }
  socket.close();
}

function sendStream(port: number, pieces: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject).on('close', () => resolve());
    for (const piece of pieces) socket.write(piece);
    socket.end();
    socket.resume();
  });
}
