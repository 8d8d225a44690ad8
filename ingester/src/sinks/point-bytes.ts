import type { BatchLimits, PointBatch } from '../queue/point-queue.js';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/** Finds the end of each point, after its newline, in order. A newline inside a quoted string ends nothing. */
function findPointEnds(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  let end = 0;
  while (end < bytes.length) {
    end = findPointEnd(bytes, end);
    ends.push(end);
  }
  return ends;
}

/** Finds the end of the point at `start`, after its newline; the end of all bytes when it has none. */
export function findPointEnd(bytes: Uint8Array, start: number): number {
  return findWholePointEnd(bytes, start) ?? bytes.length;
}

/**
 * Finds the end of the point at `start`, after its newline; undefined when that is missing. A quote opens a string only
 * after the `=` of a field, and a backslash escapes the next byte, as in InfluxDB's scanLine (models/points.go).
 */
export function findWholePointEnd(bytes: Uint8Array, start: number): number | undefined {
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
  return undefined;
}

/** Finds the closing quote, the first after an even number of backslashes. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let escape = quote;
    while (escape > start && bytes[escape - 1] === BACKSLASH) escape -= 1;
    if ((quote - escape) % 2 === 0) return quote;
  }
  return bytes.length;
}

/** Splits a batch into its points, without copying. */
export function splitPoints({ bytes }: PointBatch): Buffer[] {
  let start = 0;
  return findPointEnds(bytes).map((end) => bytes.subarray(start, (start = end)));
}

/** The opposite of splitPoints. */
export function joinPoints(points: readonly Buffer[]): PointBatch {
  return { bytes: Buffer.concat(points), points: points.length };
}

/** Cuts a batch into parts of whole points up to the limits, at least one point each, without copying. */
export function cutBatch(batch: PointBatch, { maxPoints, maxBytes }: BatchLimits): PointBatch[] {
  const { bytes } = batch;
  if (batch.points <= maxPoints && bytes.length <= maxBytes) return [batch];
  const findEnd = hasLineForEachPoint(batch) ? findLineEnd : findPointEnd;
  const parts: PointBatch[] = [];
  let [start, points] = [0, 0];
  for (let end = 0; end < bytes.length;) {
    const next = findEnd(bytes, end);
    if (points > 0 && (points === maxPoints || next - start > maxBytes)) {
      parts.push({ bytes: bytes.subarray(start, end), points });
      [start, points] = [end, 0];
    }
    end = next;
    points += 1;
  }
  parts.push({ bytes: bytes.subarray(start), points });
  return parts;
}

/** Whether no string holds a newline, as in nearly all output. Strings need not be searched then. */
function hasLineForEachPoint({ bytes, points }: PointBatch): boolean {
  let lines = 0;
  for (let end = 0; end < bytes.length; end = findLineEnd(bytes, end)) lines += 1;
  return lines === points;
}

function findLineEnd(bytes: Uint8Array, start: number): number {
  const newline = bytes.indexOf(NEWLINE, start);
  return newline < 0 ? bytes.length : newline + 1;
}
