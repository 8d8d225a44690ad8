/** Points that found no room: the gap that they leave in the log, and how many there were in all. */
export class DroppedPoints {
  total = 0;
  #gapPoints = 0;
  #gapFromNs = 0n;

  add(points: number, nextNs: () => bigint): void {
    if (points === 0) return;
    if (this.#gapPoints === 0) this.#gapFromNs = nextNs();
    this.#gapPoints += points;
    this.total += points;
  }

  /** The gap since the last call, if there is one. */
  takeGap(): { readonly points: number; readonly fromNs: bigint } | undefined {
    if (this.#gapPoints === 0) return undefined;
    const gap = { points: this.#gapPoints, fromNs: this.#gapFromNs };
    this.#gapPoints = 0;
    return gap;
  }
}
