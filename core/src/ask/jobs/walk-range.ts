import { NS_PER_MS } from '../../numbers/time-units.js';
import {
  type FindRequest,
  formatJobKey,
  type FoundJob,
  jobsAheadQuery,
  readFoundJobs,
} from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { listWalkSlots, readWalkSlice, takeWalkSlice, walkQuery, type WalkSlice, type WalkSlot } from './walk-jobs.js';
import { addJobsAhead, addWalkedSlot, type WalkedJob } from './walked-jobs.js';

/** The jobs that lived in a range, as far as the store was looked through. */
export interface WalkedRange {
  /** By formatJobKey. */
  readonly jobs: ReadonlyMap<string, WalkedJob>;
  /** Back to this time, all of them; undefined once the whole range is looked through. */
  readonly sinceNs: bigint | undefined;
  readonly isDone: boolean;
}

/** What a host remembers of slots that are over. */
export interface SlotMemory {
  readonly recall: (slot: WalkSlot) => readonly FoundJob[] | undefined;
  readonly remember: (slot: WalkSlot, jobs: readonly FoundJob[]) => void;
}

interface WalkOptions {
  readonly memory?: SlotMemory;
  /** A walk ends with so many jobs. By default, they fill a hundred megabytes or so. */
  readonly maxJobs?: number;
  /** Finds jobs without heartbeats; they are expected where no heartbeats are found. */
  readonly findOthers: (isExpected: boolean) => Reading<readonly FoundJob[]>;
}

const MAX_JOBS = 200_000;
/** Sorting and counting cost what there is: the list comes again when it has grown by this much. */
const GROWTH = 1.25;

/** The grids that a day has: the first answer tells of today. */
const SLICES_AT_ONCE = 3;
/** Heartbeats of a slot before any is known: days have more than minutes. */
const ROWS_GUESSED: Readonly<Record<string, number>> = { '10m': 500, '2h': 1000, '1d': 5000 };

const NO_MEMORY: SlotMemory = { recall: () => undefined, remember: () => undefined };

/**
 * Looks through the heartbeats of a range from its end back to its beginning, and then for jobs without heartbeats.
 * What was found comes after the first answer, which does not depend on how long the range is, and again as it grows.
 */
export function* walkRange(request: FindRequest, options: WalkOptions): Reading<WalkedRange, WalkedRange> {
  const walk = new RangeWalk(request, options);
  for (let slices = walk.nextSlices(); slices.length > 0; slices = walk.nextSlices()) {
    if (walk.hasGrown()) yield { soFar: walk.tell(false) };
    const ahead = walk.isAheadAsked ? [] : [jobsAheadQuery(request)];
    const results = yield [...slices.map((slice) => walkQuery(slice, request.user, walk.isWhole)), ...ahead];
    walk.addAhead(results.slice(slices.length));
    walk.take(slices, results);
  }
  if (walk.jobs.size > 0) yield { soFar: walk.tell(false) };
  walk.addOthers(yield* options.findOthers(walk.jobs.size === 0));
  return walk.tell(true);
}

class RangeWalk {
  readonly jobs = new Map<string, WalkedJob>();
  /** Whether the next slot alone has more heartbeats than one answer holds. */
  isWhole = false;
  readonly #request: FindRequest;
  readonly #memory: SlotMemory;
  readonly #maxJobs: number;
  readonly #rowsOfSlot = new Map<string, number>();
  #todo: readonly WalkSlot[];
  #toldJobs = 0;
  isAheadAsked: boolean;

  constructor(request: FindRequest, { memory = NO_MEMORY, maxJobs = MAX_JOBS }: WalkOptions) {
    this.#request = request;
    this.isAheadAsked = request.isOpen !== true;
    this.#memory = memory;
    this.#maxJobs = maxJobs;
    this.#todo = listWalkSlots(request);
  }

  /** The next slices to ask for, at once, behind those that are remembered. None at the end, or of too many jobs. */
  nextSlices(): readonly WalkSlice[] {
    this.#recall();
    if (this.#isFull) return [];
    const unknown = this.#todo.findIndex((slot) => this.#memory.recall(slot) !== undefined);
    const todo = unknown === -1 ? this.#todo : this.#todo.slice(0, unknown);
    const take = (from: readonly WalkSlot[]): WalkSlice => {
      const grid = from[0]?.grid.grid ?? '';
      return takeWalkSlice(from, this.#rowsOfSlot.get(grid) ?? ROWS_GUESSED[grid] ?? 1);
    };
    if (this.isWhole) return [todo.slice(0, 1)];
    const slices: WalkSlice[] = [];
    for (let at = 0; at < todo.length && slices.length < SLICES_AT_ONCE; at += slices.at(-1)?.length ?? 1)
      slices.push(take(todo.slice(at)));
    return slices;
  }

  take(slices: readonly WalkSlice[], results: readonly ReadableResult[]): void {
    const isWhole = this.isWhole;
    this.isWhole = false;
    for (const [at, slice] of slices.entries()) {
      const { walked, isLimited } = readWalkSlice(slice, results[at], isWhole);
      const rows = walked.reduce((sum, [, jobs]) => sum + jobs.length, 0);
      const [first] = slice;
      if (first !== undefined) this.#rowsOfSlot.set(first.grid.grid, isLimited ? Infinity : rows / slice.length);
      for (const [slot, jobs] of walked) {
        this.#memory.remember(slot, jobs);
        this.#add(slot, jobs);
      }
      if (!isLimited) continue;
      this.isWhole = walked.length === 0;
      return;
    }
  }

  addAhead(results: readonly ReadableResult[]): void {
    this.isAheadAsked = true;
    addJobsAhead(this.jobs, readFoundJobs(results));
  }

  addOthers(others: readonly FoundJob[]): void {
    for (const job of others) {
      const placeMs = job.startedMs ?? Number(job.toNs / NS_PER_MS);
      if (!this.jobs.has(formatJobKey(job))) this.jobs.set(formatJobKey(job), { ...job, placeMs, isLiving: false });
    }
  }

  hasGrown(): boolean {
    return this.jobs.size > GROWTH * this.#toldJobs;
  }

  tell(isDone: boolean): WalkedRange {
    this.#toldJobs = this.jobs.size;
    return { jobs: this.jobs, sinceNs: this.#todo[0]?.beforeNs, isDone };
  }

  /** Takes the next slots from memory, as far as they are known. */
  #recall(): void {
    for (let [slot] = this.#todo; slot !== undefined && !this.#isFull; [slot] = this.#todo) {
      const jobs = this.#memory.recall(slot);
      if (jobs === undefined) return;
      this.#add(slot, jobs);
    }
  }

  get #isFull(): boolean {
    return this.jobs.size >= this.#maxJobs;
  }

  #add(slot: WalkSlot, jobs: readonly FoundJob[]): void {
    addWalkedSlot(this.jobs, slot, jobs, this.#request);
    this.#todo = this.#todo.slice(1);
  }
}
