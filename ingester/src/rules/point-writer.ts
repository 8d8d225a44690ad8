import type { Point } from '@joblens/core';

/** Takes the points that the rules make of a job's output, in their order. */
export interface PointWriter {
  addPoint(point: Point): void;
  /** Points as line protocol, each ended by a newline. */
  addText(text: string, points: number): void;
  /** The same as bytes, which are copied. */
  addBytes(bytes: Uint8Array, points: number): void;
}
