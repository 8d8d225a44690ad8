import { INPUT_AT, OUTPUT_AT } from './layout';

/** After a call: where the lines that were taken end, where the last of them begins, and how many bytes of points there are. */
export let inputEnd: i32 = 0;
export let lastStart: i32 = 0;
export let outputEnd: i32 = 0;

/** `line`: the first that was not taken; `before`: the last that was; `to`: where the points end. */
export function setTaken(line: usize, before: usize, to: usize): void {
  inputEnd = <i32>(line - INPUT_AT);
  lastStart = <i32>(before - INPUT_AT);
  outputEnd = <i32>(to - OUTPUT_AT);
}
