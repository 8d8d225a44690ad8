/**
 * Whether the store keeps the newer of two points of one series and time. Where it may keep either (false), only what
 * is final is written, and a summary that changes is a new point, of which readers take the newest (docs/promises.md).
 * Until that is known (undefined), what is not final is held, and nothing is told by a new point: at a store that
 * rewrites, it would stay beside the one before.
 */
export type Rewrites = () => boolean | undefined;

export const ALWAYS: Rewrites = () => true;

/** The number of points of a job to remember: those that are written again are among the last. */
const MAX_KEPT = 64;

/** As JSON: the times of points, each with that of its newest version. */
export type VersionTimesState = readonly (readonly [timeNs: string, newestNs: string])[];

/**
 * The times of the points of one series. Where the store may keep either of two versions, each version of a point has
 * the next nanosecond: they stay in the order of the points, and the newest one is the last.
 */
export class VersionTimes {
  readonly #rewrites: Rewrites;
  /** The newest version of each point, by the point's own time. */
  readonly #newest: Map<bigint, bigint>;

  constructor(rewrites: Rewrites, state: VersionTimesState = []) {
    this.#rewrites = rewrites;
    this.#newest = new Map(state.map(([timeNs, newestNs]) => [BigInt(timeNs), BigInt(newestNs)]));
  }

  get state(): VersionTimesState {
    return [...this.#newest].map(([timeNs, newestNs]) => [String(timeNs), String(newestNs)]);
  }

  /** The time at which the next version of the point is written. */
  next(timeNs: bigint): bigint {
    const known = this.#newest.get(timeNs);
    const rewrites = this.#rewrites();
    if (rewrites === true) return known ?? timeNs;
    let nextNs = known ?? timeNs;
    if (known !== undefined && rewrites === false) {
      do nextNs += 1n;
      while (this.#newest.has(nextNs));
    }
    this.#newest.set(timeNs, nextNs);
    const [oldest] = this.#newest.keys();
    if (this.#newest.size > MAX_KEPT && oldest !== undefined) this.#newest.delete(oldest);
    return nextNs;
  }
}
