import type { NonfiniteOption, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import * as z from 'zod';
import type { LogMode } from './log-modes.js';
import { MODES } from './log-modes.js';

const NONFINITE = ['log', 'metadata'] as const;

/** The options that the opt-in file, the command line and commands in the output can set (docs/logging-rules.md). */
export interface LogConfig {
  readonly mode: LogMode;
  readonly nonfinite: NonfiniteOption;
}

export const DEFAULT_LOG_CONFIG: LogConfig = { mode: 'enabled', nonfinite: 'log' };

/** A fault in options. `option` and `value` are as somebody wrote them, and may be a secret. */
export type LogOptionError =
  | { readonly kind: 'not-a-mapping' }
  | { readonly kind: 'unknown-option'; readonly option: string }
  | { readonly kind: 'wrong-value'; readonly option: keyof LogConfig; readonly value: unknown };

const LOG_OPTIONS = z.strictObject({
  mode: z.enum(MODES).exactOptional(),
  nonfinite: z.enum(NONFINITE).exactOptional(),
});

const ALLOWED: Readonly<Record<keyof LogConfig, readonly string[]>> = { mode: MODES, nonfinite: NONFINITE };
const ALLOWED_TEXT = Object.entries(ALLOWED)
  .map(([option, values]) => `${option} (${values.join(', ')})`)
  .join(' and ');

/** Reads options of the opt-in file or of a command: any of the known ones, and nothing else. */
export function parseLogOptions(value: unknown): Result<Partial<LogConfig>, LogOptionError> {
  const parsed = LOG_OPTIONS.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') return err({ kind: 'unknown-option', option: issue.keys[0] ?? '' });
  const option = issue?.path[0];
  if (option !== 'mode' && option !== 'nonfinite') return err({ kind: 'not-a-mapping' });
  return err({ kind: 'wrong-value', option, value: (value as Record<string, unknown>)[option] });
}

/** Lists the values that are allowed in place of a wrong one. */
export function listAllowed(error: LogOptionError): string {
  return `allowed are ${error.kind === 'wrong-value' ? ALLOWED[error.option].join(', ') : ALLOWED_TEXT}`;
}
