import type { Server } from 'node:net';
import { isIPv4 } from 'node:net';

/** An address of this machine to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Nobody outside of this machine can reach it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** `HOST:PORT`, as URLs write it. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns why it cannot listen there; undefined when it does. */
export function listen(server: Server, { host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(explainListenFailure(error)));
    server.listen(port, host, () => resolve(undefined));
  });
}

/** The address that it has, with the port that was found. */
export function boundAddress(server: Server, asked: ListenAddress): ListenAddress {
  const bound = server.address();
  return { host: asked.host, port: typeof bound === 'object' && bound !== null ? bound.port : asked.port };
}

export function explainListenFailure({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'another process answers there';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    case 'EACCES':
      return 'not allowed';
    default:
      return code ?? message;
  }
}
