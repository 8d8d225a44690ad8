import { withDeadline } from '../clock/deadline.js';
import type { PointQueue } from './point-queue.js';

/** How often the queue is checked when it does not report room. */
const LOOK_MS = 250;

interface RoomWanted {
  /** A fuller queue makes room by emptying. */
  readonly fill: number;
  /** How long to wait when the queue is less full: the record is too large for the rest, or the disk takes nothing. */
  readonly retryMs: number;
}

/** Resolves when there may be room for a record that found none, after a while, or when the signal is aborted. */
export async function untilRoom(queue: PointQueue, { fill, retryMs }: RoomWanted, signal: AbortSignal): Promise<void> {
  const isEmptying = queue.fill > fill;
  await withDeadline(isEmptying ? LOOK_MS : retryMs, [signal], (either) =>
    queue.untilFill(isEmptying ? fill : -1, either)
  );
}
