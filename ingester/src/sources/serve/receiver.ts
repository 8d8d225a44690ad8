import type { Server, Socket } from 'node:net';
import { formatAddress } from '../../listen.js';
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

/** Further connections are closed at once, which is said once. */
export function limitConnections(server: Server, way: string, report: Reporter): void {
  server.maxConnections = MAX_CONNECTIONS;
  server.once('drop', () => {
    report.warn(`${MAX_CONNECTIONS} ${way} connections are open: further ones are closed until some of these end`);
  });
}
