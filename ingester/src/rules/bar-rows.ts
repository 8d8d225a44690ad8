import { COMMAND_WORD } from './log-command.js';

/** Bars have few braces; what has more is none. */
const MAX_BRACES = 16;

/**
 * Lists the texts that may be lines of their own on a row that a bar was drawn on: the bar's program and the one that
 * printed the line are two, so that the line came behind the bar, without a line feed between. The longest comes first.
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
