import { err, ok, type Result } from '@joblens/core/result/result';
import { findTooDeep, MAX_JSON_DEPTH, parseJson } from '@joblens/core/json/bounded-json';
import { type CommandFacts, FACT_NAMES, parseCommandFacts } from './command-facts.js';
import { findJsonPlaces } from './json-places.js';
import {
  explainWrongKind,
  isOption,
  listAllowed,
  listPlaces,
  type LogConfig,
  type LogOptionError,
  parseLogOptions,
} from '../options/log-config.js';

/**
 * The meaning of one line of output as a command. A message says what is wrong and where. It quotes nothing, as the
 * text may be a secret.
 */
export type LogCommand =
  | { readonly kind: 'none' }
  /** Looks like a command and is none: an ordinary line, followed by a notice. */
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'command'; readonly order: Result<CommandOrder, string> };

/** What a command asks for. */
export interface CommandOrder {
  readonly options: Partial<LogConfig>;
  readonly facts: CommandFacts;
  /** Says what of it is that of another version, and was ignored. */
  readonly ignored?: string;
}

export const COMMAND_WORD = '/LOGCOMMAND';

const NO_COMMAND: LogCommand = { kind: 'none' };

/** On a console, a tab behind the word reaches to column 16, and lines come here as a console shows them. */
const SHOWN_TAB = ' '.repeat(16 - COMMAND_WORD.length);

/**
 * A command is a line that is exactly `/LOGCOMMAND`, one whitespace character and a JSON object
 * (docs/logging-rules.md).
 */
export function parseLogCommand(line: string): LogCommand {
  if (!line.startsWith(COMMAND_WORD)) return NO_COMMAND;
  const tail = line.slice(COMMAND_WORD.length);
  if (!/^\s/.test(tail)) return NO_COMMAND;
  const rest = tail.startsWith(`${SHOWN_TAB}{`) ? tail.slice(SHOWN_TAB.length) : tail.slice(1);
  if (!rest.startsWith('{') || !rest.endsWith('}')) {
    return { kind: 'malformed', message: 'after the word and one space there must be a JSON object and nothing else' };
  }
  const startColumn = line.length - rest.length + 1;
  const parsed = parseJson(rest);
  if (parsed.ok) return { kind: 'command', order: parseOrder(parsed.value, rest, startColumn) };
  if (parsed.error === 'invalid') return { kind: 'malformed', message: explainJsonFault(rest, startColumn) };
  const column = startColumn + (findTooDeep(rest) ?? 0);
  const message = `at character ${column} it is nested more than ${MAX_JSON_DEPTH} levels deep`;
  return { kind: 'malformed', message };
}

function parseOrder(value: unknown, text: string, startColumn: number): Result<CommandOrder, string> {
  // Behind the word is an object.
  const members = Object.entries(value as Record<string, unknown>);
  const isFact = ([name]: readonly [string, unknown]): boolean => (FACT_NAMES as readonly string[]).includes(name);
  const facts = parseCommandFacts(Object.fromEntries(members.filter(isFact)), text);
  if (!facts.ok) {
    const { fact, message } = facts.error;
    const { value: at = 0 } = findJsonPlaces(text).members.get(fact) ?? {};
    return err(`${fact} is not valid at character ${startColumn + at}: ${message}`);
  }
  const parsed = parseLogOptions(Object.fromEntries(members.filter((member) => !isFact(member))), FACT_NAMES);
  if (!parsed.ok) return err(explainOptionError(parsed.error, text, startColumn));
  const { options, ignored } = parsed.value;
  const order = { options, facts: facts.value };
  return ok(ignored.length === 0 ? order : { ...order, ignored: explainIgnored(ignored, text, startColumn) });
}

function explainIgnored(keys: readonly string[], text: string, startColumn: number): string {
  const { members } = findJsonPlaces(text);
  const places = keys.map((key) => startColumn + (members.get(key)?.key ?? 0));
  return `this version does not know, and ignores, the option at character ${listPlaces(places)}`;
}

function explainJsonFault(text: string, startColumn: number): string {
  const { fault = 0 } = findJsonPlaces(text);
  return `the JSON object is not valid from character ${startColumn + fault} on`;
}

function explainOptionError(error: LogOptionError, text: string, startColumn: number): string {
  const allowed = listAllowed(error);
  if (error.kind === 'not-a-mapping') return `it is not a mapping of options; ${allowed}`;
  const { key, value } = findJsonPlaces(text).members.get(error.option) ?? { key: 0, value: 0 };
  const place = `at character ${startColumn + (error.kind === 'misspelt-option' ? key : value)}`;
  if (error.kind === 'wrong-kind') return `option ${error.option} is not valid ${place}: ${explainWrongKind(error)}`;
  if (error.kind === 'misspelt-option') {
    return `unknown option ${place}; is ${error.meant} meant? ${allowed}, ${FACT_NAMES.filter((name) => !isOption(name)).join(', ')}`;
  }
  return `option ${error.option} has a value ${place} that is not allowed; ${allowed}`;
}
