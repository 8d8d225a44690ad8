import { isIPv4, type Server } from 'node:net';
import { nameErrorCode } from '../host/file-error.js';

/** An address of this machine to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Whether only this machine can reach the address. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Formats it as `HOST:PORT`, as in URLs. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Listens there. Resolves to undefined, or to the reason why it cannot. */
export function listen(server: Server, { host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(explainListenFailure(error)));
    server.listen(port, host, () => resolve(undefined));
  });
}

/** The address of a server, with the port that was found if any free one was asked for. */
export function boundAddress(server: Server, asked: ListenAddress): ListenAddress {
  const bound = server.address();
  return { host: asked.host, port: typeof bound === 'object' && bound !== null ? bound.port : asked.port };
}

export function explainListenFailure(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'another process answers there';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    case 'EACCES':
      return 'not allowed';
    default:
      return nameErrorCode(error);
  }
}
