const LF = 0x0a;
const NOWHERE = Infinity;

/** Finds the lines of some bytes that hold one of several texts, so that nobody reads the others. */
export class CandidateLines {
  readonly #bytes: Buffer;
  readonly #needles: () => readonly string[] | undefined;
  /** Where each text comes next. */
  readonly #found = new Map<string, number>();

  /** `needles`: see LineReader.needles. It is asked again for each line. */
  constructor(bytes: Buffer, needles: () => readonly string[] | undefined) {
    this.#bytes = bytes;
    this.#needles = needles;
  }

  /** The start of the first line from the line at `at` on that holds one of the texts; Infinity for none. */
  findNext(at: number): number {
    const needles = this.#needles();
    if (needles === undefined) return at;
    let next = NOWHERE;
    for (const needle of needles) next = Math.min(next, this.#find(needle, at));
    return next === NOWHERE || next === at ? next : Math.max(at, this.#bytes.lastIndexOf(LF, next - 1) + 1);
  }

  #find(needle: string, at: number): number {
    let found = this.#found.get(needle);
    if (found === undefined || found < at) {
      found = this.#bytes.indexOf(needle, at);
      if (found < 0) found = NOWHERE;
      this.#found.set(needle, found);
    }
    return found;
  }
}
