import { NS_PER_S } from '@joblens/core/numbers/time-units';
import type { SliceBounds } from './log-slices.js';

/** The range of the panel, both ends inclusive. */
export interface StepRange {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface StepClock {
  readonly readRange: () => StepRange;
  readonly monotonicMs: () => number;
}

/** One step of a search. */
export interface Step {
  /** What is nearer has been looked through; this instant has not. */
  readonly reachedNs: bigint;
  readonly isLast: boolean;
}

interface Walk<T> {
  readonly want: 'asc' | 'desc';
  readonly bounds: SliceBounds;
  readonly ask: (bounds: SliceBounds, signal: AbortSignal) => Promise<T>;
  /** Returns the instant to go on beyond, which may be nearer than the step's; undefined: enough. */
  readonly visit: (answer: T, step: Step) => bigint | undefined;
  /** Told where a step has begun that takes long. */
  readonly onSlow?: ((reachedNs: bigint) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Steps {
  /** Asks for one part of the time after the other. Rejects as `ask` does, and when the signal is aborted. */
  walk<T>(walk: Walk<T>): Promise<void>;
}

const FIRST_SPAN_NS = NS_PER_S;
const LEAST_SPAN_NS = 1000n;
/** A step that takes longer is given up for a shorter one. */
const LONGEST_MS = 3000;
/** When a step has taken so long, it is told where the search is. */
const SLOW_MS = 700;
/** By how many halves the next step is as long, so that there is progress to see each second. */
const GROWTHS: ReadonlyArray<readonly [belowMs: number, halves: bigint]> = [
  [60, 16n],
  [150, 8n],
  [350, 4n],
  [600, 3n],
  [1000, 2n],
];

/**
 * A search looks at each line, so that of 1,000,000 lines takes many seconds where few match. In steps it tells how far
 * it is, can be ended, and does not keep the store busy when nobody waits. How long a step may be is learnt on the way.
 */
export function createSteps({ readRange, monotonicMs }: StepClock): Steps {
  let spanNs = FIRST_SPAN_NS;
  const adapt = (tookMs: number): void => {
    const halves = GROWTHS.find(([belowMs]) => tookMs < belowMs)?.[1] ?? 1n;
    spanNs = atLeast((spanNs * halves) / 2n);
  };
  return {
    async walk({ want, bounds, ask, visit, onSlow, signal }) {
      const whole = findWhole(want, bounds, readRange());
      let at: bigint | undefined = whole.startNs;
      let longestMs = LONGEST_MS;
      while (at !== undefined) {
        const part = cutStep(whole, at, spanNs);
        const beganMs = monotonicMs();
        const beganNs = at;
        const slow = setTimeout(() => onSlow?.(beganNs), SLOW_MS);
        const answer = await askWithin(longestMs, (own) => ask(part.bounds, own), signal).finally(() =>
          clearTimeout(slow)
        );
        if (answer === undefined) {
          // A busy store is slow at short steps, too: they must not get ever shorter.
          spanNs = atLeast(part.spanNs / 4n);
          longestMs *= 2;
          continue;
        }
        // The last step is as long as what is left.
        if (!part.isLast) adapt(monotonicMs() - beganMs);
        at = visit(answer.value, part);
      }
    },
  };
}

/** What a walk passes, from its start to its end, neither of them included. */
interface Whole {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly bounds: SliceBounds;
  readonly isDown: boolean;
}

function findWhole(want: 'asc' | 'desc', bounds: SliceBounds, { fromNs, toNs }: StepRange): Whole {
  const lowNs = parseTime(bounds.afterNs) ?? fromNs - 1n;
  const highNs = parseTime(bounds.beforeNs) ?? toNs + 1n;
  const isDown = want === 'desc';
  return { startNs: isDown ? highNs : lowNs, endNs: isDown ? lowNs : highNs, bounds, isDown };
}

/** The part of a walk from `at`. At both ends of the whole, its own bounds count. */
function cutStep(
  { startNs, endNs, bounds, isDown }: Whole,
  at: bigint,
  wishedNs: bigint
): Step & { readonly bounds: SliceBounds; readonly spanNs: bigint } {
  const sign = isDown ? -1n : 1n;
  const leftNs = (endNs - at) * sign;
  const isLast = wishedNs >= leftNs;
  const spanNs = isLast ? leftNs : wishedNs;
  const edgeNs = at + sign * spanNs;
  const [near, far] = isDown ? (['beforeNs', 'afterNs'] as const) : (['afterNs', 'beforeNs'] as const);
  const own = { [near]: at === startNs ? bounds[near] : String(at), [far]: isLast ? bounds[far] : String(edgeNs) };
  return { bounds: { ...bounds, ...own }, spanNs, isLast, reachedNs: edgeNs - sign };
}

function atLeast(spanNs: bigint): bigint {
  return spanNs < LEAST_SPAN_NS ? LEAST_SPAN_NS : spanNs;
}

function parseTime(timeNs: string | undefined): bigint | undefined {
  return timeNs === undefined ? undefined : BigInt(timeNs);
}

/** Undefined if there was no answer in time. */
async function askWithin<T>(
  longestMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  outer: AbortSignal | undefined
): Promise<{ readonly value: T } | undefined> {
  const isEnded = (): boolean => outer?.aborted === true;
  if (isEnded()) throw new DOMException('The search was ended.', 'AbortError');
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  outer?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, longestMs);
  try {
    return { value: await ask(controller.signal) };
  } catch (error) {
    if (!controller.signal.aborted || isEnded()) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
