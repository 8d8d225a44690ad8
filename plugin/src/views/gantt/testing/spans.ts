import { toDataFrame } from '@grafana/data';
import fc from 'fast-check';
import type { Span, SpanFold } from '../model/spans.js';

const FRAME = toDataFrame({ fields: [] });

export type SpanInput = Partial<Omit<Span, 'frame' | 'row'>>;

/** A span of a millisecond at the epoch, but for what is said. */
export function createSpan(input: SpanInput = {}): Span {
  const { startMs = 0, name = '', category = '', worker = '', job = '', nameAt = 0, fold } = input;
  const endMs = input.endMs ?? startMs + 1;
  return { name, category, worker, job, startMs, endMs, nameAt, frame: FRAME, row: 0, ...(fold && { fold }) };
}

const ODD_NAMES = ['', '-', 'a.b', '(x y)', 'worker-10', 'worker-9', '"q"', "it's", '\\', 'ä'];

interface Shape {
  /** The most milliseconds that a span begins and lasts. */
  readonly maxMs: number;
  readonly hasOpen: boolean;
}

/** Spans in any order, with ties, spans without length, spans within spans, open ones, and odd names. */
export function arbitrarySpans({ maxMs, hasOpen }: Shape): fc.Arbitrary<Span[]> {
  const time = fc.oneof(fc.nat(maxMs), fc.double({ min: 0, max: maxMs, noNaN: true }));
  const name = fc.constantFrom(...ODD_NAMES);
  const length = hasOpen ? fc.oneof({ weight: 6, arbitrary: time }, fc.constant(Infinity)) : time;
  const span = fc.record({ startMs: time, length, name, category: name, worker: name });
  return fc.array(
    span.map(({ length: lengthMs, ...rest }) => createSpan({ ...rest, endMs: rest.startMs + lengthMs })),
    { maxLength: 60 }
  );
}

export function createFold(fold: Partial<SpanFold>): SpanFold {
  return { busy: 1, running: 1, count: 1, ...fold };
}
