import { TIME_AT } from './layout';
import { putTime } from './time';

const LF: u8 = 0x0a;
const SPACE: u8 = 0x20;
/** The end of an output line's fields, `",kind="output" `, in two parts. */
const TAIL_1: u64 = 0x3d646e696b2c22; // ",kind=
const TAIL_2: u64 = 0x2274757074756f22; // "output"

/** What stands between a line and its coloured form, `",ansi="`. */
const ANSI: u64 = 0x223d69736e612c22;
export const ANSI_BYTES: i32 = 8;

/** Puts what stands between a line and its coloured form. */
export function putAnsiKey(to: usize): usize {
  store<u64>(to, ANSI);
  return to + ANSI_BYTES;
}

/** Ends the log point of a line whose text ends at `to`, and returns where the point ends. */
export function endLogPoint(to: usize): usize {
  store<u64>(to, TAIL_1);
  store<u64>(to, TAIL_2, 7);
  store<u8>(to, SPACE, 15);
  return endPoint(to + 16);
}

/** Ends a point behind the space after its fields, with the time at `time`, and returns where it ends. */
export function endPoint(to: usize, time: usize = TIME_AT): usize {
  const end = putTime(to, time);
  store<u8>(end, LF);
  return end + 1;
}
