import type { Point } from '@joblens/core/point/point';

/** Takes the points that the rules make of a job's output, in order. */
export interface PointWriter {
  addPoint(point: Point): void;
  /** Adds points as line protocol, each ended by a newline. */
  addText(text: string, points: number): void;
  /** Adds points as bytes of line protocol, which are copied. */
  addBytes(bytes: Uint8Array, points: number): void;
}
