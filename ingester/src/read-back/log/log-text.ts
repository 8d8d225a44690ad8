import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { type Charset, unknownMarkOf } from '../../host/charset.js';
import { formatLocalTime } from '../shell/local-time.js';

export interface LogTextOptions {
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
  readonly hasTimes: boolean;
  /** Whether the task is said in front of each line that has one. */
  readonly hasTasks: boolean;
  /** That of the marks for characters that are not shown. */
  readonly charset: Charset;
}

const [DIM, RESET] = ['\x1b[2m', '\x1b[0m'];
/** A colour, or a character that could move the cursor of a terminal or change the direction of text. */
const SGR_OR_CONTROL = /\x1b\[[\d;:]*m|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu; // eslint-disable-line no-control-regex

/** A line as people read it, without the end of the line. */
export function formatLogLine(row: LogLine, options: LogTextOptions): string {
  const { isTerminal, hasColors, hasTimes, hasTasks, charset } = options;
  const { line, ansi, kind, task, timeNs } = row;
  const time = hasTimes ? `${formatTime(timeNs, isTerminal)} ` : '';
  const label = hasTasks && task !== undefined ? `${toVisibleText(task)}: ` : '';
  const text = hasColors && ansi !== undefined && ansi !== '' ? endColors(ansi) : line;
  const shown = hideControls(text, hasColors, unknownMarkOf(charset));
  if (!hasColors) return time + label + shown;
  const before = time + label === '' ? '' : `${DIM}${time}${label}${RESET}`;
  return kind === 'output' ? before + shown : `${before}${DIM}${shown}${RESET}`;
}

function endColors(ansi: string): string {
  return ansi.endsWith(RESET) ? ansi : `${ansi}${RESET}`;
}

function formatTime(timeNs: bigint, isTerminal: boolean): string {
  if (!isTerminal) return formatRfc3339Nano(timeNs);
  const milliseconds = String(Number((timeNs / NS_PER_MS) % 1000n)).padStart(3, '0');
  return `${formatLocalTime(Number(timeNs / NS_PER_MS))}.${milliseconds}`;
}

/** Other writers than Joblens may have stored anything, and behind a pipe there may be a terminal, too. */
function hideControls(text: string, hasColors: boolean, mark: string): string {
  return text.replace(SGR_OR_CONTROL, (found) => (found === '\t' || (hasColors && found.length > 1) ? found : mark));
}
