import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { err, ok, type Result } from '@joblens/core/result/result';
import { withDeadline } from '../../clock/deadline.js';
import type { Counters } from '../../delivery/counters.js';
import { countLines } from '../../pipeline/token-bucket.js';
import { explainListenFailure, formatAddress, type ListenAddress } from '../../net/listen.js';
import { formatListenFailure, type Receiver, type ReceiverOptions } from './receiver.js';
import { TranslatedPoints } from './translated-points.js';
import { readLostDatagrams } from './udp-losses.js';

const NEWLINE = 0x0a;
/** The size recommended by telegraf's documentation. The system gives at most net.core.rmem_max. */
const RECEIVE_BUFFER_BYTES = 8 << 20;
/** Datagrams that come within this time are queued together … */
const GATHER_MS = 10;
/** … up to this many bytes. */
const GATHER_BYTES = 256 * 1024;
/** The most bytes that wait for room in memory: no sender can be told to wait. */
const MAX_WAITING_BYTES = 4 << 20;
const LOSS_CHECK_MS = 2000;
/** At the end datagrams are read for QUIET_MS more, and room for them is waited for up to CLOSE_MS. */
const QUIET_MS = 50;
const CLOSE_MS = 3000;

interface UdpReceiverOptions extends ReceiverOptions {
  readonly counters: Counters;
}

/**
 * Receives datagrams of one or more lines, with times in nanoseconds or none. Each datagram is whole: its last line
 * needs no newline. The error is one line for the user.
 */
export async function startUdpReceiver(
  address: ListenAddress,
  options: UdpReceiverOptions
): Promise<Result<Receiver, string>> {
  const type = isIPv6(address.host) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES });
  const failure = await bind(socket, address);
  if (failure !== undefined) {
    return err(formatListenFailure('udp', address, failure));
  }
  return ok(new UdpReceiver(socket, { ...address, port: socket.address().port }, options));
}

function bind(socket: Socket, { host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(explainListenFailure(error)));
    socket.bind(port, host, () => resolve(undefined));
  });
}

class UdpReceiver implements Receiver {
  readonly name: string;
  readonly #socket: Socket;
  readonly #port: number;
  readonly #options: UdpReceiverOptions;
  readonly #stop = new AbortController();
  readonly #closed = new AbortController();
  #gathered = new TranslatedPoints('');
  #queueing: Promise<void> | undefined;
  /** The number of lines dropped for lack of room since the last report. */
  #droppedLines = 0;
  /** The number of lost datagrams at the last report. */
  #saidLost = 0;

  constructor(socket: Socket, address: ListenAddress, options: UdpReceiverOptions) {
    this.name = `udp://${formatAddress(address)}`;
    this.#socket = socket;
    this.#port = address.port;
    this.#options = options;
    socket.on(
      'message',
      (datagram, sender) => void options.intake.contain(this.name, () => this.#take(datagram, sender))
    );
    socket.on('error', (error) => options.report.warn(`receiving from ${this.name} failed: ${error.message}`));
    void this.#watchLosses();
  }

  /** Reads the datagrams that have come. Later ones are lost, as with any receiver that ends. */
  async close(): Promise<void> {
    await this.#options.clock.sleep(QUIET_MS);
    await this.#lookForLosses();
    this.#socket.close();
    this.#stop.abort();
    await withDeadline(CLOSE_MS, [], async (late) => {
      late.addEventListener('abort', () => this.#closed.abort());
      await this.#queueing;
    });
  }

  #take(datagram: Buffer, { address, port }: RemoteInfo): void {
    const { intake, counters } = this.#options;
    intake.countBytes(datagram.length);
    const bytes = datagram.at(-1) === NEWLINE ? datagram : Buffer.concat([datagram, Buffer.of(NEWLINE)]);
    if (this.#gathered.writer.length >= MAX_WAITING_BYTES) {
      const lines = countLines(bytes);
      counters.droppedPoints += lines;
      this.#droppedLines += lines;
      return;
    }
    this.#gathered.from = formatAddress({ host: address, port });
    intake.translatorOf('ns').translateAll(bytes, this.#gathered);
    if (this.#gathered.writer.length >= GATHER_BYTES) this.#add();
    this.#queueing ??= intake.contain(this.name, () => this.#queue()).finally(() => (this.#queueing = undefined));
  }

  /** Queues the gathered points soon. */
  async #queue(): Promise<void> {
    const { clock, intake, report } = this.#options;
    await clock.sleep(GATHER_MS, this.#stop.signal);
    let isWaiting = false;
    while (!this.#add()) {
      if (this.#closed.signal.aborted) {
        const lost = this.#gathered.points + this.#droppedLines;
        report.error(`${lost} points that came to ${this.name} are lost: there was no room for them`);
        return;
      }
      if (!isWaiting)
        report.error(`no room for points that come to ${this.name}: they wait in memory, and will soon be dropped`);
      isWaiting = true;
      await intake.untilRoom(this.#closed.signal);
    }
    if (!isWaiting) return;
    report.warn(`there is room again for points that come to ${this.name}; ${this.#droppedLines} lines were dropped`);
    this.#droppedLines = 0;
  }

  #add(): boolean {
    const { intake } = this.#options;
    let isAdded = true;
    try {
      isAdded = intake.add(this.#gathered);
    } catch (error) {
      // What failed is not tried again, as it would keep all later ones waiting.
      intake.noteFault(this.name, error);
    }
    if (isAdded) this.#gathered = new TranslatedPoints('');
    return isAdded;
  }

  async #watchLosses(): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(LOSS_CHECK_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      await this.#options.intake.contain(this.name, () => this.#lookForLosses());
    }
  }

  /** Reports losses for the first time, and each time that they have doubled. */
  async #lookForLosses(): Promise<void> {
    const { counters, report } = this.#options;
    const lost = await readLostDatagrams(this.#port);
    if (lost === undefined) return;
    counters.lostDatagrams = lost;
    if (lost === 0 || lost < this.#saidLost * 2) return;
    this.#saidLost = lost;
    report.warn(
      `${lost} datagrams to ${this.name} were lost: they came faster than they were read; raise net.core.rmem_max to ${RECEIVE_BUFFER_BYTES}, or send by TCP or HTTP`
    );
  }
}
