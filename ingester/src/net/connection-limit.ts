import { isIPv4, type Socket } from 'node:net';
import type { Clock } from '../clock/clock.js';
import { LatelySaid } from '../host/lately-said.js';
import type { Reporter } from '../host/report.js';

/** Each connection takes memory, even one that sends nothing. */
const MAX_CONNECTIONS = 500;
/** The limit for one other machine, which leaves room for the others. */
const MAX_OF_CLIENT = 250;
/** A connection may be quiet this long before it counts as idle. A client that connects to write does so at once. */
const GRACE_MS = 1000;
/** A connection that receives more slowly yields when there is no room for others. */
const MIN_BYTES_PER_MS = 10;

/**
 * `idle`: everything that came is handled. `receiving`: the rest of a request is awaited. `working`: the sender awaits
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
  readonly #monotonicMs: () => number;

  constructor(socket: Socket, monotonicMs: () => number) {
    this.socket = socket;
    this.client = socket.remoteAddress ?? '';
    this.#monotonicMs = monotonicMs;
    this.#sinceMs = monotonicMs();
  }

  /** `isAwaited`: whether the received bytes can be handled only once more have come. */
  enter(phase: Phase, isAwaited = (): boolean => true): void {
    this.#phase = phase;
    this.#isAwaited = isAwaited;
    this.#sinceMs = this.#monotonicMs();
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
    return this.#monotonicMs() - this.#sinceMs;
  }

  /** The sender keeps us waiting. */
  get isSlow(): boolean {
    const bytes = this.socket.bytesRead - this.#bytesBefore;
    return !this.isIdle && !this.isWorking && this.ageMs >= GRACE_MS && bytes < this.ageMs * MIN_BYTES_PER_MS;
  }
}

interface ConnectionLimitOptions {
  /** The protocol's name in messages. */
  readonly way: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly report: Reporter;
  readonly maxConnections?: number;
  readonly maxOfClient?: number;
}

/**
 * Limits the number of connections, in all and for each other machine. A connection beyond the limit replaces the
 * newest idle one of the client with the most idle ones, or else one that sends very slowly. Only if all are busy is it
 * closed itself.
 */
export class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;
  readonly #maxConnections: number;
  readonly #maxOfClient: number;
  /** In order of arrival. */
  readonly #connections = new Set<LimitedConnection>();
  readonly #said: LatelySaid;

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
    this.#said = new LatelySaid(() => options.clock.monotonicMs());
    this.#maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
    this.#maxOfClient = options.maxOfClient ?? MAX_OF_CLIENT;
  }

  /** Undefined when there is no room: the connection is then closed. */
  admit(socket: Socket): LimitedConnection | undefined {
    const { clock } = this.#options;
    const connection = new LimitedConnection(socket, () => clock.monotonicMs());
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
    if (!this.#said.isNews(what)) return;
    const { report, way } = this.#options;
    const open =
      what === 'all'
        ? `${this.#maxConnections} ${way} connections are open`
        : `${this.#maxOfClient} ${way} connections of ${client} are open`;
    report.warn(`${open}: each further one takes the place of an idle one, or is closed`);
  }
}

/** The address cannot tell clients on this machine apart. */
function isLoopbackClient(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '');
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}

/** Finds the connection that makes room, among all or those of one client; undefined when none can. */
function findYielding(
  connections: readonly LimitedConnection[],
  client: string | undefined
): LimitedConnection | undefined {
  const eligible = client === undefined ? connections : connections.filter((one) => one.client === client);
  const idle = ofLargestClient(eligible.filter(({ isIdle }) => isIdle));
  const quiet = idle.filter(({ ageMs }) => ageMs >= GRACE_MS);
  // A client that connects to write does not wait long with it.
  return quiet.at(-1) ?? idle[0] ?? ofLargestClient(eligible.filter(({ isSlow }) => isSlow)).at(-1);
}

function ofLargestClient(connections: readonly LimitedConnection[]): readonly LimitedConnection[] {
  const counts = new Map<string, number>();
  for (const { client } of connections) counts.set(client, (counts.get(client) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const largest = connections.find(({ client }) => counts.get(client) === most)?.client;
  return connections.filter(({ client }) => client === largest);
}
