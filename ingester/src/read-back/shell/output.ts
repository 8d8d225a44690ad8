import { type Charset, readCharset } from '../../host/charset.js';
import { createFdWriter } from '../../host/fd-writer.js';
import type { Host } from '../../host/host.js';
import type { Reporter } from '../../host/report.js';
import { showOnTerminal } from '../../host/show-on-terminal.js';

/** Standard output of a reading subcommand. */
export interface Output {
  readonly isTerminal: boolean;
  /** Size of the terminal; 80 by 24 where there is none. */
  readonly width: number;
  readonly height: number;
  /** On a terminal, unless NO_COLOR is set (no-color.org). */
  readonly hasColors: boolean;
  /** On a terminal, `write` shows no more than this; elsewhere texts of others stay as they are stored. */
  readonly charset: Charset;
  /** Resolves when all is written; false when nobody reads any more, as behind `| head`. */
  write(text: string): Promise<boolean>;
}

const [DEFAULT_WIDTH, DEFAULT_HEIGHT] = [80, 24];

export function openOutput({ stdoutFd, environment, readTerminal }: Host, report: Reporter): Output {
  const terminal = readTerminal();
  const writer = createFdWriter(stdoutFd, (message) => report.error(message));
  const charset = readCharset(environment);
  return {
    charset,
    isTerminal: terminal !== undefined,
    width: terminal?.width || DEFAULT_WIDTH,
    height: terminal?.height || DEFAULT_HEIGHT,
    hasColors: terminal !== undefined && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
    write: (text) => writer.write(Buffer.from(terminal === undefined ? text : showOnTerminal(text, charset))),
  };
}
