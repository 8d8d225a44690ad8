import type { JsonValue, Result } from '@joblens/core';
import { MAX_STRING_BYTES, SIGNAL_TOPIC, STATE_TOPIC, err, ok } from '@joblens/core';

/** What a command in the output tells of its job, besides options. */
export interface CommandFacts {
  /** Something that has happened. */
  readonly event?: LoggedEvent;
  /** Added to the job's tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The job's own description, in place of an earlier one. */
  readonly config?: JsonValue;
}

export interface LoggedEvent {
  readonly topic: string;
  readonly data: JsonValue;
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

/** Reads the facts among the members of a command. */
export function parseCommandFacts(command: Readonly<Record<string, unknown>>): Result<CommandFacts, FactError> {
  for (const fact of FACT_NAMES) {
    const message = Object.hasOwn(command, fact) ? FIND_FAULT[fact](command[fact]) : undefined;
    if (message !== undefined) return err({ fact, message });
  }
  const { event, tags, config } = command as CommandFacts;
  return ok({
    ...(Object.hasOwn(command, 'event') && event && { event: { topic: event.topic, data: event.data ?? {} } }),
    ...(Object.hasOwn(command, 'tags') && tags && { tags }),
    ...(Object.hasOwn(command, 'config') && config !== undefined && { config }),
  });
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
  return value !== undefined && Buffer.byteLength(JSON.stringify(value)) > MAX_STRING_BYTES;
}
