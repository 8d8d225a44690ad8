import { TIME_AT, TIME_DIGITS } from './layout';

const ZERO: u8 = 0x30;
const NINE: u8 = 0x39;
/** The digit that counts microseconds. */
const US_DIGIT: i32 = TIME_DIGITS - 4;

/** Copies the time at `time`, by default that of the next line, and returns where it ends. */
export function putTime(to: usize, time: usize = TIME_AT): usize {
  v128.store(to, v128.load(time));
  store<u32>(to + 15, load<u32>(time + 15));
  return to + TIME_DIGITS;
}

/** The next line comes 1 µs later. */
export function advanceTime(): void {
  let digit = TIME_AT + US_DIGIT;
  while (load<u8>(digit) == NINE) {
    store<u8>(digit, ZERO);
    digit -= 1;
  }
  store<u8>(digit, load<u8>(digit) + 1);
}
