import { HEAD_AT, INPUT_AT, MAX_LINE_BYTES, OUTPUT_AT, OUTPUT_BYTES } from './layout';
import { lookAtX, openFold } from './host';
import { endLogPoint } from './log-point';
import { beginBucketRow, endBucketRow, foldIntoBucket, startBuckets } from './metadata-buckets';
import { beginRow, countInexact, endRow, foldNumber, foldText } from './metadata-columns';
import {
  FOLD_BUCKET,
  FOLD_BUCKET_ROWS,
  FOLD_LOOK_ROWS,
  FOLD_ROWS,
  STEP_ESCAPED,
  STEP_FIELD,
  STEP_LITERAL,
  STEP_NEXT,
  STEP_OTHER,
  STEP_TABLE,
  TABLE_COLUMNS,
  TABLE_FOLD,
  TABLE_NUMBERS_KEY,
  TABLE_TEXTS_KEY,
  TREE_AT,
  TREE_FIRST,
  TREE_LINE_ROOM,
  VALUES_AT,
} from './metadata-layout';
import { isInexact, numberTextEnd, numberValue, readNumber } from './metadata-numbers';
import { endFields, output, put, putByte, putPiece, setOutput } from './metadata-output';
import {
  KIND_ESCAPED,
  KIND_INEXACT,
  KIND_NUMBER,
  KIND_STRING,
  KIND_WORD,
  setValuesEnd,
  VALUE_END,
  VALUE_KIND,
  VALUE_NUMBER,
  VALUE_SIZE,
  VALUE_START,
  VALUE_STEP,
  VALUE_TEXT_END,
  valuesEnd,
} from './metadata-values';
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

/** After a call: the number of points written. */
export let metadataPoints: i32 = 0;

/** The table of the present line, and how many of its values are numbers, and texts; some are both. */
let table: usize = 0;
let numbers: i32 = 0;
let texts: i32 = 0;

/**
 * Writes lines from `start` on that are printed like those of a table of the tree, as points 1 µs apart. Folds their
 * values into the columns and buckets of their tables, and returns how many lines it took. With `headBytes` it also
 * writes each as a log line, before its metadata points. Stops at any other line, at one with a value that is not read
 * here, and when the output is full.
 */
export function writeMetadata(start: i32, end: i32, headBytes: i32): i32 {
  const inputLimit = INPUT_AT + end;
  // Each value is written up to three times, some of them in quotes, and each backslash in a string becomes two.
  const lineRoom = 4 * MAX_LINE_BYTES + load<i32>(TREE_AT, TREE_LINE_ROOM) + headBytes;
  const outputLimit = OUTPUT_AT + OUTPUT_BYTES - lineRoom;
  let line = INPUT_AT + start;
  let before: usize = INPUT_AT;
  let lines = 0;
  let points = 0;
  let to = OUTPUT_AT;
  startBuckets();
  while (line < inputLimit && to < outputLimit) {
    setOutput(to);
    if (headBytes > 0) put(HEAD_AT, headBytes);
    const next = readLine(line, headBytes > 0);
    if (next == 0) break;
    let fold = <usize>load<u32>(table, TABLE_FOLD);
    if (fold == 0) fold = openFold(table);
    if (fold == 0) break;
    if (headBytes > 0) {
      setOutput(endLogPoint(output));
      points += 1;
    }
    points += writePoints(fold, lines);
    to = output;
    advanceTime();
    before = line;
    line = next;
    lines += 1;
    const rows = load<i32>(fold, FOLD_ROWS) + 1;
    store<i32>(fold, rows, FOLD_ROWS);
    if (rows == load<i32>(fold, FOLD_LOOK_ROWS)) lookAtX(fold);
  }
  setConsumed(line, before, to);
  metadataPoints = points;
  return lines;
}

/**
 * Reads the values of a line, finds its table, and returns where the next line begins; 0 for another kind of line.
 * `withLog`: also writes the line's text, escaped.
 */
function readLine(line: usize, withLog: bool): usize {
  let step = <usize>load<u32>(TREE_AT, TREE_FIRST);
  let at = line;
  let value = VALUES_AT;
  numbers = 0;
  texts = 0;
  while (step != 0) {
    const start = passLiteral(at, step);
    if (start == 0) {
      step = <usize>load<u32>(step, STEP_OTHER);
      continue;
    }
    if (withLog) putPiece(step, STEP_ESCAPED);
    table = <usize>load<u32>(step, STEP_TABLE);
    if (table != 0) {
      setValuesEnd(value);
      return start - line > <usize>MAX_LINE_BYTES ? 0 : start;
    }
    at = readValue(start, value);
    if (at == 0 || at - line > <usize>MAX_LINE_BYTES) return 0;
    if (withLog) putLogValue(start, at, load<i32>(value, VALUE_KIND));
    store<u32>(value, <u32>step, VALUE_STEP);
    value += VALUE_SIZE;
    step = <usize>load<u32>(step, STEP_NEXT);
  }
  return 0;
}

