import { maskedCrc32c } from './crc32c.js';

const LENGTH_BYTES = 8;
const HEADER_BYTES = LENGTH_BYTES + 4;
const FOOTER_BYTES = 4;
/** A larger record is an image or a graph; it is passed over. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export interface RecordHandler {
  /** The bytes are valid until it returns. */
  onRecord(record: Uint8Array): void;
  /** `what`: of many. */
  onFault(what: string): void;
}

/** Cuts the bytes of a file of TFRecord into records, and checks them. */
export class Records {
  readonly #handler: RecordHandler;
  #rest: Buffer = Buffer.alloc(0);
  /** How much of a large record is still to come. */
  #toSkip = 0;
  #isLost = false;

  constructor(handler: RecordHandler) {
    this.#handler = handler;
  }

  add(chunk: Buffer): void {
    if (this.#isLost) return;
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let done = this.#take(data); done > 0; done = this.#take(data)) data = data.subarray(done);
    this.#rest = Buffer.from(data);
  }

  end(): void {
    if (!this.#isLost && (this.#rest.length > 0 || this.#toSkip > 0)) this.#handler.onFault('ends that are cut off');
  }

  /** Returns how many bytes are done; 0 when a record needs more of them. */
  #take(data: Buffer): number {
    if (this.#toSkip > 0) {
      const skipped = Math.min(this.#toSkip, data.length);
      this.#toSkip -= skipped;
      return skipped;
    }
    if (data.length < HEADER_BYTES) return 0;
    if (data.readUInt32LE(LENGTH_BYTES) !== maskedCrc32c(data.subarray(0, LENGTH_BYTES))) {
      // Without a length, nobody knows where the next one begins.
      this.#handler.onFault('files that are damaged from some record on');
      this.#isLost = true;
      return data.length;
    }
    const length = Number(data.readBigUInt64LE(0));
    const whole = HEADER_BYTES + length + FOOTER_BYTES;
    if (length > MAX_RECORD_BYTES) {
      this.#handler.onFault('records of more than 16 MiB');
      this.#toSkip = whole;
      return this.#take(data);
    }
    if (data.length < whole) return 0;
    const record = data.subarray(HEADER_BYTES, HEADER_BYTES + length);
    if (data.readUInt32LE(HEADER_BYTES + length) === maskedCrc32c(record)) this.#handler.onRecord(record);
    else this.#handler.onFault('records that are damaged');
    return whole;
  }
}
