import type { BatchLimits, PointBatch } from '../pipeline/point-queue.js';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/** Where each point ends (after its newline), in order. A newline inside a quoted string ends nothing. */
export function findPointEnds(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  let end = 0;
  while (end < bytes.length) {
    end = findPointEnd(bytes, end);
    ends.push(end);
  }
  return ends;
}

/**
 * Where the point that begins at `start` ends, after its newline. A quote opens a string only after the `=` of a field, and a backslash
 * takes the next byte with it, as in InfluxDB's scanLine (models/points.go).
 */
export function findPointEnd(bytes: Uint8Array, start: number): number {
  let inFields = false;
  let afterEquals = false;
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === BACKSLASH) i += 1;
    else if (byte === NEWLINE) return i + 1;
    else if (byte === SPACE) inFields = true;
    else if (byte === EQUALS) afterEquals = inFields;
    else if (byte === COMMA) afterEquals = false;
    else if (byte === QUOTE && afterEquals) i = findStringEnd(bytes, i + 1);
  }
  return bytes.length;
}

function findStringEnd(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

/** The points of a batch one by one, without copying. */
export function splitPoints({ bytes }: PointBatch): Buffer[] {
  let start = 0;
  return findPointEnds(bytes).map((end) => bytes.subarray(start, (start = end)));
}

/** The opposite of splitPoints. */
export function joinPoints(points: readonly Buffer[]): PointBatch {
  return { bytes: Buffer.concat(points), points: points.length };
}

/** Cuts a batch into parts of whole points up to the limits, each of at least one point, without copying. */
export function cutBatch(batch: PointBatch, { maxPoints, maxBytes }: BatchLimits): PointBatch[] {
  const { bytes } = batch;
  if (batch.points <= maxPoints && bytes.length <= maxBytes) return [batch];
  const parts: PointBatch[] = [];
  let start = 0;
  let cut = 0;
  let points = 0;
  const endPart = (): void => {
    parts.push({ bytes: bytes.subarray(start, cut), points });
    start = cut;
    points = 0;
  };
  while (cut < bytes.length) {
    const end = findPointEnd(bytes, cut);
    if (points > 0 && (points === maxPoints || end - start > maxBytes)) endPart();
    cut = end;
    points += 1;
  }
  if (points > 0) endPart();
  return parts;
}
