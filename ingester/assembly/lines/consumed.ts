import { INPUT_AT, OUTPUT_AT } from './layout';

/** After a call: the end of the consumed lines, the start of the last of them, and the bytes of points. */
export let inputEnd: i32 = 0;
export let lastStart: i32 = 0;
export let outputEnd: i32 = 0;

/** `line`: the first that was not consumed; `before`: the last that was; `to`: the end of the points. */
export function setConsumed(line: usize, before: usize, to: usize): void {
  inputEnd = <i32>(line - INPUT_AT);
  lastStart = <i32>(before - INPUT_AT);
  outputEnd = <i32>(to - OUTPUT_AT);
}
