import { COMMAND_WORD } from './log-command.js';

/** Bars have few braces: a text with more is none. */
const MAX_BRACES = 16;

/**
 * Lists the texts that may be lines of their own on a row with a bar, the longest first. One program drew the bar and
 * another printed the line behind it, with no line feed between them.
 */
export function* findPrintedOverBar(redrawn: string): Generator<string> {
  const command = redrawn.indexOf(COMMAND_WORD);
  if (command >= 0) yield redrawn.slice(command);
  if (!redrawn.endsWith('}')) return;
  let at = redrawn.indexOf('{');
  for (let braces = 0; at >= 0 && braces < MAX_BRACES; braces += 1) {
    yield redrawn.slice(at);
    at = redrawn.indexOf('{', at + 1);
  }
}
