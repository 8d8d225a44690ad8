import { HEAD_AT, INPUT_AT, MAX_LINE_BYTES, OUTPUT_AT, OUTPUT_BYTES } from './layout';
import { endLogPoint } from './log-point';
import { beginBucketRow, endBucketRow, findBucketRoom, foldIntoBucket, startBuckets } from './metadata-buckets';
import { foldNumber, foldText } from './metadata-columns';
import {
  PART_BYTES,
  PART_ESCAPED,
  PART_FIELD,
  PART_LITERAL,
  TEMPLATE_AT,
  TEMPLATE_COUNT,
  TEMPLATE_FIXED_BYTES,
  TEMPLATE_NUMBERS_KEY,
  TEMPLATE_PARTS,
  TEMPLATE_TEXTS_KEY,
  VALUES_AT,
} from './metadata-layout';
import { numberTextEnd, numberValue, readNumber } from './metadata-numbers';
import { endFields, output, put, putByte, putPiece, setOutput } from './metadata-output';
import { setConsumed } from './consumed';
import { advanceTime } from './time';

const BLOCK: usize = 16;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const SMALL_A: u8 = 0x61;
const SMALL_F: u8 = 0x66;

const TRUE: u32 = 0x65757274;
const NULL: u32 = 0x6c6c756e;
/** "false" without its first letter. */
const FALSE: u32 = 0x65736c61;
const ESCAPED_QUOTE: u16 = 0x225c;

// A value of the present line: its start and end, the shortest end of a number's text, its kind, and its number.
const START = 0;
const END = 4;
const TEXT_END = 8;
const KIND = 12;
const NUMBER = 16;
const VALUE_BYTES: usize = 24;

const KIND_NUMBER: i32 = 0;
const KIND_STRING: i32 = 1;
const KIND_WORD: i32 = 2;

/** After a call: the number of points written. */
export let metadataPoints: i32 = 0;

/** How many values of the present line are numbers. */
let numbers: i32 = 0;

/**
 * Writes lines from `start` on that are printed as the template says, at most `maxLines`, as points 1 µs apart. Folds
 * their values into the columns and returns how many lines it took. With `headBytes` it also writes each as a log line,
 * before its metadata points. Stops at any other line, at one with a value that is not read here, and when the output
 * is full. `rowsInBucket`: how many rows the first bucket has already; -1 for no buckets. `bucketsToSkip`: how many
 * buckets are full before the first one that is written as points.
 */
export function writeMetadata(
  start: i32,
  end: i32,
  maxLines: i32,
  headBytes: i32,
  rowsInBucket: i32,
  bucketsToSkip: i32
): i32 {
  const inputLimit = INPUT_AT + end;
  // Each value is written twice, some of them in quotes.
  startBuckets(rowsInBucket, bucketsToSkip);
  const lineRoom = 3 * MAX_LINE_BYTES + load<i32>(TEMPLATE_AT, TEMPLATE_FIXED_BYTES) + headBytes;
  const outputLimit = OUTPUT_AT + OUTPUT_BYTES - lineRoom - findBucketRoom();
  let line = INPUT_AT + start;
  let before: usize = INPUT_AT;
  let lines = 0;
  let points = 0;
  let to = OUTPUT_AT;
  while (line < inputLimit && lines < maxLines && to < outputLimit) {
    setOutput(to);
    if (headBytes > 0) put(HEAD_AT, headBytes);
    const next = readLine(line, headBytes > 0);
    if (next == 0) break;
    if (headBytes > 0) {
      setOutput(endLogPoint(output));
      points += 1;
    }
    points += writePoints(lines);
    to = output;
    advanceTime();
    before = line;
    line = next;
    lines += 1;
  }
  setConsumed(line, before, to);
  metadataPoints = points;
  return lines;
}

/**
 * Reads the values of a line and returns where the next line begins; 0 for another kind of line. `withLog`: also writes
 * the line's text, escaped.
 */
function readLine(line: usize, withLog: bool): usize {
  const last = TEMPLATE_AT + TEMPLATE_PARTS + <usize>load<i32>(TEMPLATE_AT, TEMPLATE_COUNT) * PART_BYTES;
  let at = line;
  let value = VALUES_AT;
  numbers = 0;
  for (let part = TEMPLATE_AT + TEMPLATE_PARTS; part < last; part += PART_BYTES) {
    const start = passLiteral(at, part);
    if (start == 0) return 0;
    at = readValue(start, value);
    if (at == 0 || at - line > <usize>MAX_LINE_BYTES) return 0;
    if (withLog) {
      putPiece(part, PART_ESCAPED);
      if (load<i32>(value, KIND) == KIND_STRING) putEscaped(start, at);
      else put(start, at - start);
    }
    value += VALUE_BYTES;
  }
  at = passLiteral(at, last);
  if (at == 0 || at - line > <usize>MAX_LINE_BYTES) return 0;
  if (withLog) putPiece(last, PART_ESCAPED);
  return at;
}

