export type Severity = 'error' | 'warning' | 'info' | 'debug' | '';

/** A regular expression that this page and the store read alike. */
interface Sign {
  readonly source: string;
  readonly isCaseless: boolean;
}

/** Levels in capitals as a word of their own: `2026-01-01 ERROR …`, `WARNING:root:`, `[INFO]`. */
function word(levels: string): Sign {
  return { source: `(?:^|[\\s[(<|:])(?:${levels})(?:$|[\\s\\])>|:])`, isCaseless: false };
}

/**
 * Levels in any case before a colon, at the start of the line or after the program's name: `error: …`,
 * `slurmstepd: error: …`, `x.c:3:1: warning: …`.
 */
function prefix(levels: string): Sign {
  return { source: `^(?:\\S+: )?[[(<*\\s]{0,3}(?:${levels})[\\])>]?:`, isCaseless: true };
}

function exact(source: string): Sign {
  return { source, isCaseless: false };
}

/** What launchers put in front of each line of a process: `[rank3]: `, `3: `. */
export const WRITER_MARK = '(?:\\[\\w+\\]:\\s?|\\d+:\\s)';

/** A word in the middle of a sentence ("mean error 0.3") is no level. */
const SIGNS: ReadonlyArray<readonly [Severity, readonly Sign[]]> = [
  [
    'error',
    [
      word('ERROR|FATAL|CRITICAL|PANIC'),
      prefix('error|fatal|fatal error|critical|panic'),
      exact(`^${WRITER_MARK}?Traceback \\(most recent call last\\)`),
      exact('^Exception in thread "'),
      exact(`^${WRITER_MARK}?[\\w.]*(?:Error|Exception): `),
    ],
  ],
  ['warning', [word('WARN|WARNING'), prefix('warn|warning'), exact('^(?:\\S+ )?[\\w.]*Warning: ')]],
  ['info', [word('INFO|NOTICE'), prefix('info')]],
  ['debug', [word('DEBUG|TRACE'), prefix('debug')]],
];

const MATCHERS = SIGNS.map(
  ([severity, signs]) =>
    [severity, signs.map(({ source, isCaseless }) => new RegExp(source, isCaseless ? 'i' : ''))] as const
);

/** The level that a printed line claims, or '' when it claims none. Only its first 200 characters are looked at. */
export function inferSeverity(line: string): Severity {
  const start = line.slice(0, 200);
  return MATCHERS.find(([, patterns]) => patterns.some((pattern) => pattern.test(start)))?.[0] ?? '';
}

/** For the store (RE2): lines that claim one of these levels. */
export function createSeverityPattern(levels: readonly Severity[]): string {
  return SIGNS.filter(([severity]) => levels.includes(severity))
    .flatMap(([, signs]) => signs)
    .map(({ source, isCaseless }) => (isCaseless ? `(?i:${source})` : `(?:${source})`))
    .join('|');
}

/** Where a stack trace of Python or Java passes. The line claims no level, but belongs to the error. */
const FRAME = `^${WRITER_MARK}?(?:\\s+(?:File "|at \\S|\\.{3} \\d+ (?:more|common frames))|Caused by: )`;
const FRAME_MATCHER = new RegExp(FRAME);

/** What a line must be, for this page and for the store. */
export interface LineCondition {
  /** For the store (RE2). */
  readonly source: string;
  readonly isMatch: (line: string, severity: string) => boolean;
}

/** Lines of some levels; with those of errors, the frames of their stack traces. */
export function createLevelFilter(levels: readonly Severity[]): LineCondition {
  const hasFrames = levels.includes('error');
  const source = createSeverityPattern(levels);
  return {
    source: hasFrames ? `${source}|(?:${FRAME})` : source,
    isMatch: (line, severity) => levels.includes(severity as Severity) || (hasFrames && FRAME_MATCHER.test(line)),
  };
}
