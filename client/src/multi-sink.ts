import type { LogEvent } from './log-event.js';
import type { KeepingSink } from './sinks.js';

/** Makes one element of an event. Undefined: the event says nothing about it. It may keep a state of its own. */
export type Consumer<Element = unknown> = (event: LogEvent) => Element | undefined;

/** The elements of each consumer by its name: at one place are those of one event. */
export type Streams = Map<string, unknown[]>;

/** Runs behind all consumers, over the full streams. It may remove the same places from all. */
export interface Aggregator {
  afterEvent(streams: Streams): void;
}

export interface MultiOptions {
  readonly consumers?: Readonly<Record<string, Consumer>>;
  readonly aggregators?: readonly Aggregator[];
}

export type MultiLogs = Readonly<Record<string, readonly unknown[]>>;

/** A sink of many streams: one of each consumer. */
export interface MultiSink extends KeepingSink<MultiLogs> {
  /** One that comes late gets undefined for each event before. */
  addConsumer(name: string, consumer: Consumer): void;
}

/** Each event adds exactly one element to every stream: undefined where the consumer fails or has nothing to say. */
export function multi({ consumers = {}, aggregators = [] }: MultiOptions = {}): MultiSink {
  const streams: Streams = new Map();
  const parts: { readonly consume: Consumer; readonly name: string }[] = [];
  const add = (name: string, consume: Consumer): void => {
    const known = parts.findIndex((part) => part.name === name);
    if (known >= 0) {
      parts[known] = { name, consume };
      return;
    }
    const length = streams.values().next().value?.length ?? 0;
    streams.set(name, new Array<unknown>(length).fill(undefined));
    parts.push({ name, consume });
  };
  for (const [name, consume] of Object.entries(consumers)) add(name, consume);
  return {
    addConsumer: add,
    write(event) {
      for (const { name, consume } of parts) streams.get(name)?.push(consumeSafely(consume, event));
      for (const aggregator of aggregators) runSafely(aggregator, streams);
    },
    getLogs() {
      const taken = [...streams];
      for (const { name } of parts) streams.set(name, []);
      return Object.fromEntries(taken);
    },
  };
}

function consumeSafely(consume: Consumer, event: LogEvent): unknown {
  try {
    return consume(event);
  } catch {
    return undefined;
  }
}

function runSafely(aggregator: Aggregator, streams: Streams): void {
  try {
    aggregator.afterEvent(streams);
  } catch {
    // The next event finds it again.
  }
}
