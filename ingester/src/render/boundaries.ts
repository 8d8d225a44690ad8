import { INDEX_BYTES } from '../kernels/control-index.js';

const LF = 0x0a;
const ESC = 0x1b;
/** The rest of a longer control sequence is not waited for. */
const SEQUENCE_BYTES = 24;

/** The end of the bytes from `start` on that are indexed at once. What a cut sequence begins takes the slow way. */
export function nextSlice(bytes: Buffer, start: number, end: number): number {
  if (end - start <= INDEX_BYTES) return end;
  return findSequenceBoundary(bytes, findCharacterBoundary(bytes, start + INDEX_BYTES));
}

/** The start of the last `count` lines; there must be as many. */
export function findLastLines(bytes: Buffer, count: number): number {
  let at = bytes.length;
  for (let lines = 0; lines <= count && at >= 0; lines++) at = at === 0 ? -1 : bytes.lastIndexOf(LF, at - 1);
  return at + 1;
}

/** `end`, or the start of an incomplete control sequence before it. */
export function findSequenceBoundary(bytes: Uint8Array, end: number): number {
  const first = Math.max(0, end - SEQUENCE_BYTES);
  let at = end - 1;
  while (at > first && isParameter(bytes[at] ?? 0)) at--;
  if (at > first && bytes[at] === 0x5b) at--;
  return at >= first && bytes[at] === ESC && (at === end - 1 || bytes[at + 1] === 0x5b) ? at : end;
}

function isParameter(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x3b;
}

/** The last place at or before `end` where no UTF-8 character is cut in two. */
export function findCharacterBoundary(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? end - back : end;
    }
  }
  return end;
}
