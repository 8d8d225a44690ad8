import { COMMAND_WORD } from '../rules/commands/log-command.js';

const LF = 0x0a;
/** They go down a row, too. */
const VT = 0x0b;
const FF = 0x0c;
const CR = 0x0d;
const ESC = 0x1b;
const BRACKET = 0x5b;
/** Without the slash, which is a frequent character and may be followed by a change of colour. */
const WORD = Buffer.from(COMMAND_WORD.slice(1));

const RESTRICTION = /"mode"\s*:\s*"(?:disabled|metadata)"/;
const MAX_COMMAND_BYTES = 1024;
/** On longer rows, output is not parted at control sequences: each part would be compared with all of the row. */
const MAX_PARTED_UNITS = 2048;

/** The first piece of some output. */
export interface PrintedPiece {
  readonly end: number;
  /** It may complete a command, which is then its end. */
  readonly mayBeCommand: boolean;
}

/**
 * Finds the first piece of some output. A command ends its piece, so that the output behind it is rendered only after
 * the command is obeyed. `openTexts`: the texts on the screen that the output may continue, that of the last row as
 * the last.
 */
export function findPiece(output: Buffer, openTexts: readonly string[]): PrintedPiece {
  if (openTexts.some(isLong)) return { end: output.indexOf(LF) + 1 || output.length, mayBeCommand: false };
  if (openTexts.slice(0, -1).some(mayBecomeCommand)) return { end: findLineEnd(output, 0), mayBeCommand: true };
  // The first character printed below a command completes its row.
  if (openTexts.slice(-1).some(mayBecomeCommand)) return { end: findStepEnd(output), mayBeCommand: true };
  const word = output.indexOf(WORD);
  if (word < 0) return { end: output.length, mayBeCommand: false };
  const lineStart = output.lastIndexOf(LF, word) + 1;
  if (lineStart > 0) return { end: lineStart, mayBeCommand: false };
  return { end: findLineEnd(output, word), mayBeCommand: true };
}

export function mayHoldCommand(output: Buffer): boolean {
  return output.includes(WORD);
}

function isLong({ length }: string): boolean {
  return length > MAX_PARTED_UNITS;
}

/** The end of the last line that may be a command that forbids output; 0 when there is none. */
export function findRestrictionEnd(output: Buffer): number {
  let end = 0;
  for (let word = output.indexOf(WORD); word >= 0; word = output.indexOf(WORD, word + 1)) {
    const lineEnd = output.indexOf(LF, word) + 1 || output.length;
    if (RESTRICTION.test(output.toString('latin1', word, Math.min(lineEnd, word + MAX_COMMAND_BYTES)))) end = lineEnd;
  }
  return end;
}

/** The end of the first whole line or of all whole lines; 0 when there is none. */
export function findLinesEnd(output: Buffer, count: 'first' | 'all'): number {
  return (count === 'first' ? output.indexOf(LF) : output.lastIndexOf(LF)) + 1;
}

/** The place behind the last carriage return; 0 when there is none. */
export function findRedrawStart(output: Buffer): number {
  return output.lastIndexOf(CR) + 1;
}

export function endsWithLine(output: Buffer): boolean {
  return output.at(-1) === LF;
}

/** Whether the text holds the word of commands or ends with a beginning of it, maybe behind a bar. */
function mayBecomeCommand(text: string): boolean {
  if (text.includes(COMMAND_WORD.slice(1))) return true;
  const start = text.lastIndexOf(COMMAND_WORD.charAt(0));
  return start >= 0 && COMMAND_WORD.startsWith(text.slice(start));
}

/** A control sequence can end a line too: it is a piece of its own. */
function findLineEnd(output: Buffer, start: number): number {
  if (output[start] === ESC) return findSequenceEnd(output, start);
  for (let at = start; at < output.length; at += 1) {
    const byte = output[at];
    if (byte === LF || byte === VT || byte === FF) return at + 1;
    if (byte === ESC) return at;
  }
  return output.length;
}

/** The end of the first control sequence or character. */
function findStepEnd(output: Buffer): number {
  if (output[0] === ESC) return findSequenceEnd(output, 0);
  let end = 1;
  while (end < output.length && ((output[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}

/** The end of a control sequence; of the output if it is longer or unfinished. */
function findSequenceEnd(output: Buffer, start: number): number {
  if (output[start + 1] !== BRACKET) return Math.min(start + 2, output.length);
  let end = start + 2;
  while (end < output.length && ((output[end] ?? 0) < 0x40 || (output[end] ?? 0) > 0x7e)) end += 1;
  return Math.min(end + 1, output.length);
}
