import { bufferPool } from '../../bytes/buffer-pool.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import type { PointTranslator } from './point-translator.js';
import { refuseLine } from './point-translator.js';
import type { TranslatedPoints } from './translated-points.js';

const NEWLINE = 0x0a;
/** A longer point is taken for one that does not end: a quote that was not closed, or no line protocol at all. */
export const MAX_POINT_BYTES = 1 << 20;
/** Any stream may hold so much of a point … */
const SHORT_POINT_BYTES = 4096;
/** … and all together so much more. */
const SHARED_BYTES = 8 << 20;
/** Many streams hold something. */
const HELD_GROWTH = 1.25;

/** Counts the bytes of long points that all streams hold together, so that their memory is bounded. */
export class HeldBytes {
  #free = SHARED_BYTES;

  /** Takes `after` bytes in place of `before`; false when there is not so much. */
  change(before: number, after: number): boolean {
    if (after - before > this.#free) return false;
    this.#free += before - after;
    return true;
  }
}

/** The points of bytes that come in any pieces. */
export class PointStream {
  readonly #translator: PointTranslator;
  readonly #held: HeldBytes;
  /** The beginning of a point. */
  #begun: ByteWriter | undefined;
  /** How many of the shared bytes this stream has. */
  #taken = 0;
  /** Within a line that was too long. */
  #isSkipping = false;

  constructor(translator: PointTranslator, held: HeldBytes) {
    this.#translator = translator;
    this.#held = held;
  }

  /** Whether the rest of a point is awaited. */
  get hasBegun(): boolean {
    return this.#begun !== undefined || this.#isSkipping;
  }

  push(piece: Buffer, into: TranslatedPoints): void {
    const bytes = this.#isSkipping ? this.#skipLine(piece) : piece;
    // Only a newline can end a point: a long one that comes in many pieces is not read again and again.
    if (bytes.includes(NEWLINE)) this.#translate(bytes, into);
    else if (bytes.length > 0) this.#keep(bytes);
    while (!this.#mayHold()) this.#refuseFirstLine('the point is too long', into);
  }

  /** Nothing came for a while: a string that is open over the end of a line is not waited for. */
  settle(into: TranslatedPoints): void {
    while (this.#begun?.bytes.includes(NEWLINE) === true) this.#refuseFirstLine('unbalanced quotes', into);
  }

  /** The held bytes are not a point, for this reason. */
  refuse(reason: string, into: TranslatedPoints): void {
    if (this.#begun !== undefined) into.refuse(this.#begun.bytes, reason);
    this.drop();
  }

  /** Nothing more comes: the last point needs no newline. */
  end(into: TranslatedPoints): void {
    if (this.#begun !== undefined) {
      this.#begun.append(Buffer.of(NEWLINE));
      this.#translator.translateAll(this.#begun.bytes, into);
    }
    this.drop();
  }

  /** Gives back its memory. */
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

  /** Keeps a part of the held bytes, or a copy of it, in place of the whole. */
  #keepOnly(rest: Buffer): void {
    const held = this.#begun;
    this.#begun = undefined;
    if (rest.length > 0) this.#keep(rest);
    if (held !== undefined) bufferPool.give(held.bytes);
  }

  /** The bytes behind the end of the line. */
  #skipLine(bytes: Buffer): Buffer {
    const newline = bytes.indexOf(NEWLINE);
    if (newline < 0) return bytes.subarray(bytes.length);
    this.#isSkipping = false;
    return bytes.subarray(newline + 1);
  }
}
