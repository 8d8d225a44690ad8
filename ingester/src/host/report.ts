import type { Clock } from '../clock/clock.js';

/** How much the command says on stderr; each level includes the ones before. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How it says it: lines of text, or a JSON object a line for log collectors. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

type MessageLevel = Exclude<LogLevel, 'silent'>;

/** A message of one kind is said once in so long; the others are counted. */
const REPEAT_MS = 60_000;

/**
 * What the command says to its user: one line a message, each with what was tried, what was found, what to do. Messages are of one kind
 * when they are the same; `kind` is for those that say the same with other numbers.
 */
export interface Reporter {
  error(message: string, kind?: string): void;
  warn(message: string, kind?: string): void;
  info(message: string, kind?: string): void;
  debug(message: string, kind?: string): void;
}

export interface ReporterOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly writeText: (text: string) => void;
}

/** A kind of message that was said in the last minute. */
interface SaidKind {
  /** Since it was said last. */
  count: number;
  /** The newest of these, and when it was. */
  message: string;
  timeMs: number;
}

/**
 * A reporter that writes `joblens: message` lines, or `{"time": …, "level": …, "message": …}` objects (time as RFC 3339). A message
 * stays one line, and nothing in it can steer a terminal. What comes more than once in a minute is said again when the minute is over,
 * with its count, or at `flush`.
 */
export function createReporter({ level, format, clock, writeText }: ReporterOptions): Reporter & { flush(): void } {
  const enabled = LOG_LEVELS.indexOf(level);
  const kinds: Readonly<Record<MessageLevel, Map<string, SaidKind>>> = {
    ...{ error: new Map(), warn: new Map(), info: new Map(), debug: new Map() },
  };

  const write = (messageLevel: MessageLevel, message: string, repeated?: SaidKind): void => {
    const line = toOneLine(message);
    const time = new Date(repeated?.timeMs ?? clock.nowMs()).toISOString();
    const times = repeated && { times: repeated.count };
    const text =
      format === 'json'
        ? JSON.stringify({ time, level: messageLevel, message: line, ...times })
        : `joblens: ${line}${repeated === undefined ? '' : ` (${formatTimes(repeated.count)}, last at ${time})`}`;
    writeText(`${text}\n`);
  };
  const writeRepeated = (messageLevel: MessageLevel, said: SaidKind): boolean => {
    if (said.count === 0) return false;
    write(messageLevel, said.message, said);
    said.count = 0;
    return true;
  };
  const countRepeats = async (messageLevel: MessageLevel, kind: string, said: SaidKind): Promise<void> => {
    do await clock.sleep(REPEAT_MS);
    while (writeRepeated(messageLevel, said));
    kinds[messageLevel].delete(kind);
  };
  const say =
    (messageLevel: MessageLevel) =>
    (message: string, kind = message): void => {
      if (LOG_LEVELS.indexOf(messageLevel) > enabled) return;
      const said = kinds[messageLevel].get(kind);
      if (said !== undefined) {
        Object.assign(said, { message, timeMs: clock.nowMs(), count: said.count + 1 });
        return;
      }
      write(messageLevel, message);
      const first = { message, timeMs: clock.nowMs(), count: 0 };
      kinds[messageLevel].set(kind, first);
      void countRepeats(messageLevel, kind, first);
    };
  return {
    ...{ error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') },
    flush() {
      for (const [messageLevel, said] of Object.entries(kinds)) {
        for (const each of said.values()) writeRepeated(messageLevel as MessageLevel, each);
      }
    },
  };
}

function formatTimes(count: number): string {
  return count === 1 ? 'once more' : `${count} more times`;
}

/**
 * Newlines become spaces. Other control characters, and those that turn the direction of writing, are shown as `\x1b` or `\u202e`: names of
 * files and jobs, which anyone may choose, are quoted in messages that root reads on a terminal.
 */
function toOneLine(message: string): string {
  return message
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16);
      return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
    });
}
