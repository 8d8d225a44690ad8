import type { Checkpoint } from '../../pipeline/job-stream.js';

/** Bytes that were read from a file, held until it is known which job wrote them. */
export interface HeldPiece {
  readonly bytes: Uint8Array;
  /** It does not continue the content before. */
  readonly isAnew: boolean;
  /** The number of bytes of the file up to its end. */
  readonly position: number;
  /** The follower's position at its end. */
  readonly checkpoint: Checkpoint;
}

/** Pieces of output in order. */
export class HeldOutput {
  #pieces: HeldPiece[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: HeldPiece): void {
    this.#pieces.push(piece);
    this.#bytes += piece.bytes.length;
  }

  /** Takes the oldest piece if it ends at or before the position. */
  takeUntil(position: number): HeldPiece | undefined {
    const [first] = this.#pieces;
    if (first === undefined || first.position > position) return undefined;
    this.#pieces.shift();
    this.#bytes -= first.bytes.length;
    return first;
  }
}
