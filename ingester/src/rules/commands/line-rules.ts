import { COMMAND_WORD } from './log-command.js';

// The kinds that a line may have, by its beginning. The kernel has the same rules for bytes
// (assembly/lines/output-lines.ts); its property test compares both.

const BRACE = 0x7b;
const AFTER_BRACE: ReadonlySet<number | undefined> = new Set(Array.from('" }', (char) => char.charCodeAt(0)));
const SPACE = 0x20;

/** Whether a text that may be cut anywhere is a command, or may become one. */
export function mayBeCommand(text: string): boolean {
  return text.startsWith(COMMAND_WORD) || COMMAND_WORD.startsWith(text);
}

/** Whether the line at `at` may be a JSON object: a quote, a space or the end of the object follows the brace. */
export function mayBeMetadata(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === BRACE && AFTER_BRACE.has(bytes[at + 1]);
}

/** Cuts spaces at the end as the renderer does: U+0020 only. */
export function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === SPACE) end -= 1;
  return end === line.length ? line : line.slice(0, end);
}
