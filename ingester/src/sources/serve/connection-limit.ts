import { isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';

/** Each takes memory, also one that sends nothing. */
const MAX_CONNECTIONS = 500;
/** The limit for one other machine, so that it leaves room for the others. */
const MAX_OF_CLIENT = 250;
/** So long a connection may be quiet before it counts as idle: who connects in order to write does it at once. */
const GRACE_MS = 1000;
/** A connection that receives more slowly yields when there is no room for others. */
const MIN_BYTES_PER_MS = 10;

/**
 * `idle`: nothing has come that is not dealt with. `receiving`: the rest of it is awaited. `working`: the sender awaits
 * us.
 */
type Phase = 'idle' | 'receiving' | 'working';

/** A connection as the limit sees it; its receiver updates this. */
export class LimitedConnection {
  readonly socket: Socket;
  readonly client: string;
  #phase: Phase = 'idle';
  #isAwaited = (): boolean => true;
  #sinceMs: number;
  #bytesBefore = 0;
  readonly #nowMs: () => number;

  constructor(socket: Socket, nowMs: () => number) {
    this.socket = socket;
    this.client = socket.remoteAddress ?? '';
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** `isAwaited`: whether more bytes must come before the received ones can be handled. */
  enter(phase: Phase, isAwaited = (): boolean => true): void {
    this.#phase = phase;
    this.#isAwaited = isAwaited;
    this.#sinceMs = this.#nowMs();
    this.#bytesBefore = this.socket.bytesRead;
  }

  get isIdle(): boolean {
    return this.#phase === 'idle';
  }

  /** The sender awaits us. */
  get isWorking(): boolean {
    return this.#phase === 'working' || (this.#phase === 'receiving' && !this.#isAwaited());
  }

  get ageMs(): number {
    return this.#nowMs() - this.#sinceMs;
  }

  /** It keeps us waiting. */
  get isSlow(): boolean {
    const bytes = this.socket.bytesRead - this.#bytesBefore;
    return !this.isIdle && !this.isWorking && this.ageMs >= GRACE_MS && bytes < this.ageMs * MIN_BYTES_PER_MS;
  }
}

interface ConnectionLimitOptions {
  /** How messages call the protocol. */
  readonly way: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly report: Reporter;
  readonly maxConnections?: number;
  readonly maxOfClient?: number;
}

/**
 * Holds the number of connections: in all, and of each other machine. One that is too many takes the place of the
 * newest that is idle, of the client that has the most; else of one that sends very slowly; only where all are busy it
 * is closed itself.
 */
export class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;
  readonly #maxConnections: number;
  readonly #maxOfClient: number;
  /** In the order in which they came. */
  readonly #connections = new Set<LimitedConnection>();
  readonly #said = new Set<'all' | 'client'>();

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
    this.#maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
    this.#maxOfClient = options.maxOfClient ?? MAX_OF_CLIENT;
  }

  /** Undefined when there is no room for it: it is closed then. */
  admit(socket: Socket): LimitedConnection | undefined {
    const { clock } = this.#options;
    const connection = new LimitedConnection(socket, () => clock.nowMs());
    const isOverShare = !isLoopbackClient(connection.client) && this.#countOf(connection.client) >= this.#maxOfClient;
    if (isOverShare || this.#connections.size >= this.#maxConnections) {
      this.#say(isOverShare ? 'client' : 'all', connection.client);
      const leaving = findYielding([...this.#connections], isOverShare ? connection.client : undefined);
      if (leaving === undefined) {
        socket.destroy();
        return undefined;
      }
      this.#connections.delete(leaving);
      leaving.socket.destroy();
    }
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    return connection;
  }

  #countOf(client: string): number {
    let count = 0;
    for (const connection of this.#connections) if (connection.client === client) count += 1;
    return count;
  }

  #say(what: 'all' | 'client', client: string): void {
    if (this.#said.has(what)) return;
    this.#said.add(what);
    const { report, way } = this.#options;
    const open =
      what === 'all'
        ? `${this.#maxConnections} ${way} connections are open`
        : `${this.#maxOfClient} ${way} connections of ${client} are open`;
    report.warn(`${open}: each further one takes the place of an idle one, or is closed`);
  }
}

/** On one machine clients cannot be told apart by their address. */
function isLoopbackClient(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '');
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}

/** Which connection makes room, of all or of one client; undefined where none can. */
function findYielding(
  connections: readonly LimitedConnection[],
  client: string | undefined
): LimitedConnection | undefined {
  const eligible = client === undefined ? connections : connections.filter((one) => one.client === client);
  const idle = ofLargestClient(eligible.filter(({ isIdle }) => isIdle));
  const quiet = idle.filter(({ ageMs }) => ageMs >= GRACE_MS);
  // A client that has just come and wants to write does not wait long.
  return quiet.at(-1) ?? idle[0] ?? ofLargestClient(eligible.filter(({ isSlow }) => isSlow)).at(-1);
}

function ofLargestClient(connections: readonly LimitedConnection[]): readonly LimitedConnection[] {
  const counts = new Map<string, number>();
  for (const { client } of connections) counts.set(client, (counts.get(client) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const largest = connections.find(({ client }) => counts.get(client) === most)?.client;
  return connections.filter(({ client }) => client === largest);
}
