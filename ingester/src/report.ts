/** How much the command says on stderr; each level includes the ones before. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How it says it: lines of text, or a JSON object a line for log collectors. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What the command says to its user: one line a message, each with what was tried, what was found, what to do. */
export interface Reporter {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

export interface ReporterOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly nowMs: () => number;
  readonly writeText: (text: string) => void;
}

/**
 * A reporter that writes `joblens: message` lines, or `{"time": …, "level": …, "message": …}` objects (time as RFC 3339). Newlines in a
 * message become spaces, so that a message stays one line.
 */
export function createReporter({ level, format, nowMs, writeText }: ReporterOptions): Reporter {
  const enabled = LOG_LEVELS.indexOf(level);
  const say =
    (messageLevel: Exclude<LogLevel, 'silent'>) =>
    (message: string): void => {
      if (LOG_LEVELS.indexOf(messageLevel) > enabled) return;
      const line = message.replace(/\s*[\r\n]+\s*/g, ' ');
      const time = new Date(nowMs()).toISOString();
      const text =
        format === 'json' ? JSON.stringify({ time, level: messageLevel, message: line }) : `joblens: ${line}`;
      writeText(`${text}\n`);
    };
  return { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') };
}
