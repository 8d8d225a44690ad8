import { endPoint } from './log-point';
import { TIME_AT } from './layout';

const BLOCK: usize = 16;
const SPACE: u8 = 0x20;

/** The place of the next byte to write. */
export let output: usize = 0;

export function setOutput(to: usize): void {
  output = to;
}

/** Copies `length` bytes. Up to 15 more follow them, which the next copy overwrites. */
export function put(from: usize, length: usize): void {
  const to = output;
  let i: usize = 0;
  do {
    v128.store(to + i, v128.load(from + i));
    i += BLOCK;
  } while (i < length);
  output = to + length;
}

/** Copies the bytes of the piece that is described at `place`, `offset` bytes on. */
export function putPiece(place: usize, offset: usize): void {
  put(<usize>load<i32>(place + offset), <usize>load<i32>(place + offset, 4));
}

export function putByte(byte: u8): void {
  store<u8>(output, byte);
  output += 1;
}

/** Ends a point with the time at `time`. A field's head begins with a comma; the first one gets a space in its place. */
export function endFields(keyEnd: usize, time: usize = TIME_AT): void {
  store<u8>(keyEnd, SPACE);
  putByte(SPACE);
  output = endPoint(output, time);
}
