/** Bytes of the loaded input: from `start` up to and without `end`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}
