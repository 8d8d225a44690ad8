import type { Clock } from '../../clock/clock.js';
import type { EntryBook, WatchedEntry } from './watched-entries.js';

/** The most files that are read at once, which bounds the memory of waiting bytes. */
const MAX_POLLS = 32;
/** How often all entries are looked through for those that will soon be due. */
const PASS_MS = 1000;

export interface PollScheduleOptions {
  readonly entries: EntryBook;
  /**
   * Reads the file of an entry. Returns how long to wait until the next poll, 0 when there is more to read. Never
   * rejects.
   */
  readonly poll: (entry: WatchedEntry) => Promise<number>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: () => number;
}

/** Polls each entry when its time has come, the longest waiting first. */
export class PollSchedule {
  readonly #options: PollScheduleOptions;
  /** Entries that are due, the longest waiting first. */
  #due: WatchedEntry[] = [];
  readonly #running = new Set<Promise<void>>();
  /** When all entries are looked through next. Until then, only `hurried` ones can become due. */
  #passMs = -Infinity;
  #isStopped = false;

  constructor(options: PollScheduleOptions) {
    this.#options = options;
  }

  get runningPolls(): number {
    return this.#running.size;
  }

  /** Starts polls of due entries. The rest of them follow as polls end. */
  startDue(): void {
    const monotonicMs = this.#options.clock.monotonicMs();
    const { entries } = this.#options;
    if (monotonicMs >= this.#passMs) {
      this.#passMs = monotonicMs + PASS_MS;
      for (const entry of entries.all()) if (entry.nextMs < this.#passMs) entries.hurried.add(entry);
    }
    for (const entry of entries.hurried) {
      if (entry.nextMs <= monotonicMs) this.#addDue(entry);
      if (entry.nextMs <= monotonicMs || entry.nextMs >= this.#passMs) entries.hurried.delete(entry);
    }
    this.#start();
  }

  /** Resolves when no poll runs and none is due. */
  async untilIdle(): Promise<void> {
    while (this.#running.size > 0 || this.#due.length > 0) {
      this.#start();
      await Promise.all(this.#running);
    }
  }

  /** Polls each entry once more. */
  async finish(): Promise<void> {
    // First of all, so that no poll that runs now is followed by another of its entry.
    this.#isStopped = true;
    this.#due = [];
    await Promise.all(this.#running);
    for (const entry of this.#options.entries.all()) {
      entry.isWaiting = true;
      this.#addDue(entry);
    }
    await this.untilIdle();
  }

  #addDue(entry: WatchedEntry): void {
    if (!entry.isWaiting) return;
    entry.isWaiting = false;
    this.#due.push(entry);
  }

  #start(): void {
    while (this.#running.size < MAX_POLLS && this.#due.length > 0) {
      for (const entry of this.#due.splice(0, MAX_POLLS - this.#running.size)) {
        const poll = this.#poll(entry).finally(() => {
          this.#running.delete(poll);
          this.#start();
        });
        this.#running.add(poll);
      }
    }
  }

  async #poll(entry: WatchedEntry): Promise<void> {
    const { poll, clock, random } = this.#options;
    const waitMs = await poll(entry);
    entry.polledMs = clock.monotonicMs();
    entry.nextMs = entry.polledMs + waitMs * (1 - 0.1 * random());
    // An entry with more to read queues behind those that have waited.
    if (waitMs === 0 && !this.#isStopped) this.#due.push(entry);
    else {
      entry.isWaiting = true;
      if (entry.nextMs < this.#passMs) this.#options.entries.hurried.add(entry);
    }
  }
}
