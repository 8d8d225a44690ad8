import type { Clock } from '../clock/clock.js';

/** How much is written to stderr. Each level includes the ones before it. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The form of messages: lines of text, or one JSON object per line for log collectors. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

type MessageLevel = Exclude<LogLevel, 'silent'>;

/** In this time, only the first message of a kind is written; the others are counted. */
const REPEAT_MS = 60_000;

/**
 * Writes messages for the user, one line each. A message says what was tried, what was found, and what to do. Equal
 * messages are of one kind; `kind` joins those that differ only in numbers.
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

/**
 * The most kinds of messages of a level in this time: names that users choose may be in each. Those beyond are counted
 * together.
 */
const MAX_KINDS = 500;
const OTHERS = 'others';

/** A kind of message that was written in the last minute. */
interface SaidKind {
  /** How many came since it was last written. */
  count: number;
  /** The newest of them, and its time. */
  message: string;
  timeMs: number;
}

/**
 * Creates a reporter that writes `joblens: message` lines, or `{"time": …, "level": …, "message": …}` objects (time as
 * RFC 3339). A message stays on one line, and nothing in it can control a terminal. A message that comes more than once
 * in a minute is written again at the end of that minute, or at `flush`, with its count. Where very many differ, those
 * beyond 500 in a minute count as one, which comes with the newest of them.
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
      const known = kinds[messageLevel];
      if (!known.has(kind) && known.size >= MAX_KINDS) kind = OTHERS;
      const said = known.get(kind);
      if (said !== undefined) {
        Object.assign(said, { message, timeMs: clock.nowMs(), count: said.count + 1 });
        return;
      }
      write(messageLevel, message);
      const first = { message, timeMs: clock.nowMs(), count: 0 };
      known.set(kind, first);
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
 * Turns newlines into spaces, and shows other control characters, and those that change the direction of text, as
 * `\x1b` or `\u202e`. Anyone may choose names of files and jobs, and root reads them in messages on a terminal.
 */
function toOneLine(message: string): string {
  return message
    .replace(/(?<!\s)[^\S\r\n]*[\r\n]\s*/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16);
      return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
    });
}
