/** As JSON: times up to `floor` are not known any more, and those of `times` have come. */
export interface RecentTimesState {
  readonly floor?: string;
  readonly times: readonly string[];
}

/** The most times that are remembered of a table, and twice as many between two cuts. */
const MAX_TIMES = 64;

/** In a change of the state, the times are those that came since. */
export function mergeRecentTimes(
  older: RecentTimesState | undefined,
  change: RecentTimesState | undefined
): RecentTimesState | undefined {
  if (older === undefined || change === undefined) return change ?? older;
  const floorNs = readFloor(change);
  const times = [...older.times, ...change.times].filter((time) => floorNs === undefined || BigInt(time) > floorNs);
  return { ...change, times };
}

function readFloor({ floor }: RecentTimesState): bigint | undefined {
  return floor === undefined ? undefined : BigInt(floor);
}

/** The times of the newest rows of a table: tells a row that comes late from one that comes again. */
export class RecentTimes {
  /** Rising. */
  readonly #times: bigint[];
  #floorNs: bigint | undefined;
  #unsaved: bigint[] = [];

  /** @param floorNs rows up to here came before, and which is not known */
  constructor(floorNs: bigint | undefined, state?: RecentTimesState) {
    this.#floorNs = state === undefined ? floorNs : readFloor(state);
    this.#times = (state?.times ?? []).map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  }

  /** Notes a row, and returns whether it is known that it has not come before. */
  add(timeNs: bigint): boolean {
    if (!this.#isKnown(timeNs)) return false;
    let place = this.#times.length;
    // Few come late, and those not by much.
    while (place > 0 && (this.#times[place - 1] ?? timeNs) > timeNs) place -= 1;
    if (this.#times[place - 1] === timeNs) return false;
    this.#times.splice(place, 0, timeNs);
    this.#unsaved.push(timeNs);
    if (this.#times.length >= 2 * MAX_TIMES) {
      this.#floorNs = this.#times.splice(0, MAX_TIMES).at(-1);
      this.#unsaved = this.#unsaved.filter((time) => this.#isKnown(time));
    }
    return true;
  }

  takeState(kind: 'whole' | 'change'): RecentTimesState {
    const floorNs = this.#floorNs;
    const times = kind === 'whole' ? this.#times : this.#unsaved;
    this.#unsaved = [];
    return { ...(floorNs !== undefined && { floor: String(floorNs) }), times: times.map(String) };
  }

  #isKnown(timeNs: bigint): boolean {
    return this.#floorNs === undefined || timeNs > this.#floorNs;
  }
}
