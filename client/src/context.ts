import type { EventKind, JsonValue, LogEvent } from './log-event.js';
import { type MultiOptions, multi, type MultiSink } from './multi-sink.js';
import { NO_OP, type Sink } from './sinks.js';
import { core, id } from './consumers.js';

/** The category of spans that name none. */
const DEFAULT_CATEGORY = 'compute';

export interface ContextOptions {
  /** The clock: milliseconds since the epoch, as `Date.now` or `performance.timeOrigin + performance.now()` give. */
  readonly now: () => number;
  /** Tells its spans from those of other processes that log the same job. */
  readonly worker?: string;
}

export interface SpanOptions {
  readonly category?: string;
  readonly data?: JsonValue;
}

/** Where a program logs to. It logs nothing until enableLogging has given it a sink. */
export class Context {
  readonly worker: string;
  readonly #now: () => number;
  #sink: Sink = NO_OP;
  #count = 0;

  constructor({ now, worker = '' }: ContextOptions) {
    this.#now = now;
    this.worker = worker;
  }

  /** Where its events go now. */
  get sink(): Sink {
    return this.#sink;
  }

  set sink(sink: Sink) {
    this.#sink = sink;
  }

  /** Runs the function as a span, which ends when it returns or throws, or when its promise is settled. */
  withSpan<T>(name: string, run: () => T, options: SpanOptions = NO_OPTIONS): T {
    if (this.#sink === NO_OP) return run();
    const finish = this.startSpan(name, options);
    let result: T;
    try {
      result = run();
    } catch (error) {
      finish(FAILED);
      throw error;
    }
    if (!isThenable(result)) {
      finish();
      return result;
    }
    // What comes back is settled as the program's own promise, so that an error that nobody catches is still told.
    const settled = result.then(
      (value) => {
        finish();
        return value;
      },
      (error: unknown) => {
        finish(FAILED);
        throw error;
      }
    );
    return settled as T;
  }

  /** The start of a span whose end no function is: returns what ends it. */
  startSpan(name: string, { category = DEFAULT_CATEGORY, data }: SpanOptions = NO_OPTIONS): (data?: JsonValue) => void {
    const sink = this.#sink;
    if (sink === NO_OP) return doNothing;
    const spanId = this.#nextId();
    write(sink, this.#create('start', category, spanId, name, data));
    return (atEnd = data) => write(sink, this.#create('finish', category, spanId, name, atEnd));
  }

  /** Something that happened: a topic, and what there is to say. */
  event(topic: string, data?: JsonValue): void {
    if (this.#sink !== NO_OP) write(this.#sink, this.#create('event', topic, this.#nextId(), topic, data));
  }

  /** A number that may change: a row of a table, and a curve. */
  metric(name: string, value: number): void {
    if (this.#sink !== NO_OP) write(this.#sink, this.#create('metric', 'metric', this.#nextId(), name, value));
  }

  #nextId(): string {
    this.#count += 1;
    return this.worker === '' ? String(this.#count) : `${this.worker}:${this.#count}`;
  }

  #create(kind: EventKind, category: string, ownId: string, name: string, data: JsonValue | undefined): LogEvent {
    return { kind, category, id: ownId, name, timeMs: this.#now(), worker: this.worker, data };
  }
}

const NO_OPTIONS: SpanOptions = {};
const FAILED: JsonValue = { failed: true };

function doNothing(): void {
  // Nothing is logged.
}

/** A fault of a sink costs the event, and never the program. */
function write(sink: Sink, event: LogEvent): void {
  try {
    sink.write(event);
  } catch {
    // Whoever wants to know wraps the sink.
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Where to log to: any sink, or consumers and aggregators for a sink of many streams. */
type LoggingOptions<Own extends Sink> = { readonly sink: Own } | MultiOptions;

/** Begins to log. Without a sink, it is a sink of many streams, which has `core` and `id` always. Returns the sink. */
export function enableLogging<Own extends Sink>(context: Context, options: { readonly sink: Own }): Own;
export function enableLogging(context: Context, options?: MultiOptions): MultiSink;
export function enableLogging<Own extends Sink>(context: Context, options: LoggingOptions<Own> = {}): Sink {
  const sink = 'sink' in options ? options.sink : multi({ ...options, consumers: { core, id, ...options.consumers } });
  context.sink = sink;
  return sink;
}

/** Logs nothing more. What the sink has stays in it. */
export function disableLogging(context: Context): void {
  context.sink = NO_OP;
}
