import {
  BYTES_AT,
  MOVES_AT,
  PARTS_AT,
  Plan,
  PLAN_AT,
  RECORDS_AT,
  ROWS_AT,
  Text,
  TEXT_BYTES_AT,
  TEXTS_AT,
} from './slice-layout';

const CR: u32 = 0x0d;
const LF: u32 = 0x0a;
const ESC: u32 = 0x1b;

/** A row of the screen: the parts of frames that stay visible, from left to right, and their columns together. */
@unmanaged
class Row {
  columns: i32;
  /** Columns of the frame that was printed last. */
  lastColumns: i32;
  /** Addresses; 0: none. */
  first: usize;
  last: usize;
}

@unmanaged
class Part {
  start: i32;
  end: i32;
  /** The address of the next; 0: none. */
  next: usize;
}

const plan = changetype<Plan>(PLAN_AT);
const ROW_SIZE = offsetof<Row>();
const PAIR: usize = 8;

/** The address behind the last part. */
let partsEnd: usize = 0;

/**
 * Runs the text, CR, LF and `ESC [ n A` that were indexed last, up to the first other control, from a place on a screen
 * of `height` rows. Skips frames of bars that later ones cover. False when text stays visible whose columns are not
 * known here.
 */
export function planFrames(count: i32, row: i32, column: i32, height: i32): bool {
  const stop = runControls(RECORDS_AT + <usize>count * PAIR, row, height);
  memory.fill(ROWS_AT, 0, <usize>(plan.scrolled + height) * ROW_SIZE);
  partsEnd = PARTS_AT;
  if (!findSeen(stop, column)) return false;
  writeTexts(ROWS_AT + <usize>(plan.scrolled + height) * ROW_SIZE);
  return true;
}

let movesEnd: usize = 0;

/**
 * Forwards: moves the cursor, and notes the rows from which LF and ESC take it. Returns the record behind the last one
 * that was run.
 */
function runControls(last: usize, start: i32, height: i32): usize {
  let record = RECORDS_AT;
  let row = start;
  let bottom = height - 1;
  let reach = -1;
  let from: i32 = 0;
  /** The cursor is in the first column, or behind a text that began there. */
  let isAtStart = false;
  let moves = MOVES_AT;
  plan.end = -1;
  for (; record < last; record += PAIR) {
    const at = load<i32>(record);
    const byte: u32 = load<u8>(BYTES_AT + at);
    if (byte == CR) {
      isAtStart = true;
      from = at + 1;
      continue;
    }
    if (byte == LF) {
      store<i32>(moves, row);
      row++;
      if (row > bottom) bottom = row;
      if (row > reach) reach = row;
      isAtStart = true;
      from = at + 1;
    } else {
      const up = byte == ESC ? readMoveUp(BYTES_AT + at) : 0;
      if (up == 0) {
        plan.end = at;
        break;
      }
      store<i32>(moves, row);
      row = max(row - up, bottom - height + 1);
      if (at > from) isAtStart = false;
      from = at + lengthOfMove(BYTES_AT + at);
      // A text that begins anywhere else cannot be run here.
      if (!isAtStart && load<i32>(record, PAIR) > from) {
        plan.end = from;
        moves += 4;
        record += PAIR;
        break;
      }
    }
    moves += 4;
  }
  if (plan.end < 0) plan.end = load<i32>(record);
  plan.scrolled = bottom - height + 1;
  plan.reach = reach;
  plan.row = row;
  movesEnd = moves;
  return record;
}

/** Backwards: only the frames after a frame tell which part of it stays visible. False: see planFrames. */
function findSeen(stop: usize, column: i32): bool {
  let record = stop;
  let moves = movesEnd;
  let row = rowAt(plan.row);
  let next = plan.end;
  // Where the plan ends there is a control, or no text before it.
  let columns = load<i32>(record, 4);
  let endColumn = -1;
  while (record > RECORDS_AT) {
    record -= PAIR;
    const at = load<i32>(record);
    const columnsBefore = load<i32>(record, 4);
    const byte: u32 = load<u8>(BYTES_AT + at);
    const length = byte == ESC ? lengthOfMove(BYTES_AT + at) : 1;
    const from = at + length;
    if (next > from) {
      if (columns - columnsBefore - length > row.columns) {
        if (!addFrame(row, from, next)) return false;
      }
      if (endColumn < 0) endColumn = row.lastColumns;
    } else if (byte != ESC && endColumn < 0) endColumn = 0;
    if (byte != CR) {
      moves -= 4;
      row = rowAt(load<i32>(moves));
    }
    next = at;
    columns = columnsBefore;
  }
  plan.column = endColumn;
  plan.first = column + columns <= row.columns ? 0 : next;
  return true;
}

