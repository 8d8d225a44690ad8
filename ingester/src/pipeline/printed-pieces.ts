import { COMMAND_WORD } from '../rules/log-command.js';

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
/** Without the slash, which is a frequent character and may be followed by a change of colour. */
const WORD = Buffer.from(COMMAND_WORD.slice(1));

const RESTRICTION = /"mode"\s*:\s*"(?:disabled|metadata)"/;
const MAX_COMMAND_BYTES = 1024;

/**
 * Finds the end of the first piece of some output. A command ends its piece, so that the output behind it is rendered
 * only after the command is obeyed. `openText` is the text already on the line that the output continues.
 */
export function findPieceEnd(output: Buffer, openText: string): number {
  if (mayBecomeCommand(openText)) return findLineEnd(output, 0);
  const word = output.indexOf(WORD);
  if (word < 0) return output.length;
  const lineStart = output.lastIndexOf(LF, word) + 1;
  return lineStart > 0 ? lineStart : findLineEnd(output, word);
}

export function mayHoldCommand(output: Buffer): boolean {
  return output.includes(WORD);
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

function mayBecomeCommand(text: string): boolean {
  if (text === '') return false;
  return COMMAND_WORD.startsWith(text) || text.includes(COMMAND_WORD.slice(1));
}

/** A control sequence can end a line too. */
function findLineEnd(output: Buffer, start: number): number {
  const line = output.indexOf(LF, start) + 1 || output.length;
  const escape = output.subarray(0, line).indexOf(ESC, start + 1);
  return escape > 0 ? escape : line;
}
