import type { TableStats } from '../axis/table-stats.js';
import { foldValue } from '../axis/table-stats.js';
import type { ByteOutput } from '../point/byte-output.js';
import { putAscii, putBytes, putRange } from '../point/byte-output.js';
import { formatFieldValue } from '../point/line-protocol.js';
import type { PointTimes } from '../point/point-times.js';
import { encodeUtf8 } from '../point/utf8.js';
import type { CharCodes, TextLines } from './char-codes.js';
import type { LineTemplate } from './line-template.js';
import type { TableLayout } from './table-layout.js';
import type { ValueScanner } from './value-scanner.js';
import { VALUE_KIND } from './value-scanner.js';

/** What a number may grow by that is not written as it was printed, and the comma before any field. */
const MAX_VALUE_GROWTH = 32;
/** Three points: a time, the space before it and the LF after it each. */
const MAX_TIMES_BYTES = 3 * 22;
const LOG_TAIL = encodeUtf8('",kind="output" ');
const EMPTY = new Uint8Array(0);

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** A table whose lines are printed alike: reads them as codes and writes them as bytes; nothing is made of a line but its numbers. */
export class PrintedTable {
  readonly layout: TableLayout;
  readonly #template: LineTemplate;
  readonly #logHead: Uint8Array;
  readonly #numbersKey: Uint8Array;
  readonly #textsKey: Uint8Array;
  readonly #fieldHeads: readonly Uint8Array[];
  /** Upper bound of what a line's points take beside three times the line itself. */
  readonly #fixedBytes: number;

  /** `logHead` is what a log line's point begins with, up to the quote before the line. */
  constructor(layout: TableLayout, template: LineTemplate, logHead: Uint8Array) {
    this.layout = layout;
    this.#template = template;
    this.#logHead = logHead;
    this.#numbersKey = encodeUtf8(layout.numbersKey);
    this.#textsKey = encodeUtf8(layout.textsKey);
    this.#fieldHeads = layout.fieldHeads.map((head) => encodeUtf8(head));
    const pieces = [logHead, LOG_TAIL, this.#numbersKey, this.#textsKey, ...this.#fieldHeads, ...template.escaped];
    this.#fixedBytes =
      pieces.reduce((sum, piece) => sum + piece.length, 0) + layout.keys.length * MAX_VALUE_GROWTH + MAX_TIMES_BYTES;
  }

  /** Reads the values of the line at `start`, and returns where the next line begins; -1 when this one is no line of the table. */
  scan({ text, codes }: TextLines, start: number, values: ValueScanner): number {
    const { literals } = this.#template;
    const last = literals.length - 1;
    let at = start;
    for (let index = 0; index <= last; index += 1) {
      const literal = literals[index] ?? EMPTY;
      for (let i = 0; i < literal.length; i += 1) {
        if (codes[at + i] !== literal[i]) {
          return -1;
        }
      }
      at += literal.length;
      if (index < last) {
        at = values.scan(text, codes, at, index);
        if (at < 0) {
          return -1;
        }
      }
    }
    return at;
  }

  /** Makes room for the points of a line of that many bytes. */
  reserve(output: ByteOutput, lineBytes: number): void {
    output.reserve(this.#fixedBytes + 3 * lineBytes);
  }

  /** Appends the log line whose values were read last. */
  writeLogLine({ codes }: TextLines, values: ValueScanner, times: PointTimes, output: ByteOutput): void {
    const { kinds, starts, ends } = values;
    const { escaped } = this.#template;
    const target = output.bytes;
    let at = putBytes(target, output.length, this.#logHead);
    for (let index = 0; index < escaped.length; index += 1) {
      at = putBytes(target, at, escaped[index] ?? EMPTY);
      if (index < this.#fieldHeads.length) {
        const put = kinds[index] === VALUE_KIND.string ? putEscapedString : putRange;
        at = put(target, at, codes, starts[index] ?? 0, ends[index] ?? 0);
      }
    }
    at = times.put(target, putBytes(target, at, LOG_TAIL));
    target[at] = LF;
    output.length = at + 1;
  }

  /** Appends the metadata points of the line whose values were read last, and returns how many there are. */
  writePoints({ codes }: TextLines, values: ValueScanner, times: PointTimes, output: ByteOutput): number {
    const numbers = this.#writePoint(true, codes, values, times, output);
    return numbers + this.#writePoint(false, codes, values, times, output);
  }

  /** Folds the values that were read last. */
  foldInto(stats: TableStats, { text }: TextLines, values: ValueScanner): void {
    const { kinds, starts, ends, numbers } = values;
    const columns = this.layout.columnsOf(stats);
    stats.rows += 1;
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const kind = kinds[index] ?? VALUE_KIND.word;
      if (column === undefined) {
        continue;
      }
      if (isNumber(kind)) {
        foldValue(column, numbers[index] ?? 0);
      } else {
        const quote = kind === VALUE_KIND.string ? 1 : 0;
        foldValue(column, text.slice((starts[index] ?? 0) + quote, (ends[index] ?? 0) - quote));
      }
    }
  }

  #writePoint(
    ofNumbers: boolean,
    codes: CharCodes,
    values: ValueScanner,
    times: PointTimes,
    output: ByteOutput
  ): 0 | 1 {
    const { kinds } = values;
    const heads = this.#fieldHeads;
    const target = output.bytes;
    let at = output.length;
    for (let index = 0; index < heads.length; index += 1) {
      if (isNumber(kinds[index] ?? VALUE_KIND.word) !== ofNumbers) {
        continue;
      }
      if (at === output.length) {
        at = putBytes(target, at, ofNumbers ? this.#numbersKey : this.#textsKey);
        target[at] = SPACE;
      } else {
        target[at] = COMMA;
      }
      at = putValue(target, putBytes(target, at + 1, heads[index] ?? EMPTY), codes, values, index);
    }
    if (at === output.length) {
      return 0;
    }
    target[at] = SPACE;
    at = times.put(target, at + 1);
    target[at] = LF;
    output.length = at + 1;
    return 1;
  }
}

function isNumber(kind: number): boolean {
  return kind === VALUE_KIND.decimal || kind === VALUE_KIND.number;
}

function putValue(target: Uint8Array, at: number, codes: CharCodes, values: ValueScanner, index: number): number {
  const start = values.starts[index] ?? 0;
  switch (values.kinds[index]) {
    case VALUE_KIND.decimal:
      return putRange(target, at, codes, start, values.textEnds[index] ?? 0);
    case VALUE_KIND.number:
      return putAscii(target, at, formatFieldValue(values.numbers[index] ?? 0));
    case VALUE_KIND.string:
      return putRange(target, at, codes, start, values.ends[index] ?? 0);
    default:
      return putQuoted(target, at, codes, start, values.ends[index] ?? 0);
  }
}

function putQuoted(target: Uint8Array, at: number, codes: CharCodes, start: number, end: number): number {
  target[at] = QUOTE;
  const close = putRange(target, at + 1, codes, start, end);
  target[close] = QUOTE;
  return close + 1;
}

/** A string of JSON inside a string of line protocol: its quotes stand behind backslashes. */
function putEscapedString(target: Uint8Array, at: number, codes: CharCodes, start: number, end: number): number {
  target[at] = BACKSLASH;
  const close = putRange(target, at + 1, codes, start, end - 1);
  target[close] = BACKSLASH;
  target[close + 1] = QUOTE;
  return close + 2;
}
