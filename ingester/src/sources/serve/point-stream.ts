import { bufferPool } from '../../buffer-pool.js';
import { ByteOutput } from '../../byte-output.js';
import type { PointTranslator } from './point-translator.js';
import { refuseLine } from './point-translator.js';
import type { TranslatedPoints } from './translated-points.js';

const NEWLINE = 0x0a;
/** A longer point is taken for one that does not end: a quote that was not closed, or no line protocol at all. */
export const MAX_POINT_BYTES = 1 << 20;
/** A stream may hold so much of a point at any time … */
const SHORT_POINT_BYTES = 64 * 1024;
/** … and so many streams more than that. */
const LONG_POINTS = 16;
/** So much is kept of a line that is too long. */
const KEPT_BYTES = 1000;

/** How many streams may hold a long point; they share it, so that the memory of all is bounded. */
export class LongPointPlaces {
  #free = LONG_POINTS;

  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  give(): void {
    this.#free += 1;
  }
}

/** The points of bytes that come in any pieces. */
export class PointStream {
  readonly #translator: PointTranslator;
  readonly #places: LongPointPlaces;
  /** The beginning of a point. */
  #begun: ByteOutput | undefined;
  #hasPlace = false;
  /** Within a line that was too long. */
  #isSkipping = false;

  constructor(translator: PointTranslator, places: LongPointPlaces) {
    this.#translator = translator;
    this.#places = places;
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

  /** What is held is no point, for this reason. */
  refuse(reason: string, into: TranslatedPoints): void {
    if (this.#begun !== undefined) into.refuse(this.#begun.bytes.subarray(0, KEPT_BYTES), reason);
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
    if (this.#hasPlace) this.#places.give();
    this.#hasPlace = false;
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
    into.refuse(bytes.subarray(0, KEPT_BYTES), reason);
    this.#isSkipping = true;
    this.drop();
  }

  #mayHold(): boolean {
    const bytes = this.#begun?.length ?? 0;
    if (bytes <= SHORT_POINT_BYTES) return true;
    this.#hasPlace ||= this.#places.take();
    return this.#hasPlace && bytes <= MAX_POINT_BYTES;
  }

  #keep(bytes: Buffer): void {
    this.#begun ??= new ByteOutput(bytes.length);
    this.#begun.append(bytes);
  }

  /** Takes a part of what is held, or a copy of it, in place of the whole. */
  #keepOnly(rest: Buffer): void {
    const held = this.#begun;
    this.#begun = undefined;
    if (rest.length > 0) this.#keep(rest);
    if (held !== undefined) bufferPool.give(held.bytes);
    if (rest.length <= SHORT_POINT_BYTES && this.#hasPlace) {
      this.#places.give();
      this.#hasPlace = false;
    }
  }

  /** What stands behind the end of the line. */
  #skipLine(bytes: Buffer): Buffer {
    const newline = bytes.indexOf(NEWLINE);
    if (newline < 0) return bytes.subarray(bytes.length);
    this.#isSkipping = false;
    return bytes.subarray(newline + 1);
  }
}
