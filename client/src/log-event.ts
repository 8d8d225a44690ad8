/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A start and a finish are the halves of a span: category and id pair them. */
export type EventKind = 'start' | 'finish' | 'event' | 'metric';

/** Something that a program tells of itself, as every sink gets it. */
export interface LogEvent {
  readonly kind: EventKind;
  /** The topic, where it is an event. */
  readonly category: string;
  readonly id: string;
  readonly name: string;
  /** Since the epoch; fractions count. */
  readonly timeMs: number;
  /** Who did it: a process, a thread, a node. Empty: the program is one. */
  readonly worker: string;
  /** The value, where it is a metric. */
  readonly data?: JsonValue | undefined;
}