function rowAt(row: i32): Row {
  return changetype<Row>(ROWS_AT + <usize>row * ROW_SIZE);
}

/** Keeps the part of a frame that reaches beyond the frames after it. */
function addFrame(row: Row, from: i32, end: i32): bool {
  const columns = countColumns(BYTES_AT + from, BYTES_AT + end);
  if (columns < 0) return false;
  if (row.columns == 0) row.lastColumns = columns;
  if (columns <= row.columns) return true;
  const start = row.columns == 0 ? from : skipBack(end, columns - row.columns);
  if (start < 0) return false;
  const part = changetype<Part>(partsEnd);
  partsEnd += offsetof<Part>();
  part.start = start;
  part.end = end;
  part.next = 0;
  if (row.last == 0) row.first = changetype<usize>(part);
  else changetype<Part>(row.last).next = changetype<usize>(part);
  row.last = changetype<usize>(part);
  row.columns = columns;
  return true;
}

/** The columns of a text, or -1 if `columnsOfCharacter` does not know all its characters. */
function countColumns(start: usize, end: usize): i32 {
  let columns = 0;
  let at = start;
  while (at < end) {
    const first: u32 = load<u8>(at);
    const added = first < 0x80 ? 1 : columnsOfCharacter(at, first);
    if (added == 0) return -1;
    columns += added;
    at += first < 0x80 ? 1 : first < 0xe0 ? 2 : 3;
  }
  return at == end ? columns : -1;
}

/**
 * A character beyond ASCII, of one UTF-16 unit: Latin, boxes, blocks and braille have one column, Chinese, Japanese and
 * Korean two. 0: not known.
 */
function columnsOfCharacter(at: usize, first: u32): i32 {
  const second: u32 = load<u8>(at, 1) ^ 0x80;
  if (first < 0xc2 || first >= 0xf0 || second > 0x3f) return 0;
  if (first < 0xe0) {
    const codePoint = ((first & 0x1f) << 6) | second;
    return isIn(codePoint, 0xa0, 0x2ff) && codePoint != 0xad ? 1 : 0;
  }
  const third: u32 = load<u8>(at, 2) ^ 0x80;
  if (third > 0x3f) return 0;
  const codePoint = ((first & 0xf) << 12) | (second << 6) | third;
  if (isIn(codePoint, 0x2500, 0x25bf) || isIn(codePoint, 0x2800, 0x28ff)) return 1;
  if (isIn(codePoint, 0x3041, 0x3096) || isIn(codePoint, 0x30a0, 0xa4cf)) return 2;
  return isIn(codePoint, 0xac00, 0xd7a3) || isIn(codePoint, 0xff01, 0xff60) ? 2 : 0;
}

function isIn(codePoint: u32, first: u32, last: u32): bool {
  return codePoint - first <= last - first;
}

/**
 * Where the last `count` columns before `end` begin, in characters whose columns are known; -1 for the middle of one.
 */
function skipBack(end: i32, count: i32): i32 {
  let at = end;
  let left = count;
  while (left > 0) {
    at--;
    while (load<u8>(BYTES_AT + at) >> 6 == 2) at--;
    left -= load<u8>(BYTES_AT + at) > 0xe2 ? 2 : 1;
  }
  return left == 0 ? at : -1;
}

function writeTexts(rowsEnd: usize): void {
  let target = TEXT_BYTES_AT;
  let texts = 0;
  for (let at = ROWS_AT; at < rowsEnd; at += ROW_SIZE) {
    const row = changetype<Row>(at);
    if (row.columns == 0) continue;
    const text = changetype<Text>(TEXTS_AT + <usize>texts * offsetof<Text>());
    texts++;
    text.row = <i32>((at - ROWS_AT) / ROW_SIZE);
    text.start = <i32>(target - TEXT_BYTES_AT);
    for (let partAt = row.first; partAt != 0; partAt = changetype<Part>(partAt).next) {
      const part = changetype<Part>(partAt);
      memory.copy(target, BYTES_AT + part.start, part.end - part.start);
      target += part.end - part.start;
    }
    text.end = <i32>(target - TEXT_BYTES_AT);
    text.columns = row.columns;
    text.lastColumns = row.lastColumns;
  }
  plan.count = texts;
}

/** The count of a complete `ESC [ A` or `ESC [ n A` with one digit, 0 for anything else. */
function readMoveUp(at: usize): i32 {
  if (load<u8>(at, 1) != 0x5b) return 0;
  const code: i32 = load<u8>(at, 2);
  if (code == 0x41) return 1;
  return load<u8>(at, 3) == 0x41 && code >= 0x30 && code <= 0x39 ? code - 0x30 : 0;
}

function lengthOfMove(at: usize): i32 {
  return load<u8>(at, 2) == 0x41 ? 3 : 4;
}
