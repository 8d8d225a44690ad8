import type { Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import type { LogConfig, LogOptionError } from './log-config.js';
import { DEFAULT_LOG_CONFIG, listAllowed, parseLogOptions } from './log-config.js';

export interface OptInError {
  /** The place, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Reads the text of an opt-in file: YAML with the options of LogConfig; empty means `mode: enabled`.
 * The first fault is the error, with its place.
 */
export async function parseOptIn(text: string): Promise<Result<LogConfig, OptInError>> {
  // The usual file is empty and needs no YAML parser.
  if (text.trim() === '') return ok(DEFAULT_LOG_CONFIG);
  const { LineCounter, isMap, isScalar, parseAllDocuments } = await import('yaml');
  const lineCounter = new LineCounter();
  const fault = (offset: number, message: string): Result<never, OptInError> => {
    const { line, col: column } = lineCounter.linePos(offset);
    return err({ line, column, message });
  };

  const [document, second] = [...parseAllDocuments(text, { lineCounter, prettyErrors: false })];
  if (document === undefined) return ok(DEFAULT_LOG_CONFIG);
  const [syntaxError] = document.errors;
  // Some messages quote the text behind a colon.
  const syntaxMessage = syntaxError?.message.split(':')[0];
  if (syntaxError !== undefined) return fault(syntaxError.pos[0], `not valid YAML: ${syntaxMessage}`);
  if (second !== undefined) return fault(second.range[0], 'a second YAML document; one is allowed');

  const value = readValue(document);
  if (value === null) return ok(DEFAULT_LOG_CONFIG);
  const options = parseLogOptions(value);
  if (options.ok) return ok({ ...DEFAULT_LOG_CONFIG, ...options.value });
  const message = explainOptionError(options.error);
  const option = options.error.kind === 'not-a-mapping' ? undefined : options.error.option;
  const keys = isMap(document.contents) ? document.contents.items.map((item) => item.key) : [];
  const key = keys.find((candidate) => isScalar(candidate) && String(candidate.value) === option);
  return fault((isScalar(key) ? key.range : document.contents?.range)?.[0] ?? 0, message);
}

/** Quotes the file only where it has a single word, which can be no more than a slip. */
function explainOptionError(error: LogOptionError): string {
  const allowed = listAllowed(error);
  switch (error.kind) {
    case 'not-a-mapping':
      return `not a mapping of options; ${allowed}`;
    case 'unknown-option':
      return `unknown option${isWord(error.option) ? ` ${JSON.stringify(error.option)}` : ''}; ${allowed}`;
    case 'wrong-value': {
      const found = isWord(error.value) ? `is ${JSON.stringify(error.value)}` : 'has a value that is not allowed';
      return `option ${error.option} ${found}; ${allowed}`;
    }
  }
}

function isWord(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'string' && /^[a-z]{0,12}$/i.test(value));
}

/** The plain value of a document; none if its aliases multiply beyond all bounds. */
function readValue(document: { toJS(): unknown }): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}
