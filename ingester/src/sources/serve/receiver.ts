import type { Server, Socket } from 'node:net';
import type { Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import type { ListenAddress } from '../../listen.js';
import { boundAddress, formatAddress, listen } from '../../listen.js';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../report.js';
import type { PointIntake } from './point-intake.js';

/** Each takes memory, also one that sends nothing. */
const MAX_CONNECTIONS = 500;

/** Takes points from other programs over one protocol. */
export interface Receiver {
  /** Where, as the user is told it, with the port that was found. */
  readonly name: string;
  /** Takes nothing new, and queues what has come. */
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly intake: PointIntake;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly report: Reporter;
}

/** Who is at the other end. */
export function formatPeer({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return remoteAddress === undefined
    ? 'one that has gone'
    : formatAddress({ host: remoteAddress, port: remotePort ?? 0 });
}

/**
 * Listens for connections, up to a number of them: further ones are closed at once, which is said once. Returns the address with its scheme; the
 * error is one line for the user.
 */
export async function listenForPoints(
  server: Server,
  scheme: 'http' | 'tcp',
  address: ListenAddress,
  report: Reporter
): Promise<Result<string, string>> {
  const way = scheme.toUpperCase();
  server.maxConnections = MAX_CONNECTIONS;
  server.once('drop', () => {
    report.warn(`${MAX_CONNECTIONS} ${way} connections are open: further ones are closed until some of these end`);
  });
  const failure = await listen(server, address);
  if (failure !== undefined) return err(formatListenFailure(scheme, address, failure));
  server.on('error', (error) => report.warn(`taking a connection of ${way} failed: ${error.message}`));
  return ok(`${scheme}://${formatAddress(boundAddress(server, address))}`);
}

export function formatListenFailure(scheme: 'http' | 'udp' | 'tcp', address: ListenAddress, failure: string): string {
  return `cannot listen on ${scheme}://${formatAddress(address)}: ${failure}; give another --${scheme} HOST:PORT, or off`;
}
