import { createServer, type Socket } from 'node:net';
import { ok, type Result } from '@joblens/core/result/result';
import { withDeadline } from '../../clock/deadline.js';
import type { ListenAddress } from '../../net/listen.js';
import { ConnectionLimit, type LimitedConnection } from '../../net/connection-limit.js';
import { formatPeer, listenForPoints, type Receiver, type ReceiverOptions } from './receiver.js';
import { TranslatedPoints } from './translated-points.js';

/** After this much silence, a point that has begun is read again. */
const IDLE_MS = 1000;
/** At the end a connection counts as read after QUIET_MS of silence, and is waited for up to CLOSE_MS. */
const QUIET_MS = 50;
const CLOSE_MS = 3000;

/**
 * Receives lines of line protocol that end with a newline, with times in nanoseconds or none. Sends no answers. A
 * sender waits while there is no room. The error is one line for the user.
 */
export async function startTcpReceiver(
  address: ListenAddress,
  options: ReceiverOptions
): Promise<Result<Receiver, string>> {
  const { clock, report } = options;
  const limit = new ConnectionLimit({ way: 'TCP', clock, report });
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const limited = limit.admit(socket);
    if (limited === undefined) return;
    const connection = new Connection(limited, options);
    connections.add(connection);
    void connection.ended.finally(() => connections.delete(connection));
  });
  const listening = await listenForPoints(server, 'tcp', address, report);
  if (!listening.ok) return listening;
  return ok({
    name: listening.value,
    async close() {
      server.close();
      await Promise.all([...connections].map((connection) => connection.close()));
    },
  });
}

class Connection {
  /** Resolves when all that came is queued. */
  readonly ended: Promise<void>;
  readonly #limited: LimitedConnection;
  readonly #socket: Socket;
  readonly #options: ReceiverOptions;
  readonly #from: string;
  readonly #stop = new AbortController();
  #isClosing = false;

  constructor(limited: LimitedConnection, options: ReceiverOptions) {
    this.#limited = limited;
    this.#socket = limited.socket;
    this.#options = options;
    this.#from = formatPeer(limited.socket);
    this.ended = this.#receive();
  }

  /** Reads the bytes that have come, for a bounded time. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#socket.setTimeout(QUIET_MS);
    return withDeadline(CLOSE_MS, [], (late) => {
      late.addEventListener('abort', () => {
        this.#stop.abort();
        this.#socket.destroy();
      });
      return this.ended;
    });
  }

  async #receive(): Promise<void> {
    const { intake, report } = this.#options;
    const stream = intake.openStream('ns');
    this.#socket.setTimeout(IDLE_MS, () => {
      if (this.#isClosing) this.#socket.destroy();
      else void this.#contain((into) => stream.settle(into));
    });
    try {
      for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
        intake.countBytes(chunk.length);
        this.#limited.enter('working');
        await this.#contain((into) => stream.push(chunk, into), chunk.length);
        this.#limited.enter(stream.hasBegun ? 'receiving' : 'idle');
      }
    } catch (error) {
      report.debug(`the connection from ${this.#from} was cut: ${String(error)}`);
    }
    await this.#contain((into) => {
      stream.settle(into);
      // A number or a time that was cut off would mean another one.
      stream.refuse('the connection ended before the line', into);
    });
  }

  /** What fails is lost, and the connection goes on. */
  #contain(read: (into: TranslatedPoints) => void, receivedBytes?: number): Promise<void> {
    return this.#options.intake.contain('TCP', () => this.#translate(read, receivedBytes));
  }

  async #translate(read: (into: TranslatedPoints) => void, receivedBytes?: number): Promise<void> {
    const { intake, report } = this.#options;
    const translated = new TranslatedPoints(this.#from, receivedBytes);
    read(translated);
    if (await intake.addWhenRoom(translated, this.#stop.signal)) return;
    report.error(`${translated.points} points from ${this.#from} are lost: there was no room for them`);
    translated.drop();
  }
}
