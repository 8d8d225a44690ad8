import type { JsonValue, LogEvent } from './log-event.js';

/** Takes each event as it happens. */
export interface Sink {
  write(event: LogEvent): void;
}

/** A sink that keeps what it takes. */
export interface KeepingSink<Logs> extends Sink {
  /** Hands over all that there is, and forgets it. */
  getLogs(): Logs;
}

/** A context begins with it: a call costs next to nothing. */
export const NO_OP: Sink = {
  write() {
    // Nothing is logged.
  },
};

/** The sink that takes nothing. */
export function noOp(): Sink {
  return NO_OP;
}

/** Keeps events in memory, in their order. */
export function memory(): KeepingSink<LogEvent[]> {
  let events: LogEvent[] = [];
  return {
    write: (event) => void events.push(event),
    getLogs() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

const MS_PER_S = 1000;

/**
 * Prints each event as a line of the program's output, which Joblens reads there: spans and events as commands, and a
 * metric as a row of metadata. `print` gets lines without their newline.
 */
export function lines(print: (line: string) => void): Sink {
  return { write: (event) => print(formatLine(event)) };
}

function formatLine(event: LogEvent): string {
  try {
    return formatExactly(event);
  } catch {
    // JSON has no form for a cycle or a bigint, which a cast lets in.
    return formatExactly({ ...event, data: null });
  }
}

function formatExactly({ kind, category, id, name, timeMs, worker, data }: LogEvent): string {
  if (kind === 'metric') return JSON.stringify({ [name]: data ?? null });
  const time = timeMs / MS_PER_S;
  if (kind === 'event') return formatCommand({ event: { topic: category, time, ...(data !== undefined && { data }) } });
  const span = { id, name, category, ...(worker !== '' && { worker }), [kind]: time };
  return formatCommand({ span: { ...span, ...(data !== undefined && { data }) } });
}

function formatCommand(command: { readonly [key: string]: JsonValue }): string {
  return `/LOGCOMMAND ${JSON.stringify(command)}`;
}
