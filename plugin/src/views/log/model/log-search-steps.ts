import type { PanelLogLine } from './log-model.js';
import type { SliceBounds, SliceRequest, StepListener } from './log-slices.js';
import type { Steps } from './log-steps.js';
import { type LogSlicePage, readTimeNs } from './log-window.js';

interface Listeners {
  readonly signal: AbortSignal | undefined;
  readonly onStep: StepListener | undefined;
}

/** A page of lines that match. It ends with as many lines as are enough, or where the log does. */
export async function readInSteps(
  steps: Steps,
  read: (slice: SliceRequest, signal?: AbortSignal) => Promise<LogSlicePage>,
  { want, limit, enough = limit, ...bounds }: SliceRequest,
  { signal, onStep }: Listeners
): Promise<LogSlicePage> {
  const parts: Array<readonly PanelLogLine[]> = [];
  let found = 0;
  let end: Omit<LogSlicePage, 'lines'> = { hasMore: false };
  const tell = (reachedNs: bigint): void => {
    if (found === 0) onStep?.(reachedNs);
  };
  await steps.walk<LogSlicePage>({
    ...{ want, bounds, signal, onSlow: tell },
    ask: (part, own) => read({ ...part, want, limit: limit - found }, own),
    visit: ({ lines, hasMore }, { reachedNs, isLast }) => {
      parts.push(lines);
      found += lines.length;
      tell(reachedNs);
      const border = want === 'desc' ? lines[0] : lines[lines.length - 1];
      end = { hasMore: hasMore || !isLast, ...(!hasMore && !isLast && { reachedNs }) };
      if (!end.hasMore || found >= enough || (hasMore && border === undefined)) return undefined;
      return hasMore ? readTimeNs(border) : reachedNs;
    },
  });
  return { ...end, lines: (want === 'desc' ? parts.reverse() : parts).flat() };
}

/** How many lines match. */
export async function countInSteps(
  steps: Steps,
  count: (bounds: SliceBounds, signal?: AbortSignal) => Promise<number>,
  bounds: SliceBounds,
  signal: AbortSignal | undefined
): Promise<number> {
  let sum = 0;
  await steps.walk<number>({
    ...{ want: 'desc', bounds, ask: count, signal },
    visit: (found, { reachedNs, isLast }) => {
      sum += found;
      return isLast ? undefined : reachedNs;
    },
  });
  return sum;
}
