type Severity = 'error' | 'warning' | 'info' | 'debug' | '';

/** Levels in capitals as a word of their own: `2026-01-01 ERROR …`, `WARNING:root:`, `[INFO]`. */
function word(levels: string): RegExp {
  return new RegExp(`(?:^|[\\s[(<|:])(?:${levels})(?=$|[\\s\\])>|:])`);
}

/**
 * Levels in any case before a colon, at the start of the line or after the program's name: `error: …`,
 * `slurmstepd: error: …`, `x.c:3:1: warning: …`.
 */
function prefix(levels: string): RegExp {
  return new RegExp(`^(?:\\S+: )?[[(<*\\s]{0,3}(?:${levels})[\\])>]?:`, 'i');
}

/** A word in the middle of a sentence ("mean error 0.3") is no level. */
const SIGNS: ReadonlyArray<readonly [Severity, readonly RegExp[]]> = [
  [
    'error',
    [
      word('ERROR|FATAL|CRITICAL|PANIC'),
      prefix('error|fatal|fatal error|critical|panic'),
      /^Traceback \(most recent call last\)/,
      /^[\w.]*(?:Error|Exception): /,
    ],
  ],
  ['warning', [word('WARN|WARNING'), prefix('warn|warning'), /^(?:\S+ )?[\w.]*Warning: /]],
  ['info', [word('INFO|NOTICE'), prefix('info')]],
  ['debug', [word('DEBUG|TRACE'), prefix('debug')]],
];

/** The level that a printed line claims, or '' when it claims none. Only its first 200 characters are looked at. */
export function inferSeverity(line: string): Severity {
  const start = line.slice(0, 200);
  return SIGNS.find(([, patterns]) => patterns.some((pattern) => pattern.test(start)))?.[0] ?? '';
}
