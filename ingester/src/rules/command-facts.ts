import { formatPrintedJson, type PrintedValue, readPrintedJson } from '@joblens/core/json/printed-json';
import { err, ok, type Result } from '@joblens/core/result/result';
import { type JsonValue, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { MAX_STRING_BYTES } from '@joblens/core/schema/log-point';
import { SIGNAL_TOPIC } from '@joblens/core/signals/signal-fold';

/** What a command in the output tells of its job, besides options. */
export interface CommandFacts {
  /** Something that has happened. */
  readonly event?: LoggedEvent;
  /** Added to the job's tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The job's own description, in place of an earlier one: as JSON with each number as it was printed. */
  readonly config?: string;
}

export interface LoggedEvent {
  readonly topic: string;
  readonly data: JsonValue;
  /** The data as JSON with each number as it was printed. */
  readonly json?: string;
}

export type FactName = keyof CommandFacts;

/** A fault in one of the facts. `message` quotes nothing. */
export interface FactError {
  readonly fact: FactName;
  readonly message: string;
}

export const FACT_NAMES: readonly FactName[] = ['event', 'tags', 'config'];

/** Topics that Joblens itself writes. */
const OWN_TOPICS: ReadonlySet<string> = new Set([STATE_TOPIC, SIGNAL_TOPIC]);
const MAX_TOPIC_CHARS = 200;
const TOO_LONG = `as JSON, it must have at most ${MAX_STRING_BYTES} bytes`;

/** Reads the facts among the members of a command, whose JSON is `text`. */
export function parseCommandFacts(
  command: Readonly<Record<string, unknown>>,
  text: string
): Result<CommandFacts, FactError> {
  for (const fact of FACT_NAMES) {
    const message = Object.hasOwn(command, fact) ? FIND_FAULT[fact](command[fact]) : undefined;
    if (message !== undefined) return err({ fact, message });
  }
  const { event: found, tags } = command as Pick<CommandFacts, 'event' | 'tags'>;
  const event = Object.hasOwn(command, 'event') && found ? readEvent(found, text) : undefined;
  const config = Object.hasOwn(command, 'config') ? findPrinted(text, 'config') : undefined;
  // As printed, a number may have any number of digits.
  if (isLong(event?.json)) return err({ fact: 'event', message: `its data is too long: ${TOO_LONG}` });
  if (isLong(config)) return err({ fact: 'config', message: TOO_LONG });
  return ok({
    ...(event && { event }),
    ...(Object.hasOwn(command, 'tags') && tags && { tags }),
    ...(config !== undefined && { config }),
  });
}

function readEvent({ topic, data = {} }: { topic: string; data?: JsonValue }, text: string): LoggedEvent {
  const json = findPrinted(text, 'event', 'data');
  return { topic, data, ...(json !== undefined && { json }) };
}

/** A part of some JSON, as JSON with each number as it was printed. */
function findPrinted(text: string, ...path: readonly string[]): string | undefined {
  let found: PrintedValue | undefined = readPrintedJson(text);
  for (const key of path) found = found instanceof Map ? (found.get(key) as PrintedValue | undefined) : undefined;
  return found === undefined ? undefined : formatPrintedJson(found);
}

const FIND_FAULT: Readonly<Record<FactName, (value: unknown) => string | undefined>> = {
  event(value) {
    if (!isObject(value) || Object.keys(value).some((key) => key !== 'topic' && key !== 'data')) {
      return 'it must be {"topic": …, "data": …}';
    }
    const { topic, data } = value;
    if (typeof topic !== 'string' || topic === '' || topic.length > MAX_TOPIC_CHARS) {
      return `its topic must be a text of 1 to ${MAX_TOPIC_CHARS} characters`;
    }
    if (OWN_TOPICS.has(topic)) return `the topics ${[...OWN_TOPICS].join(' and ')} are written by Joblens alone`;
    return isTooLong(data) ? `its data is too long: ${TOO_LONG}` : undefined;
  },
  tags(value) {
    if (!isObject(value) || !Object.values(value).every((tag) => typeof tag === 'string')) {
      return 'it must be an object of texts';
    }
    return isTooLong(value) ? TOO_LONG : undefined;
  },
  config(value) {
    if (!isObject(value)) return 'it must be an object';
    return isTooLong(value) ? TOO_LONG : undefined;
  },
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTooLong(value: unknown): boolean {
  return value !== undefined && isLong(JSON.stringify(value));
}

function isLong(json = ''): boolean {
  return Buffer.byteLength(json) > MAX_STRING_BYTES;
}
