import { findNearest } from '@joblens/core/console/find-nearest';
import { DEFAULT_METADATA_KINDS, type MetadataKind } from '@joblens/core/lines/metadata-kind';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { NonfiniteOption } from '@joblens/core/table/metadata-row';
import { isWhomList, WHOM_LIST } from '@joblens/core/schema/share-point';
import { MAX_OWN_SIGNALS } from '@joblens/core/signals/own-patterns';
import { type LogMode, MODES } from './log-modes.js';
import { REPRODUCE_LEVELS, type ReproduceLevel } from './reproduce.js';
import { KINDS_TEXT, parseMetadataKinds } from './parse-metadata-kinds.js';

/** A notice names this many keys. */
const MAX_PLACES = 5;
const NONFINITE = ['log', 'metadata'] as const;

/** The options that the opt-in file, the command line and commands in the output can set (docs/logging-rules.md). */
export interface LogConfig {
  readonly mode: LogMode;
  readonly nonfinite: NonfiniteOption;
  /** The kinds of lines that count as metadata, tried in order. */
  readonly metadata: readonly MetadataKind[];
  /** The user's own signals, as written: JobSignals reads them, and leaves out what is not valid. */
  readonly signals?: readonly unknown[];
  /** How much of what the run was is kept. Commands may only lower it. */
  readonly reproduce?: ReproduceLevel;
  /** Who else may see the job behind a gateway: users, and `group:NAME`. In a command it is a fact. */
  readonly share?: readonly string[];
}

export const DEFAULT_LOG_CONFIG: LogConfig = { mode: 'enabled', nonfinite: 'log', metadata: DEFAULT_METADATA_KINDS };

/** A fault in options. `option` and `value` are as somebody wrote them, and may be a secret. */
export type LogOptionError =
  | { readonly kind: 'not-a-mapping' }
  /** `meant`: the known name that somebody most likely meant. */
  | { readonly kind: 'misspelt-option'; readonly option: string; readonly meant: string }
  | { readonly kind: 'wrong-value'; readonly option: keyof LogConfig; readonly value: unknown }
  /** `item`: which one of the list, from 0. `message` quotes nothing. */
  | {
      readonly kind: 'wrong-kind';
      readonly option: 'metadata';
      readonly item: number | undefined;
      readonly message: string;
    };

const CHOICES = { mode: MODES, nonfinite: NONFINITE, reproduce: REPRODUCE_LEVELS } as const;
const ALLOWED: Readonly<Record<keyof LogConfig, string>> = {
  mode: MODES.join(', '),
  nonfinite: NONFINITE.join(', '),
  metadata: KINDS_TEXT,
  signals: `a list of at most ${MAX_OWN_SIGNALS} signals`,
  reproduce: REPRODUCE_LEVELS.join(', '),
  share: WHOM_LIST,
};
const ALLOWED_TEXT = Object.entries(ALLOWED)
  .map(([option, values]) => `${option} (${values})`)
  .join(', ');

export interface ParsedOptions {
  readonly options: Partial<LogConfig>;
  /** The keys of another version, which count for nothing: as somebody wrote them, so they may be a secret. */
  readonly ignored: readonly string[];
}

/**
 * Reads options of the opt-in file or of a command. A key that is no misspelling of a known one, or of one of the
 * `others` that may stand beside them, is that of another version.
 */
export function parseLogOptions(value: unknown, others: readonly string[] = []): Result<ParsedOptions, LogOptionError> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err({ kind: 'not-a-mapping' });
  let options: Partial<LogConfig> = {};
  const ignored: string[] = [];
  for (const [option, found] of Object.entries(value as Record<string, unknown>)) {
    if (!isOption(option)) {
      const meant = findMeant(option, others);
      if (meant !== undefined) return err({ kind: 'misspelt-option', option, meant });
      ignored.push(option);
    } else if (option === 'metadata') {
      const kinds = parseMetadataKinds(found);
      if (!kinds.ok) return err({ kind: 'wrong-kind', option, ...kinds.error });
      options = { ...options, metadata: kinds.value };
    } else if (!isAllowed(option, found)) {
      return err({ kind: 'wrong-value', option, value: found });
    } else {
      options = { ...options, [option]: found };
    }
  }
  return ok({ options, ignored });
}

/** Words by which somebody may ask for a mode: nothing may be logged because one of them was not understood. */
const MODE_WORDS: ReadonlySet<string> = new Set(['mode', 'enabled', 'disabled', 'enable', 'disable']);

function findMeant(key: string, others: readonly string[]): string | undefined {
  const words = key.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => MODE_WORDS.has(word)) ? 'mode' : findNearest(key, [...Object.keys(ALLOWED), ...others]);
}

function isAllowed(option: Exclude<keyof LogConfig, 'metadata'>, value: unknown): boolean {
  if (option === 'signals') return Array.isArray(value) && value.length <= MAX_OWN_SIGNALS;
  if (option === 'share') return isWhomList(value);
  return (CHOICES[option] as readonly unknown[]).includes(value);
}

export function isOption(name: string): name is keyof LogConfig {
  return Object.hasOwn(ALLOWED, name);
}

/** Lists the values that are allowed in place of a wrong one. */
export function listAllowed(error: LogOptionError): string {
  if (error.kind !== 'wrong-value') return `allowed are ${ALLOWED_TEXT}`;
  const verb = ALLOWED[error.option].startsWith('a list') ? 'is' : 'are';
  return `allowed ${verb} ${ALLOWED[error.option]}`;
}

/** Names the item of a list that is wrong, and the fault. */
export function explainWrongKind({ item, message }: Extract<LogOptionError, { kind: 'wrong-kind' }>): string {
  return item === undefined ? message : `item ${item + 1}: ${message}`;
}

/** The places of keys in a sentence: the first few of them. */
export function listPlaces(places: readonly (number | string)[]): string {
  const more = places.length - MAX_PLACES;
  return `${places.slice(0, MAX_PLACES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
