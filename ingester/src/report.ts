/** How much the command says on stderr; each level includes the ones before. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the command says to its user: one line a message, each with what was tried, what was found, what to do. */
export interface Reporter {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** A reporter that writes `joblens: message` lines. Newlines in a message become spaces, so that a message stays one line. */
export function createReporter(level: LogLevel, writeText: (text: string) => void): Reporter {
  const enabled = LOG_LEVELS.indexOf(level);
  const say =
    (messageLevel: LogLevel) =>
    (message: string): void => {
      if (LOG_LEVELS.indexOf(messageLevel) <= enabled)
        writeText(`joblens: ${message.replace(/\s*[\r\n]+\s*/g, ' ')}\n`);
    };
  return { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') };
}