/** The end of this part's literal; 0 where the text differs. */
function passLiteral(start: usize, part: usize): usize {
  const literal = <usize>load<i32>(part, PART_LITERAL);
  const length = <usize>load<i32>(part, PART_LITERAL + 4);
  let i: usize = 0;
  for (; i + BLOCK <= length; i += BLOCK) {
    if (differences(start + i, literal + i) != 0) return 0;
  }
  const left = <i32>(length - i);
  return (differences(start + i, literal + i) & ((1 << left) - 1)) != 0 ? 0 : start + length;
}

function differences(a: usize, b: usize): i32 {
  return i8x16.bitmask(i8x16.ne(v128.load(a), v128.load(b)));
}

/** Reads a value into its place, and returns where it ends; 0 where there is none. */
function readValue(start: usize, value: usize): usize {
  const first = load<u8>(start);
  store<u32>(value, <u32>start, START);
  let end: usize;
  if (first == QUOTE) {
    store<i32>(value, KIND_STRING, KIND);
    end = findStringEnd(start);
  } else if (first >= SMALL_A) {
    store<i32>(value, KIND_WORD, KIND);
    end = findWordEnd(start);
  } else {
    store<i32>(value, KIND_NUMBER, KIND);
    end = readNumber(start);
    numbers += 1;
    store<f64>(value, numberValue, NUMBER);
    store<u32>(value, <u32>numberTextEnd, TEXT_END);
  }
  store<u32>(value, <u32>end, END);
  return end;
}

/** The end of a string without escapes. */
function findStringEnd(start: usize): usize {
  for (let at = start + 1; ; at += BLOCK) {
    const bytes = v128.load(at);
    const special = v128.or(
      i8x16.lt_u(bytes, i8x16.splat(SPACE)),
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
    );
    const mask = i8x16.bitmask(special);
    if (mask == 0) continue;
    at += ctz(mask);
    return load<u8>(at) == QUOTE ? at + 1 : 0;
  }
}

function findWordEnd(start: usize): usize {
  const word = load<u32>(start);
  if (word == TRUE || word == NULL) return start + 4;
  return load<u8>(start) == SMALL_F && load<u32>(start + 1) == FALSE ? start + 5 : 0;
}

/** A string of JSON inside a string of line protocol: each quote gets a backslash. */
function putEscaped(start: usize, end: usize): void {
  putByte(BACKSLASH);
  put(start, end - start - 1);
  store<u16>(output, ESCAPED_QUOTE);
  setOutput(output + 2);
}

/**
 * Writes the metadata points of the line that was read last and folds its values; also the points of a bucket that is
 * full with it. Returns the number of points. `line` counts the lines of this call.
 */
function writePoints(line: i32): i32 {
  const count = load<i32>(TEMPLATE_AT, TEMPLATE_COUNT);
  if (numbers > 0) {
    beginBucketRow(line);
    writeNumbers(count);
  }
  if (numbers < count) writeTexts(count);
  if (numbers == 0) return 1;
  return (numbers < count ? 2 : 1) + endBucketRow();
}

function writeNumbers(count: i32): void {
  putPiece(TEMPLATE_AT, TEMPLATE_NUMBERS_KEY);
  const keyEnd = output;
  let value = VALUES_AT;
  let part = TEMPLATE_AT + TEMPLATE_PARTS;
  for (let i = 0; i < count; i += 1) {
    if (load<i32>(value, KIND) == KIND_NUMBER) {
      putPiece(part, PART_FIELD);
      const start = <usize>load<u32>(value, START);
      const length = <usize>load<u32>(value, TEXT_END) - start;
      put(start, length);
      const number = load<f64>(value, NUMBER);
      foldNumber(i, number);
      foldIntoBucket(i, number, start, length);
    }
    value += VALUE_BYTES;
    part += PART_BYTES;
  }
  endFields(keyEnd);
}

function writeTexts(count: i32): void {
  putPiece(TEMPLATE_AT, TEMPLATE_TEXTS_KEY);
  const keyEnd = output;
  let value = VALUES_AT;
  let part = TEMPLATE_AT + TEMPLATE_PARTS;
  for (let i = 0; i < count; i += 1) {
    const kind = load<i32>(value, KIND);
    if (kind != KIND_NUMBER) {
      const start = <usize>load<u32>(value, START);
      const end = <usize>load<u32>(value, END);
      putPiece(part, PART_FIELD);
      if (kind == KIND_WORD) putByte(QUOTE);
      put(start, end - start);
      if (kind == KIND_WORD) putByte(QUOTE);
      const quote: usize = kind == KIND_STRING ? 1 : 0;
      foldText(i, <i32>(start + quote - INPUT_AT), <i32>(end - quote - INPUT_AT), kind == KIND_WORD);
    }
    value += VALUE_BYTES;
    part += PART_BYTES;
  }
  endFields(keyEnd);
}
