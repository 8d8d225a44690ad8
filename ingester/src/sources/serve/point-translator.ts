import { isUtf8 } from 'node:buffer';
import type { PointRow } from '@joblens/core/metadata/point-row';
import type { Point } from '@joblens/core/point/point';
import type { Precision } from '@joblens/core/point/timestamp';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { withStoredTypes } from '@joblens/core/point/stored-types';
import { findWholePointEnd } from '../../sinks/point-bytes.js';
import { PlainPoint } from './plain-point.js';
import type { TranslatedPoints } from './translated-points.js';

const NEWLINE = 0x0a;

interface TranslatorOptions {
  /** The unit of the times in the lines. */
  readonly precision: Precision;
  /** Integers and booleans keep their types. Otherwise all numbers become floats, and all other values strings. */
  readonly keepsTypes: boolean;
  /** The time of a point without one. Each call gives another time, so that no point overwrites another. */
  readonly nextNs: () => bigint;
  /** Which points are rows of a job as well. */
  readonly rows?: PointRowReader | undefined;
  /** Told of a line that this program cannot translate; it is refused. */
  readonly onFault?: (error: unknown) => void;
}

interface PointRowReader {
  /** The tags without one of which no point is a row. */
  readonly jobTags: readonly string[];
  read(point: Point): PointRow | undefined;
}

/** Why such a line is refused. */
const FAULT = 'a fault of joblens';

/** The zeros that turn a time into nanoseconds; minutes and hours need more than zeros. */
const TIME_ZEROS: Readonly<Partial<Record<Precision, string>>> = { ns: '', us: '000', ms: '000000', s: '000000000' };

/**
 * Translates line protocol in any form that InfluxDB takes into the stored form: times in nanoseconds, and numbers as
 * floats. A line that is not a point costs only itself, even when a quote in it is not closed; InfluxDB would take all
 * that follows for a string.
 */
export class PointTranslator {
  readonly #options: TranslatorOptions;
  readonly #timeZeros: Buffer | undefined;
  readonly #plain: PlainPoint;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    const zeros = TIME_ZEROS[options.precision];
    this.#timeZeros = zeros === undefined ? undefined : Buffer.from(zeros);
    const jobTags = options.rows?.jobTags ?? [];
    this.#plain = new PlainPoint(
      zeros?.length ?? 0,
      jobTags.map((name) => Buffer.from(name))
    );
  }

  /** Translates whole lines. The last one must end with a newline; a point without an end is refused. */
  translateAll(bytes: Buffer, into: TranslatedPoints): void {
    this.#translate(isUtf8(bytes) ? bytes : toValidUtf8(bytes), into, true);
  }

  /** Translates the whole points and returns the rest, which is the beginning of one. */
  translateWhole(bytes: Buffer, into: TranslatedPoints): Buffer {
    // The last character may be cut.
    const valid =
      isUtf8(bytes) || isUtf8(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)) ? bytes : toValidUtf8(bytes);
    return valid.subarray(this.#translate(valid, into, false));
  }

  /** Returns the start of the first incomplete point. */
  #translate(bytes: Buffer, into: TranslatedPoints, isAll: boolean): number {
    const { writer } = into;
    let position = 0;
    let copied = 0;
    while (position < bytes.length) {
      const [length, points, rows] = [writer.length, into.points, into.rows.length];
      try {
        if (this.#timeZeros !== undefined && this.#plain.read(bytes, position)) {
          copied = this.#copyPlain(bytes, copied, into);
          position = this.#plain.newline + 1;
          continue;
        }
        const end = findWholePointEnd(bytes, position) ?? (isAll ? bytes.length : undefined);
        if (end === undefined) break;
        writer.append(bytes.subarray(copied, position));
        copied = position = this.#translateClosely(bytes, position, end, into);
      } catch (error) {
        // The points before it are whole, as far as they were copied and behind that.
        [writer.length, into.points, into.rows.length] = [length, points, rows];
        writer.append(bytes.subarray(copied, position));
        this.#noteFault(error);
        copied = position = refuseLine(bytes, position, FAULT, into);
      }
    }
    writer.append(bytes.subarray(copied, position));
    return position;
  }

  /**
   * Copies up to the place from which the plain point needs no change. The rest is copied with the next points. Returns
   * that place.
   */
  #copyPlain(bytes: Buffer, start: number, into: TranslatedPoints): number {
    const { integerMarks, newline, hasTime } = this.#plain;
    const { writer } = into;
    into.points += 1;
    let copied = start;
    if (!this.#options.keepsTypes) {
      for (const mark of integerMarks) {
        writer.append(bytes.subarray(copied, mark));
        copied = mark + 1;
      }
    }
    const zeros = hasTime ? this.#timeZeros : undefined;
    if (zeros?.length === 0) return copied;
    writer.append(bytes.subarray(copied, newline));
    if (zeros === undefined) writer.appendText(` ${this.#options.nextNs()}`);
    else writer.append(zeros);
    return newline;
  }

  #noteFault(error: unknown): void {
    const { onFault } = this.#options;
    if (onFault === undefined) throw error;
    onFault(error);
  }

  /** Returns the start of the next point. */
  #translateClosely(bytes: Buffer, start: number, end: number, into: TranslatedPoints): number {
    const { precision, keepsTypes, nextNs, rows } = this.#options;
    const text = bytes.toString('utf8', start, end);
    const { points, errors } = parseLineProtocol(text, { precision, defaultTimeNs: nextNs });
    const [error] = errors;
    if (error !== undefined) return refuseLine(bytes, start, error.reason, into);
    for (const point of points) {
      const formatted = format(keepsTypes ? point : withStoredTypes(point));
      if (typeof formatted !== 'string') return refuseLine(bytes, start, formatted.message, into);
      into.writer.appendText(formatted);
      into.points += 1;
      const row = rows?.read(point);
      if (row !== undefined) into.rows.push({ row, timeNs: point.timeNs });
    }
    return end;
  }
}

/** Formats a point. Names that InfluxDB 1.x reads differently from other versions cannot be stored. */
function format(point: Point): string | TypeError {
  try {
    return `${formatPoint(point)}\n`;
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

/**
 * Refuses only the line, not the text behind it in a string that was not closed. Returns the start of the next line.
 */
export function refuseLine(bytes: Buffer, start: number, reason: string, into: TranslatedPoints): number {
  const newline = bytes.indexOf(NEWLINE, start);
  const end = newline < 0 ? bytes.length : newline;
  into.refuse(bytes.subarray(start, end), reason);
  return Math.min(end + 1, bytes.length);
}

/** Replaces invalid bytes by U+FFFD. */
function toValidUtf8(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('utf8'));
}
