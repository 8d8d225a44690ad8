import type { DataFrame } from '@grafana/data';
import type { Observable } from 'rxjs';
import { readFieldByName } from '../../../frames/field-values.js';
import { LINE_COUNT_FIELD, LOG_FIELDS, type StreamChoice } from '../../../frames/log-fields.js';
import type { LogSlice } from '../../../query-types/logs/logs.js';
import type { Ask } from '../../view.js';
import { createLogModel, type PanelLogLine } from './log-model.js';
import { countInSteps, readInSteps } from './log-search-steps.js';
import { createSteps, type StepClock } from './log-steps.js';
import type { SliceBounds, SliceRequest, StepListener } from './log-slices.js';
import type { LogSlicePage } from './log-window.js';

/** Which lines of the job's log a view shows. */
export interface LogChoice {
  /** Undefined: those that the panel's own query has. */
  readonly stream: StreamChoice | undefined;
  /** Regular expressions (RE2) that each line must match. */
  readonly patterns: readonly string[];
}

/** The whole log behind the loaded lines. Rejects with an Error whose message says why. */
export interface LogSource {
  read(slice: SliceRequest, signal?: AbortSignal, onStep?: StepListener): Promise<LogSlicePage>;
  /** The lines at these times and so many on each side of them, oldest first; what is in between may be missing. */
  readAround(timesNs: readonly string[], lines: number, signal?: AbortSignal): Promise<readonly PanelLogLine[]>;
  /** Exact number of lines. */
  count(bounds: SliceBounds, signal?: AbortSignal): Promise<number>;
  /** Set if lines have to match, so that reading them may take long: it goes in steps. */
  readonly isSearch?: true;
}

const PAGE_CLOCK: StepClock = {
  // Where nobody says the range, all times: steps that find no line are quick, and the next ones longer.
  readRange: () => ({ fromNs: 0n, toNs: BigInt(Number.MAX_SAFE_INTEGER) * 1000n }),
  monotonicMs: () => performance.now(),
};

/**
 * Asks the panel's own queries for slices of the log. `getAsk` gives the newest way to ask, `readRange` the range that
 * it asks in.
 */
export function createLogSource(
  getAsk: () => Ask | undefined,
  { stream, patterns: all }: LogChoice,
  readRange: StepClock['readRange'] = PAGE_CLOCK.readRange
): LogSource {
  const steps = createSteps({ ...PAGE_CLOCK, readRange });
  const askOnce = (slice: LogSlice, limit: number | undefined, signal?: AbortSignal): Promise<readonly DataFrame[]> => {
    const ask = getAsk();
    if (ask === undefined) return Promise.reject(new Error('This panel cannot ask for more lines.'));
    const patterns = [...all, ...(slice.patterns ?? [])];
    const query = { slice: { ...slice, patterns }, ...(stream && { stream }), ...(limit && { limit }) };
    return readLast(ask({ query }), signal);
  };
  const readOnce = async ({ limit, enough: _, ...slice }: SliceRequest, signal?: AbortSignal): Promise<LogSlicePage> =>
    readPage(await askOnce(slice, limit, signal), slice.want);
  const countOnce = async (bounds: SliceBounds, signal?: AbortSignal): Promise<number> => {
    const frames = await askOnce({ want: 'count', ...bounds }, undefined, signal);
    return frames.reduce((sum, frame) => sum + Number(readFieldByName(frame, LINE_COUNT_FIELD)?.[0] ?? 0), 0);
  };
  const isSearch = ({ patterns = [] }: SliceBounds): boolean => all.length + patterns.length > 0;
  return {
    ...(all.length > 0 && { isSearch: true }),
    read: (slice, signal, onStep) =>
      isSearch(slice) ? readInSteps(steps, readOnce, slice, { signal, onStep }) : readOnce(slice, signal),
    readAround: async (timesNs, lines, signal) =>
      createLogModel(await askOnce({ want: 'around', timesNs }, lines, signal)).lines,
    count: (bounds, signal) =>
      isSearch(bounds) ? countInSteps(steps, countOnce, bounds, signal) : countOnce(bounds, signal),
  };
}

/** Which streams the panel's own queries have lines of. Rejects with an Error whose message says why. */
export async function readStreams(ask: Ask, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const frames = await readLast(ask({ query: { slice: { want: 'streams' } satisfies LogSlice } }), signal);
  return new Set(frames.flatMap((frame) => (readFieldByName(frame, LOG_FIELDS.stream) ?? []) as string[]));
}

function readPage(frames: readonly DataFrame[], want: 'asc' | 'desc'): LogSlicePage {
  const { lines, isLimited } = createLogModel(frames, want);
  return { lines, hasMore: isLimited };
}

/** The last emission; unsubscribes when the signal is aborted. */
function readLast<T>(answers: Observable<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let last: { readonly value: T } | undefined;
    const subscription = answers.subscribe({
      next: (value) => {
        last = { value };
      },
      error: reject,
      complete: () => {
        if (last === undefined) reject(new Error('The data source gave no answer.'));
        else resolve(last.value);
      },
    });
    const abort = (): void => {
      subscription.unsubscribe();
      reject(new DOMException('The request was cancelled.', 'AbortError'));
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
