import { escapeRegex } from '../words/escape-regex.js';
import { err, ok, type Result } from '../result/result.js';
import { findLiterals } from './regex-literals.js';
import { MIN_LITERAL_CHARS, SIGNAL_SEVERITIES, type SignalPattern, type SignalSeverity } from './signal-pattern.js';

/** A user's own pattern, as written. */
export interface OwnSignal {
  readonly name: string;
  readonly severity: SignalSeverity;
  /** Lines that hold this text. */
  readonly text?: string;
  /** Lines that match this; with a `text`, only lines that hold that too. */
  readonly regex?: string;
}

/** A regular expression that takes time in proportion to the line: the matched text, or undefined. */
type MatchLine = (line: string) => string | undefined;

/** Compiles a user's regular expression; a fault in words. */
export type CompileSignal = (source: string) => Result<MatchLine, string>;

export const MAX_OWN_SIGNALS = 50;
const MAX_SOURCE_CHARS = 1000;

/** Reads one entry of the option `signals`. A fault quotes nothing of it: it may hold a secret. */
export function parseOwnSignal(value: unknown): Result<OwnSignal, string> {
  if (!isMapping(value)) return err('it is not a mapping');
  const { name, severity = 'error', text, regex, ...others } = value;
  if (Object.keys(others).length > 0) return err('allowed are name, severity, text and regex');
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
    return err('its name must have 1 to 64 letters, digits, hyphens, dots or underscores');
  }
  if (!isSeverity(severity)) return err(`its severity must be one of ${SIGNAL_SEVERITIES.join(', ')}`);
  if (!isSource(text) || !isSource(regex))
    return err(`text and regex are texts of 1 to ${MAX_SOURCE_CHARS} characters`);
  if (text === undefined && regex === undefined) return err('it needs a text or a regex');
  return ok({ name, severity, ...(text !== undefined && { text }), ...(regex !== undefined && { regex }) });
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSeverity(value: unknown): value is SignalSeverity {
  return (SIGNAL_SEVERITIES as readonly unknown[]).includes(value);
}

function isSource(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '' && value.length <= MAX_SOURCE_CHARS);
}

/** Makes a pattern of a user's own signal. A fault says what is wrong and what to do. */
export function createOwnPattern(signal: OwnSignal, compile: CompileSignal): Result<SignalPattern, string> {
  const { name, severity, text, regex } = signal;
  const compiled = regex === undefined ? undefined : compile(regex);
  if (compiled?.ok === false) return compiled;
  const literals = text === undefined ? findLiterals(regex ?? '') : findLiterals(escapeRegex(text));
  if (literals.length === 0) {
    const rule = `at least ${MIN_LITERAL_CHARS} ASCII characters that each of its lines holds`;
    return err(text === undefined ? `its regex must hold ${rule}; add them as text` : `its text must hold ${rule}`);
  }
  const match = compiled?.value;
  return ok({
    ...{ name, severity, literals },
    weight: 'cause',
    match: (line) => {
      if (text !== undefined && !line.includes(text)) return undefined;
      return match === undefined ? line.trim() : match(line);
    },
  });
}
