import type { Checkpoint } from '../../pipeline/job-stream.js';

/** Bytes that were read of a file, until it is known whose they are. */
export interface HeldPiece {
  readonly bytes: Uint8Array;
  /** It begins other content than what came before. */
  readonly isAnew: boolean;
  /** How much was read of the file by its end. */
  readonly position: number;
  /** Where the follower stood at its end. */
  readonly checkpoint: Checkpoint;
}

/** Pieces of output in their order. */
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

  /** The oldest piece, when it ends at or before the position. */
  takeUntil(position: number): HeldPiece | undefined {
    const [first] = this.#pieces;
    if (first === undefined || first.position > position) return undefined;
    this.#pieces.shift();
    this.#bytes -= first.bytes.length;
    return first;
  }
}
