import { KeptMap, type StatePlace } from '../../../queue/kept-map.js';

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

/** The places where the next jobs begin in their files, as jobs in a row may write to one file. Kept over a restart. */
export class PathPositions {
  readonly #positions: KeptMap<PathPosition>;

  constructor(place: StatePlace) {
    this.#positions = new KeptMap('watch:positions', place);
  }

  get(path: string): PathPosition | undefined {
    return this.#positions.get(path);
  }

  set(path: string, position: PathPosition): void {
    this.#positions.set(path, position);
    const [oldest] = this.#positions.names();
    if (this.#positions.size > MAX_PATHS && oldest !== undefined) this.#positions.delete(oldest);
    this.#positions.commit();
  }
}
