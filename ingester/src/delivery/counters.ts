/** Queueing times are noted at most this often, and half as often each time there are too many notes. */
const NOTE_MS = 1000;
const MAX_NOTES = 4096;

/** Counts everything that has passed through this process so far. Each part counts for itself. */
export class Counters {
  /** Bytes read from jobs, or received. */
  outputBytes = 0;
  outputLines = 0;
  /** The bytes that wait to be rendered now. */
  arrivedBytes = 0;
  /** Points that found no room in the queue. */
  droppedPoints = 0;
  /** Lines or steps of a job that a fault of this program has cost. */
  faults = 0;
  /** Received lines that are not points. */
  invalidLines = 0;
  /** UDP datagrams that the system had no room for. */
  lostDatagrams = 0;
  #queuedPoints = 0;
  #noteMs = NOTE_MS;
  #notes: { readonly queuedBefore: number; readonly timeMs: number }[] = [];

  get queuedPoints(): number {
    return this.#queuedPoints;
  }

  addQueued(points: number, monotonicMs: number): void {
    const last = this.#notes.at(-1);
    if (last === undefined || monotonicMs - last.timeMs >= this.#noteMs) {
      this.#notes.push({ queuedBefore: this.#queuedPoints, timeMs: monotonicMs });
      if (this.#notes.length > MAX_NOTES) {
        this.#notes = this.#notes.filter((_, i) => i % 2 === 0);
        this.#noteMs *= 2;
      }
    }
    this.#queuedPoints += points;
  }

  /** The age of the oldest waiting point, to about a second. Points from before the start do not count. */
  lagMs(waitingPoints: number, monotonicMs: number): number {
    const sent = this.#queuedPoints - Math.min(waitingPoints, this.#queuedPoints);
    while (this.#notes.length > 1 && (this.#notes[1]?.queuedBefore ?? 0) <= sent) this.#notes.shift();
    if (waitingPoints === 0) {
      this.#noteMs = NOTE_MS;
      return 0;
    }
    return Math.max(0, monotonicMs - (this.#notes[0]?.timeMs ?? monotonicMs));
  }
}
