import type { NonfiniteOption, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import * as z from 'zod';

const MODES = ['enabled', 'metadata', 'disabled'] as const;
const NONFINITE = ['log', 'metadata'] as const;

/** What is logged of a job: all output, only metadata, or only commands. */
export type LogMode = (typeof MODES)[number];

/** The options that the opt-in file, the command line and commands in the output can set (README, "Logging rules"). */
export interface LogConfig {
  readonly mode: LogMode;
  readonly nonfinite: NonfiniteOption;
}

export const DEFAULT_LOG_CONFIG: LogConfig = { mode: 'enabled', nonfinite: 'log' };

export interface LogOptionError {
  /** The option that is wrong, undefined when the whole is no mapping. */
  readonly option?: string;
  /** What was found and what is allowed, as one sentence. */
  readonly message: string;
}

const LOG_OPTIONS = z.strictObject({
  mode: z.enum(MODES).exactOptional(),
  nonfinite: z.enum(NONFINITE).exactOptional(),
});

const ALLOWED: Readonly<Record<string, readonly string[]>> = { mode: MODES, nonfinite: NONFINITE };
const ALLOWED_TEXT = Object.entries(ALLOWED)
  .map(([option, values]) => `${option} (${values.join(', ')})`)
  .join(' and ');

export function isLogMode(text: string): text is LogMode {
  return (MODES as readonly string[]).includes(text);
}

/** Reads options as the opt-in file or a command gives them: some of the known ones, nothing else. */
export function parseLogOptions(value: unknown): Result<Partial<LogConfig>, LogOptionError> {
  const parsed = LOG_OPTIONS.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const option = issue.keys[0] ?? '';
    return err({ option, message: `unknown option ${JSON.stringify(option)}; allowed are ${ALLOWED_TEXT}` });
  }
  const option = issue?.path[0];
  if (typeof option !== 'string') return err({ message: `not a mapping of options; allowed are ${ALLOWED_TEXT}` });
  const found = JSON.stringify((value as Record<string, unknown>)[option]);
  const allowed = (ALLOWED[option] ?? []).join(', ');
  return err({ option, message: `option ${option} is ${found}; allowed are ${allowed}` });
}
