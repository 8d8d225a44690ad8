import { DAY_MS } from '@joblens/core/numbers/time-units';
import {
  createHeartbeatPoint,
  findSlotStartMs,
  type Heartbeat,
  HEARTBEAT_GRIDS,
} from '@joblens/core/schema/heartbeat-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Point } from '@joblens/core/point/point';

/** After a longer silence, only the slots in which there is something are filled, as `watch` does. */
const MAX_GAP_DAYS = 7;

interface Part {
  fromMs: number;
  toMs: number;
}

/** The times of which an imported job tells something, day by day. */
export class Life {
  readonly #days = new Map<number, Part>();
  #newest: Part | undefined;
  #newestDay = NaN;

  note(timeMs: number): void {
    const day = Math.floor(timeMs / DAY_MS);
    let part = day === this.#newestDay ? this.#newest : this.#days.get(day);
    if (part === undefined) {
      part = { fromMs: timeMs, toMs: timeMs };
      this.#days.set(day, part);
    }
    if (timeMs < part.fromMs) part.fromMs = timeMs;
    if (timeMs > part.toMs) part.toMs = timeMs;
    this.#newest = part;
    this.#newestDay = day;
  }

  /** Undefined where nothing was noted. */
  get fromMs(): number | undefined {
    const [first] = this.#listParts();
    return first?.fromMs;
  }

  get toMs(): number | undefined {
    return this.#listParts().at(-1)?.toMs;
  }

  /** A heartbeat in each slot of each grid in which the job lived. */
  *createHeartbeats(source: JobSource, heartbeat: Heartbeat): Generator<Point> {
    for (const { fromMs, toMs } of this.#listParts()) {
      for (const grid of HEARTBEAT_GRIDS) {
        for (let slotMs = findSlotStartMs(fromMs, grid); slotMs <= toMs; slotMs += grid.slotMs) {
          yield createHeartbeatPoint(source, grid, slotMs, heartbeat);
        }
      }
    }
  }

  /** The stretches without a long silence. */
  #listParts(): readonly Part[] {
    const parts: Part[] = [];
    for (const [, { fromMs, toMs }] of [...this.#days].sort(([a], [b]) => a - b)) {
      const last = parts.at(-1);
      if (last !== undefined && fromMs - last.toMs <= MAX_GAP_DAYS * DAY_MS) last.toMs = toMs;
      else parts.push({ fromMs, toMs });
    }
    return parts;
  }
}
