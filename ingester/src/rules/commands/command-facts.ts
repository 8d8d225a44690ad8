import { isObject } from '@joblens/core/json/is-object';
import { TRANSITIONS_TOPIC } from '@joblens/core/ask/events/story';
import { formatPrintedJson, type PrintedValue, readPrintedJson } from '@joblens/core/json/printed-json';
import { err, ok, type Result } from '@joblens/core/result/result';
import { type JsonValue, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { MAX_STRING_BYTES } from '@joblens/core/schema/log-point';
import { isWhomList, WHOM_LIST } from '@joblens/core/schema/share-point';
import { SIGNAL_TOPIC } from '@joblens/core/signals/signal-fold';
import { findSpanFault, type LoggedSpan, readSpan } from './logged-span.js';
import { readPrintedTime, TIME_FORMS } from './printed-time.js';

/** What a command in the output tells of its job, besides options. */
export interface CommandFacts {
  /** Something that has happened. */
  readonly event?: LoggedEvent;
  /** Added to the job's tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The job's own description, in place of an earlier one: as JSON with each number as it was printed. */
  readonly config?: string;
  /** Something that the job did for a while. */
  readonly span?: LoggedSpan;
  /** Who else may see the job behind a gateway, too: users, and `group:NAME`. */
  readonly share?: readonly string[];
}

export interface LoggedEvent {
  readonly topic: string;
  readonly data: JsonValue;
  /** The data as JSON with each number as it was printed. */
  readonly json?: string;
  /** Its own time. */
  readonly timeNs?: bigint;
  /** The time that its data tells: it counts if the job lived then. */
  readonly dataNs?: bigint;
}

export type FactName = keyof CommandFacts;

/** A fault in one of the facts. `message` quotes nothing. */
export interface FactError {
  readonly fact: FactName;
  readonly message: string;
}

export const FACT_NAMES: readonly FactName[] = ['event', 'tags', 'config', 'span', 'share'];

/** Topics that Joblens itself writes. */
const OWN_TOPICS: ReadonlySet<string> = new Set([STATE_TOPIC, SIGNAL_TOPIC]);
const EVENT_PARTS: ReadonlySet<string> = new Set(['topic', 'time', 'data']);
const MAX_TOPIC_CHARS = 200;
/** Old versions of Dask leave the id of the stimulus out. */
const SHORTEST_TRANSITION = 5;
const TOO_LONG = `as JSON, it must have at most ${MAX_STRING_BYTES} bytes`;
const DATA_TOO_LONG = `its data is too long: ${TOO_LONG}`;

/** Reads the facts among the members of a command, whose JSON is `text`. */
export function parseCommandFacts(
  command: Readonly<Record<string, unknown>>,
  text: string
): Result<CommandFacts, FactError> {
  for (const fact of FACT_NAMES) {
    const message = Object.hasOwn(command, fact) ? FIND_FAULT[fact](command[fact]) : undefined;
    if (message !== undefined) return err({ fact, message });
  }
  const facts: { -readonly [Fact in FactName]?: CommandFacts[Fact] } = {};
  for (const fact of FACT_NAMES.filter((name) => Object.hasOwn(command, name))) {
    Object.assign(facts, { [fact]: READ_FACT[fact](command[fact], text) });
  }
  // As printed, a number may have any number of digits.
  for (const fact of ['event', 'span'] as const) {
    if (isLong(facts[fact]?.json)) return err({ fact, message: DATA_TOO_LONG });
  }
  if (isLong(facts.config)) return err({ fact: 'config', message: TOO_LONG });
  return ok(facts);
}

/** Each reads a value in which no fault was found. */
const READ_FACT: { readonly [Fact in FactName]: (value: unknown, text: string) => CommandFacts[Fact] } = {
  event: (value, text) => readEvent(value as PrintedEvent, text),
  tags: (value) => value as CommandFacts['tags'],
  config: (_value, text) => findPrinted(text, 'config'),
  span: (value, text) => readSpan(value as Readonly<Record<string, unknown>>, findPrinted(text, 'span', 'data')),
  share: (value) => value as CommandFacts['share'],
};

interface PrintedEvent {
  readonly topic: string;
  readonly data?: JsonValue;
  readonly time?: number | string;
}

function readEvent({ topic, data = {}, time }: PrintedEvent, text: string): LoggedEvent {
  const json = findPrinted(text, 'event', 'data');
  const timeNs = readPrintedTime(time);
  const dataNs = topic === TRANSITIONS_TOPIC ? readTransitionTime(data) : undefined;
  return {
    ...{ topic, data },
    ...(json !== undefined && { json }),
    ...(timeNs !== undefined && { timeNs }),
    ...(dataNs !== undefined && { dataNs }),
  };
}

/** The time of a transition as Dask lists it: `[key, start, finish, recommendations, stimulus_id, time]`. */
function readTransitionTime(data: JsonValue): bigint | undefined {
  return Array.isArray(data) && data.length >= SHORTEST_TRANSITION ? readPrintedTime(data.at(-1)) : undefined;
}

/** A part of some JSON, as JSON with each number as it was printed. */
function findPrinted(text: string, ...path: readonly string[]): string | undefined {
  let found: PrintedValue | undefined = readPrintedJson(text);
  for (const key of path) found = found instanceof Map ? (found.get(key) as PrintedValue | undefined) : undefined;
  return found === undefined ? undefined : formatPrintedJson(found);
}

const FIND_FAULT: Readonly<Record<FactName, (value: unknown) => string | undefined>> = {
  event(value) {
    if (!isObject(value) || Object.keys(value).some((key) => !EVENT_PARTS.has(key))) {
      return 'it must be {"topic": …, "time": …, "data": …}';
    }
    const { topic, time, data } = value;
    if (typeof topic !== 'string' || topic === '' || topic.length > MAX_TOPIC_CHARS) {
      return `its topic must be a text of 1 to ${MAX_TOPIC_CHARS} characters`;
    }
    if (OWN_TOPICS.has(topic)) return `the topics ${[...OWN_TOPICS].join(' and ')} are written by Joblens alone`;
    if (time !== undefined && readPrintedTime(time) === undefined) return `its time must be ${TIME_FORMS}`;
    return isTooLong(data) ? DATA_TOO_LONG : undefined;
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
  span(value) {
    if (!isObject(value)) return 'it must be an object';
    return findSpanFault(value) ?? (isTooLong(value['data']) ? DATA_TOO_LONG : undefined);
  },
  share: (value) => (isWhomList(value) ? undefined : `it must be ${WHOM_LIST}`),
};

function isTooLong(value: unknown): boolean {
  return value !== undefined && isLong(JSON.stringify(value));
}

function isLong(json = ''): boolean {
  return Buffer.byteLength(json) > MAX_STRING_BYTES;
}
