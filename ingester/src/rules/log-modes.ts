import type { JobDescription } from '@joblens/core';

/** The modes, the loosest first. */
export const MODES = ['enabled', 'metadata', 'disabled'] as const;

/** How much of a job is logged: all output, only metadata, or only commands. */
export type LogMode = (typeof MODES)[number];

/**
 * The kinds of lines that the rules tell apart. Nobody knows what the text of a refused command says: it cannot be
 * obeyed.
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
 * Says for each mode and kind of line what is stored (docs/logging-rules.md). The mode under which a line was printed
 * decides; for a command that is obeyed, it is the mode that the command sets. Notices are logged in every mode.
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

/** Says what each mode tells of the job itself, beside its name and user. */
export const DESCRIPTION_RULES: Readonly<Record<LogMode, DescriptionRules>> = {
  enabled: { isTold: () => true, hasEventData: true },
  metadata: { isTold: (part) => part !== 'command' && part !== 'workdir', hasEventData: true },
  disabled: { isTold: (part) => part === 'state', hasEventData: false },
};

/** The one of the modes that allows least. */
export function findStrictest(...modes: readonly [LogMode, ...LogMode[]]): LogMode {
  return modes.reduce((one, other) => (MODES.indexOf(one) > MODES.indexOf(other) ? one : other));
}

/** The one of the modes that allows most. */
export function findLoosest(...modes: readonly [LogMode, ...LogMode[]]): LogMode {
  return modes.reduce((one, other) => (MODES.indexOf(one) < MODES.indexOf(other) ? one : other));
}
