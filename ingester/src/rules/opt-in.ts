import type { Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import type { LogConfig } from './log-config.js';
import { DEFAULT_LOG_CONFIG, parseLogOptions } from './log-config.js';

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
  // The usual file is empty: then nobody waits for the YAML parser.
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
  if (syntaxError !== undefined) return fault(syntaxError.pos[0], `not valid YAML: ${syntaxError.message}`);
  if (second !== undefined) return fault(second.range[0], 'a second YAML document; one is allowed');

  const value = readValue(document);
  if (value === null) return ok(DEFAULT_LOG_CONFIG);
  const options = parseLogOptions(value);
  if (options.ok) return ok({ ...DEFAULT_LOG_CONFIG, ...options.value });
  const { option, message } = options.error;
  const keys = isMap(document.contents) ? document.contents.items.map((item) => item.key) : [];
  const key = keys.find((candidate) => isScalar(candidate) && String(candidate.value) === option);
  return fault((isScalar(key) ? key.range : document.contents?.range)?.[0] ?? 0, message);
}

/** The plain value of a document; one whose aliases multiply beyond all bounds has none. */
function readValue(document: { toJS(): unknown }): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}
