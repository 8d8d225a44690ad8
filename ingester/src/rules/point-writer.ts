import type { ByteOutput, Point } from '@joblens/core';

/** Takes the points that the rules make of a job's output, in their order. */
export interface PointWriter {
  addPoint(point: Point): void;
  /** Points as line protocol, each ended by a newline. `isAscii`: it is known that all of the text is ASCII, which is quicker. */
  addText(text: string, points: number, isAscii?: boolean): void;
  /** Lets `write` append points as bytes of line protocol; it says how many, or undefined when it appended nothing. */
  addWith<T extends { readonly points: number }>(write: (output: ByteOutput) => T | undefined): T | undefined;
}
