import type { Server, Socket } from 'node:net';
import { err, ok, type Result } from '@joblens/core/result/result';
import { boundAddress, formatAddress, listen, type ListenAddress } from '../../net/listen.js';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { PointIntake } from './point-intake.js';

/** Takes points from other programs over one protocol. */
export interface Receiver {
  /** Its address for the user, with the port that was found. */
  readonly name: string;
  /** Accepts nothing new, and queues all that has come. */
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly intake: PointIntake;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly report: Reporter;
}

/** The other end of a connection. */
export function formatPeer({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return remoteAddress === undefined
    ? 'one that has gone'
    : formatAddress({ host: remoteAddress, port: remotePort ?? 0 });
}

/** Listens for connections. Returns the address with its scheme; the error is one line for the user. */
export async function listenForPoints(
  server: Server,
  scheme: 'http' | 'tcp',
  address: ListenAddress,
  report: Reporter
): Promise<Result<string, string>> {
  const failure = await listen(server, address);
  if (failure !== undefined) return err(formatListenFailure(scheme, address, failure));
  server.on('error', (error) => report.warn(`taking a connection of ${scheme.toUpperCase()} failed: ${error.message}`));
  return ok(`${scheme}://${formatAddress(boundAddress(server, address))}`);
}

export function formatListenFailure(scheme: 'http' | 'udp' | 'tcp', address: ListenAddress, failure: string): string {
  return `cannot listen on ${scheme}://${formatAddress(address)}: ${failure}; give another --${scheme} HOST:PORT, or off`;
}
