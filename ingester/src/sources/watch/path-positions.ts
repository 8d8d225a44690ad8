import type { PointQueue } from '../../queue/point-queue.js';
import type { StateRegistry, StateSource } from '../../queue/state-registry.js';

export const POSITIONS_KEY = 'watch:positions';
/** Positions are kept for this many paths, those that ended last. */
const MAX_PATHS = 2000;

/** The place up to which a path's file belongs to jobs that are over. */
interface PathPosition {
  /** The last of these jobs, and since when it wrote; '' and 0 for unknown jobs. */
  readonly job: string;
  readonly sinceMs: number;
  readonly uid: number;
  /** The checkpoint of a follower at that position. */
  readonly checkpoint: string;
}

type Entries = readonly (readonly [path: string, position: PathPosition])[];

/** The places where the next jobs begin in their files, as jobs in a row may write to one file. Kept over a restart. */
export class PathPositions implements StateSource {
  readonly key = POSITIONS_KEY;
  readonly #queue: Pick<PointQueue, 'append'>;
  readonly #positions = new Map<string, PathPosition>();
  readonly #changed = new Set<string>();
  #isKept: boolean;

  /** `values`: the states found after a restart, each a list of paths and their positions. */
  constructor(queue: Pick<PointQueue, 'append'>, states: StateRegistry, values: readonly string[] = []) {
    this.#queue = queue;
    for (const value of values) for (const [path, position] of JSON.parse(value) as Entries) this.#set(path, position);
    this.#isKept = values.length > 0;
    states.add(this);
  }

  get(path: string): PathPosition | undefined {
    return this.#positions.get(path);
  }

  set(path: string, position: PathPosition): void {
    this.#set(path, position);
    this.#changed.add(path);
    this.commit();
  }

  commit(): boolean {
    if (this.#changed.size === 0) return true;
    const value = JSON.stringify([...this.#positions].filter(([path]) => this.#changed.has(path)) satisfies Entries);
    // A change needs a whole value before it.
    const state = this.#isKept
      ? ({ key: this.key, kind: 'change', value } as const)
      : ({ key: this.key, kind: 'whole', value: this.takeWholeState() } as const);
    if (!this.#queue.append({ bytes: Buffer.alloc(0), points: 0, states: [state], isUrgent: true })) return false;
    this.#changed.clear();
    this.#isKept = true;
    return true;
  }

  takeWholeState(): string {
    return JSON.stringify([...this.#positions] satisfies Entries);
  }

  #set(path: string, position: PathPosition): void {
    this.#positions.delete(path);
    this.#positions.set(path, position);
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > MAX_PATHS && oldest !== undefined) this.#positions.delete(oldest);
  }
}
