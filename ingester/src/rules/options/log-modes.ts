import type { JobDescription } from '@joblens/core/schema/job-point';

/** The modes, the loosest first. */
export const MODES = ['enabled', 'metadata', 'disabled'] as const;

/** How much of a job is logged: all output, only metadata, or only commands. */
export type LogMode = (typeof MODES)[number];

/**
 * The kinds of lines that the rules tell apart. Nobody knows the meaning of a refused command, so it cannot be obeyed.
 */
export type LineKind = 'output' | 'metadata' | 'command' | 'refusedCommand';

export interface LineRule {
  /** Stored as a line of the log. */
  readonly isLogged: boolean;
  /** Stored as a row of its table. */
  readonly isMined: boolean;
}

export type LineRules = Readonly<Record<LineKind, LineRule>>;

const LOGGED: LineRule = { isLogged: true, isMined: false };
const MINED: LineRule = { isLogged: false, isMined: true };
const LOGGED_AND_MINED: LineRule = { isLogged: true, isMined: true };
const DROPPED: LineRule = { isLogged: false, isMined: false };

/**
 * How each mode stores each kind of line (docs/logging-rules.md). The mode under which a line was printed decides; for
 * an obeyed command, the mode that it sets. Notices are logged in every mode.
 */
export const LINE_RULES: Readonly<Record<LogMode, LineRules>> = {
  enabled: { output: LOGGED, metadata: LOGGED_AND_MINED, command: LOGGED, refusedCommand: LOGGED },
  metadata: { output: DROPPED, metadata: MINED, command: DROPPED, refusedCommand: DROPPED },
  disabled: { output: DROPPED, metadata: DROPPED, command: LOGGED, refusedCommand: DROPPED },
};

export interface DescriptionRules {
  readonly isTold: (part: keyof JobDescription) => boolean;
  readonly hasEventData: boolean;
}

/** How much each mode tells about the job itself, besides its name and user. */
export const DESCRIPTION_RULES: Readonly<Record<LogMode, DescriptionRules>> = {
  enabled: { isTold: () => true, hasEventData: true },
  metadata: { isTold: (part) => part !== 'command' && part !== 'workdir', hasEventData: true },
  disabled: { isTold: (part) => part === 'state', hasEventData: false },
};

/** The mode that allows least. */
export function findStrictest(...modes: readonly [LogMode, ...LogMode[]]): LogMode {
  return modes.reduce((one, other) => (MODES.indexOf(one) > MODES.indexOf(other) ? one : other));
}

/** The mode that allows most. */
export function findLoosest(...modes: readonly [LogMode, ...LogMode[]]): LogMode {
  return modes.reduce((one, other) => (MODES.indexOf(one) < MODES.indexOf(other) ? one : other));
}