/** The end of this step's text; 0 where the text differs. */
function passLiteral(start: usize, step: usize): usize {
  const literal = <usize>load<i32>(step, STEP_LITERAL);
  const length = <usize>load<i32>(step, STEP_LITERAL + 4);
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
  store<u32>(value, <u32>start, VALUE_START);
  let end: usize;
  let kind = KIND_WORD;
  if (first == QUOTE) {
    end = findStringEnd(start);
    kind = isEscaped ? KIND_ESCAPED : KIND_STRING;
  } else if (first >= SMALL_A) {
    end = findWordEnd(start);
  } else {
    end = readNumber(start);
    kind = isInexact ? KIND_INEXACT : KIND_NUMBER;
    numbers += 1;
    store<f64>(value, numberValue, VALUE_NUMBER);
    store<u32>(value, <u32>numberTextEnd, VALUE_TEXT_END);
  }
  if (kind != KIND_NUMBER) texts += 1;
  store<i32>(value, kind, VALUE_KIND);
  store<u32>(value, <u32>end, VALUE_END);
  return end;
}

/** Whether the string that was read last has escapes. */
let isEscaped: bool = false;

/** The end of a string whose escapes are all of a quote or a backslash, which line protocol escapes alike. */
function findStringEnd(start: usize): usize {
  isEscaped = false;
  let special = findSpecial(start + 1);
  while (load<u8>(special) == BACKSLASH) {
    const escaped = load<u8>(special + 1);
    if (escaped != QUOTE && escaped != BACKSLASH) return 0;
    isEscaped = true;
    special = findSpecial(special + 2);
  }
  return load<u8>(special) == QUOTE ? special + 1 : 0;
}

/** The first quote, backslash or control character. */
function findSpecial(start: usize): usize {
  for (let at = start; ; at += BLOCK) {
    const bytes = v128.load(at);
    const special = v128.or(
      i8x16.lt_u(bytes, i8x16.splat(SPACE)),
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
    );
    const mask = i8x16.bitmask(special);
    if (mask == 0) continue;
    return at + ctz(mask);
  }
}

function findWordEnd(start: usize): usize {
  const word = load<u32>(start);
  if (word == TRUE || word == NULL) return start + 4;
  return load<u8>(start) == SMALL_F && load<u32>(start + 1) == FALSE ? start + 5 : 0;
}

/** Writes a value as it stands in a line of the log: a string of JSON inside a string of line protocol. */
function putLogValue(start: usize, end: usize, kind: i32): void {
  if (kind == KIND_ESCAPED) {
    for (let at = start; at < end; at += 1) {
      const byte = load<u8>(at);
      if (byte == QUOTE || byte == BACKSLASH) putByte(BACKSLASH);
      putByte(byte);
    }
  } else if (kind == KIND_STRING) {
    putByte(BACKSLASH);
    put(start, end - start - 1);
    store<u16>(output, ESCAPED_QUOTE);
    setOutput(output + 2);
  } else {
    put(start, end - start);
  }
}

/**
 * Writes the metadata points of the present line and folds its values; also the points of a bucket that is full with
 * it. Returns the number of points. `line` counts the lines of this call.
 */
function writePoints(fold: usize, line: i32): i32 {
  if (numbers > 0) {
    beginBucketRow(fold, line);
    beginRow(fold);
    writeNumbers(fold);
    endRow(fold);
  }
  if (texts > 0) writeTexts(fold);
  if (numbers == 0) return 1;
  return (texts > 0 ? 2 : 1) + endBucketRow(fold, table);
}

function writeNumbers(fold: usize): void {
  putPiece(table, TABLE_NUMBERS_KEY);
  const keyEnd = output;
  const hasBuckets = load<i32>(fold, FOLD_BUCKET_ROWS) >= 0;
  const bucket = <usize>load<u32>(fold, FOLD_BUCKET);
  let column = table + TABLE_COLUMNS;
  for (let value = VALUES_AT; value < valuesEnd; value += VALUE_SIZE) {
    const kind = load<i32>(value, VALUE_KIND);
    if (kind == KIND_NUMBER || kind == KIND_INEXACT) {
      putPiece(<usize>load<u32>(value, VALUE_STEP), STEP_FIELD);
      const start = <usize>load<u32>(value, VALUE_START);
      const length = <usize>load<u32>(value, VALUE_TEXT_END) - start;
      put(start, length);
      const number = load<f64>(value, VALUE_NUMBER);
      const index = load<i32>(column);
      foldNumber(fold, index, number);
      if (kind == KIND_INEXACT) countInexact(fold, index);
      if (hasBuckets) foldIntoBucket(bucket, index, number, start, length);
    }
    column += 4;
  }
  endFields(keyEnd);
}

function writeTexts(fold: usize): void {
  putPiece(table, TABLE_TEXTS_KEY);
  const keyEnd = output;
  let column = table + TABLE_COLUMNS;
  for (let value = VALUES_AT; value < valuesEnd; value += VALUE_SIZE) {
    const kind = load<i32>(value, VALUE_KIND);
    if (kind != KIND_NUMBER) {
      const start = <usize>load<u32>(value, VALUE_START);
      const end = <usize>load<u32>(value, VALUE_END);
      const isWord = kind == KIND_WORD || kind == KIND_INEXACT;
      putPiece(<usize>load<u32>(value, VALUE_STEP), STEP_FIELD);
      if (isWord) putByte(QUOTE);
      put(start, end - start);
      if (isWord) putByte(QUOTE);
      const quote: usize = isWord ? 0 : 1;
      const isNull = isWord && load<u32>(start) == NULL;
      foldText(fold, load<i32>(column), <i32>(start + quote - INPUT_AT), <i32>(end - quote - INPUT_AT), isWord, isNull);
    }
    column += 4;
  }
  endFields(keyEnd);
}
