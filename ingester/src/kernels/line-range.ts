/** Bytes of the loaded input, from `start` up to but not including `end`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}
