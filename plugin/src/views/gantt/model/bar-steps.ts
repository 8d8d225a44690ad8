import type { Hit, RowBox } from './boxes.js';
import { findFirstAt } from './lane-pieces.js';
import type { Lane } from './lanes.js';
import type { Viewport } from './viewport.js';

export type Direction = 'left' | 'right' | 'up' | 'down';

interface LanePlace {
  readonly boxAt: number;
  readonly laneAt: number;
}

function listLanes(boxes: readonly RowBox[]): readonly LanePlace[] {
  return boxes.flatMap(({ row }, boxAt) => row.lanes.map((_lane, laneAt) => ({ boxAt, laneAt })));
}

function readLane(boxes: readonly RowBox[], { boxAt, laneAt }: LanePlace): Lane | undefined {
  return boxes[boxAt]?.row.lanes[laneAt];
}

/** The span of a lane that is nearest to an instant. */
function findNearestTo(lane: Lane, timeMs: number): number {
  const next = findFirstAt(lane, timeMs);
  const distance = (at: number): number => {
    if (at < 0 || at >= lane.starts.length) return Infinity;
    return Math.max(0, (lane.starts[at] ?? 0) - timeMs, timeMs - (lane.ends[at] ?? 0));
  };
  return distance(next - 1) < distance(next) ? next - 1 : next;
}

/** The first span in sight, from the row at the top on; where none is in sight, the first of all. */
function findFirst(boxes: readonly RowBox[], { min, max }: Viewport, topBox: number): Hit | undefined {
  const lanes = listLanes(boxes);
  const hits = lanes.map((place) => {
    const lane = readLane(boxes, place);
    const first = lane === undefined ? 0 : findFirstAt(lane, min);
    return { ...place, first, count: 1, startMs: lane?.starts[first] ?? Infinity, size: lane?.starts.length ?? 0 };
  });
  const inSight = hits.filter(({ startMs }) => startMs <= max);
  const chosen = inSight.find(({ boxAt }) => boxAt >= topBox) ?? inSight[0];
  if (chosen !== undefined) return pickHit(chosen);
  const any = hits.find(({ size }) => size > 0);
  return any === undefined ? undefined : { ...pickHit(any), first: 0 };
}

function pickHit({ boxAt, laneAt, first }: Hit): Hit {
  return { boxAt, laneAt, first, count: 1 };
}

/** The next span in a direction: of the same lane, or the nearest in time of the next lane that has any. */
export function stepBar(
  boxes: readonly RowBox[],
  viewport: Viewport,
  { from, topBox }: { readonly from: Hit | undefined; readonly topBox: number },
  direction: Direction
): Hit | undefined {
  const lane = from === undefined ? undefined : readLane(boxes, from);
  if (from === undefined || lane === undefined) return findFirst(boxes, viewport, topBox);
  if (direction === 'left' || direction === 'right') {
    const first = direction === 'left' ? from.first - 1 : from.first + from.count;
    return first >= 0 && first < lane.starts.length ? { ...pickHit(from), first } : from;
  }
  const lanes = listLanes(boxes);
  const present = lanes.findIndex(({ boxAt, laneAt }) => boxAt === from.boxAt && laneAt === from.laneAt);
  const others = direction === 'up' ? lanes.slice(0, present).reverse() : lanes.slice(present + 1);
  const next = others.find((place) => (readLane(boxes, place)?.starts.length ?? 0) > 0);
  const nextLane = next === undefined ? undefined : readLane(boxes, next);
  if (next === undefined || nextLane === undefined) return from;
  return { ...next, first: findNearestTo(nextLane, lane.starts[from.first] ?? 0), count: 1 };
}
