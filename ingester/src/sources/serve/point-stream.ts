import { bufferPool } from '../../bytes/buffer-pool.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import { type PointTranslator, refuseLine } from './point-translator.js';
import type { TranslatedPoints } from './translated-points.js';

const NEWLINE = 0x0a;
/** A longer point counts as endless: a quote was not closed, or it is not line protocol. */
export const MAX_POINT_BYTES = 1 << 20;
/** Each stream may hold this much of a point … */
const SHORT_POINT_BYTES = 4096;
/** … and all of them together this much more. */
const SHARED_BYTES = 8 << 20;
/** Small, because many streams hold something. */
const HELD_GROWTH = 1.25;

/** Counts the bytes of long points that all streams hold together, which bounds their memory. */
export class HeldBytes {
  #free = SHARED_BYTES;

  /** Takes `after` bytes in place of `before`; false when there are not enough. */
  change(before: number, after: number): boolean {
    if (after - before > this.#free) return false;
    this.#free += before - after;
    return true;
  }
}

/** Reads points from bytes that come in any pieces. */
export class PointStream {
  readonly #translator: PointTranslator;
  readonly #held: HeldBytes;
  /** The beginning of a point. */
  #begun: ByteWriter | undefined;
  /** The number of shared bytes that this stream holds. */
  #taken = 0;
  /** The rest of a line that was too long is being skipped. */
  #isSkipping = false;

  constructor(translator: PointTranslator, held: HeldBytes) {
    this.#translator = translator;
    this.#held = held;
  }

  /** Whether it waits for the rest of a point. */
  get hasBegun(): boolean {
    return this.#begun !== undefined || this.#isSkipping;
  }

  push(piece: Buffer, into: TranslatedPoints): void {
    const bytes = this.#isSkipping ? this.#skipLine(piece) : piece;
    // Only a newline can end a point, so a long one in many pieces is not read again and again.
    if (bytes.includes(NEWLINE)) this.#translate(bytes, into);
    else if (bytes.length > 0) this.#keep(bytes);
    while (!this.#mayHold()) this.#refuseFirstLine('the point is too long', into);
  }

  /**
   * Call it when nothing has come for a while: the end of a string that is open over the end of a line is not waited
   * for.
   */
  settle(into: TranslatedPoints): void {
    while (this.#begun?.bytes.includes(NEWLINE) === true) this.#refuseFirstLine('unbalanced quotes', into);
  }

  /** Refuses the held bytes as a point, for this reason. */
  refuse(reason: string, into: TranslatedPoints): void {
    if (this.#begun !== undefined) into.refuse(this.#begun.bytes, reason);
    this.drop();
  }

  /** Ends the stream: the last point needs no newline. */
  end(into: TranslatedPoints): void {
    if (this.#begun !== undefined) {
      this.#begun.append(Buffer.of(NEWLINE));
      this.#translator.translateAll(this.#begun.bytes, into);
    }
    this.drop();
  }

  /** Releases its memory. */
  drop(): void {
    if (this.#begun !== undefined) bufferPool.give(this.#begun.bytes);
    this.#begun = undefined;
    this.#mayHold();
  }

  #translate(bytes: Buffer, into: TranslatedPoints): void {
    if (this.#begun === undefined) {
      const rest = this.#translator.translateWhole(bytes, into);
      if (rest.length > 0) this.#keep(rest);
      return;
    }
    this.#begun.append(bytes);
    this.#keepOnly(this.#translator.translateWhole(this.#begun.bytes, into));
  }

  #refuseFirstLine(reason: string, into: TranslatedPoints): void {
    const bytes = this.#begun?.bytes ?? Buffer.alloc(0);
    if (bytes.includes(NEWLINE)) {
      const next = refuseLine(bytes, 0, reason, into);
      this.#keepOnly(this.#translator.translateWhole(bytes.subarray(next), into));
      return;
    }
    into.refuse(bytes, reason);
    this.#isSkipping = true;
    this.drop();
  }

  /** Whether there is memory for the held bytes. */
  #mayHold(): boolean {
    const bytes = this.#begun?.length ?? 0;
    const wanted = Math.max(0, bytes - SHORT_POINT_BYTES);
    if (bytes > MAX_POINT_BYTES || !this.#held.change(this.#taken, wanted)) return false;
    this.#taken = wanted;
    return true;
  }

  #keep(bytes: Buffer): void {
    this.#begun ??= new ByteWriter(bytes.length, HELD_GROWTH);
    this.#begun.append(bytes);
  }

  /** Keeps a part of the held bytes, or a copy of it, instead of all of them. */
  #keepOnly(rest: Buffer): void {
    const held = this.#begun;
    this.#begun = undefined;
    if (rest.length > 0) this.#keep(rest);
    if (held !== undefined) bufferPool.give(held.bytes);
  }

  /** Returns the bytes behind the end of the line. */
  #skipLine(bytes: Buffer): Buffer {
    const newline = bytes.indexOf(NEWLINE);
    if (newline < 0) return bytes.subarray(bytes.length);
    this.#isSkipping = false;
    return bytes.subarray(newline + 1);
  }
}
