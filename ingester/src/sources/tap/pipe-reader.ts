import { Socket } from 'node:net';
import type { Clock } from '../../clock/clock.js';

/**
 * This many bytes are handed on at once, or those of this many milliseconds: each hand-over costs the log more than
 * many bytes do.
 */
const GATHER_BYTES = 128 * 1024;
const GATHER_MS = 4;
/** The usual size of a pipe. */
const READ_BYTES = 64 * 1024;
/** The number of bytes read ahead of the log, so that a short pause of the log does not slow the writer down. */
const READ_AHEAD_BYTES = GATHER_BYTES + READ_BYTES;
/** A smaller read costs more than its bytes are worth. */
const LITTLE_BYTES = 4096;
/** After this many small reads in a row, the pipe is left to fill for a moment. */
const LITTLE_READS = 8;
const PAUSE_MS = 1;
/**
 * After a smaller read, the next one is delayed so little that no writer fills the pipe meanwhile. Timers have only
 * milliseconds.
 */
const SMALL_BYTES = READ_BYTES / 2;
const NAP_MS = 0.15;

/** The bytes of a pipe, read ahead of their consumer. */
export interface PipeReader {
  /**
   * Resolves with all bytes since the last call, a few milliseconds after the first of them; undefined at the end. One
   * call at a time. The bytes are valid until the next call.
   */
  take(): Promise<Uint8Array | undefined>;
  /** Stops reading: unread bytes are lost, and the end follows. */
  close(): void;
}

/**
 * Reads a pipe from its reading end, which the reader then owns. All reads share the same memory. A stream's own way, a
 * buffer for each read, costs several times more for the many small reads of a fast writer.
 */
export function openPipeReader(fd: number, clock: Pick<Clock, 'sleep'>): PipeReader {
  let arrived = Buffer.allocUnsafeSlow(READ_AHEAD_BYTES);
  let taken = Buffer.allocUnsafeSlow(READ_AHEAD_BYTES);
  let length = 0;
  let littleReads = 0;
  let isResting = false;
  let hasEnded = false;
  let wake = (): void => undefined;

  /** Returns whether to read on at once. */
  const add = (readLength: number, read: Uint8Array): boolean => {
    arrived.set(read.subarray(0, readLength), length);
    length += readLength;
    littleReads = readLength < LITTLE_BYTES ? littleReads + 1 : 0;
    wake();
    if (littleReads >= LITTLE_READS) void rest();
    else if (readLength >= LITTLE_BYTES && readLength < SMALL_BYTES) nap();
    return !isResting && hasRoom();
  };
  const hasRoom = (): boolean => length + READ_BYTES <= READ_AHEAD_BYTES;
  const rest = async (): Promise<void> => {
    isResting = true;
    await clock.sleep(PAUSE_MS);
    isResting = false;
    if (hasRoom()) socket.resume();
  };
  const end = (): void => {
    hasEnded = true;
    wake();
  };
  /** Resolves also at the end. */
  const untilArrived = (bytes: number, maxWaitMs?: number): Promise<void> =>
    new Promise((resolve) => {
      wake = () => (length >= bytes || hasEnded ? resolve() : undefined);
      wake();
      if (maxWaitMs !== undefined) void clock.sleep(maxWaitMs).then(resolve);
    });

  const options = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: add },
  };
  const socket = new Socket(options);
  for (const event of ['end', 'error', 'close'] as const) socket.once(event, end);
  socket.resume();

  return {
    async take() {
      await untilArrived(1);
      await untilArrived(GATHER_BYTES, GATHER_MS);
      if (length === 0) return undefined;
      const bytes = arrived.subarray(0, length);
      [arrived, taken] = [taken, arrived];
      length = 0;
      if (!isResting && !hasEnded) socket.resume();
      return bytes;
    },
    close: () => void socket.destroy(),
  };
}

const NEVER = new Int32Array(new SharedArrayBuffer(4));

function nap(): void {
  Atomics.wait(NEVER, 0, 0, NAP_MS);
}
