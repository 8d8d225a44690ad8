/** What one line of output means as a command. */
export type LogCommand =
  | { readonly kind: 'none' }
  /** Looks like a command and is none: an ordinary line, about which a notice is due. */
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'command'; readonly options: object };

export const COMMAND_WORD = '/LOGCOMMAND';

const NO_COMMAND: LogCommand = { kind: 'none' };

/** A tab behind the word reaches to column 16 on a console, and lines come to us as a console shows them. */
const SHOWN_TAB = ' '.repeat(16 - COMMAND_WORD.length);

/** A command is a line that is exactly `/LOGCOMMAND`, one whitespace character and a JSON object (README, "Logging rules"). */
export function parseLogCommand(line: string): LogCommand {
  if (!line.startsWith(COMMAND_WORD)) return NO_COMMAND;
  const tail = line.slice(COMMAND_WORD.length);
  if (!/^\s/.test(tail)) return NO_COMMAND;
  const rest = tail.startsWith(`${SHOWN_TAB}{`) ? tail.slice(SHOWN_TAB.length) : tail.slice(1);
  if (!rest.startsWith('{') || !rest.endsWith('}')) {
    return { kind: 'malformed', message: 'after the word and one space there must be a JSON object and nothing else' };
  }
  try {
    return { kind: 'command', options: JSON.parse(rest) as object };
  } catch (error) {
    return {
      kind: 'malformed',
      message: `the JSON object is not valid: ${error instanceof Error ? error.message : ''}`,
    };
  }
}
