import { type FindRequest, formatJobKey, type FoundJob } from '@joblens/core/queries/find-jobs';
import type { ReadableResult } from '@joblens/core/queries/result-rows';
import {
  listWalkSlots,
  readWalkSlice,
  takeWalkSlice,
  walkQuery,
  type WalkSlice,
  type WalkSlot,
} from '@joblens/core/queries/walk-jobs';
import { addWalkedSlot, type WalkedJob } from '@joblens/core/queries/walked-jobs';
import { concat, defer, EMPTY, map, type Observable, of, switchMap } from 'rxjs';
import { findOtherJobs } from './other-jobs.js';
import type { RunContext } from './query-type.js';
import { recallSlot, rememberSlot } from './slot-memory.js';

/** The jobs that lived in a range, as far as the store was looked through. */
export interface WalkedRange {
  /** By formatJobKey. */
  readonly jobs: ReadonlyMap<string, WalkedJob>;
  /** Back to this time, all of them; undefined once the whole range is looked through. */
  readonly sinceNs: bigint | undefined;
  readonly isDone: boolean;
}

/** A walk ends with so many jobs, which fill a hundred megabytes or so. */
const MAX_JOBS = 200_000;
/** Sorting and counting cost what there is: the list comes again when it has grown by this much. */
const GROWTH = 1.25;

/** The grids that a day has: the first answer tells of today. */
const SLICES_AT_ONCE = 3;
/** Heartbeats of a slot before any is known: days have more than minutes. */
const ROWS_GUESSED: Readonly<Record<string, number>> = { '10m': 500, '2h': 1000, '1d': 5000 };

type Context = Pick<RunContext, 'client' | 'monotonicMs' | 'hasOtherWriters'>;

/**
 * Looks through the heartbeats of a range from its end back to its beginning, and then for jobs without heartbeats.
 * What was found comes after the first answer, which does not depend on how long the range is, and again as it grows.
 * Slots that are long over are known for a while.
 */
export function walkRange(request: FindRequest, context: Context): Observable<WalkedRange> {
  return defer(() => {
    const walk = new RangeWalk(request, context);
    const next = (): Observable<WalkedRange> => {
      walk.recall();
      const slices = walk.nextSlices();
      if (slices.length === 0) return finishWalk(walk, request, context);
      const statements = slices.map((slice) => walkQuery(slice, request.user, walk.isWhole));
      const ask = context.client.query(statements).pipe(
        switchMap((results) => {
          walk.take(slices, results);
          return next();
        })
      );
      return concat(walk.hasGrown() ? of(walk.tell(false)) : EMPTY, ask);
    };
    return next();
  });
}

/** Where no heartbeats are found, perhaps nobody leaves any. */
function finishWalk(walk: RangeWalk, request: FindRequest, context: Context): Observable<WalkedRange> {
  const searched = walk.jobs.size === 0 ? { ...context, hasOtherWriters: true } : context;
  const whole = findOtherJobs(request, searched).pipe(
    map((others) => {
      for (const job of others) {
        const placeMs = job.startedMs ?? Number(job.toNs / 1_000_000n);
        if (!walk.jobs.has(formatJobKey(job))) walk.jobs.set(formatJobKey(job), { ...job, placeMs, isLiving: false });
      }
      return walk.tell(true);
    })
  );
  return concat(walk.jobs.size === 0 ? EMPTY : of(walk.tell(false)), whole);
}

class RangeWalk {
  readonly jobs = new Map<string, WalkedJob>();
  /** Whether the next slot alone has more heartbeats than one answer holds. */
  isWhole = false;
  readonly #request: FindRequest;
  readonly #context: Context;
  readonly #rowsOfSlot = new Map<string, number>();
  #todo: readonly WalkSlot[];
  #toldJobs = 0;

  constructor(request: FindRequest, context: Context) {
    this.#request = request;
    this.#context = context;
    this.#todo = listWalkSlots(request);
  }

  /** Takes the next slots from memory, as far as they are known. */
  recall(): void {
    for (let [slot] = this.#todo; slot !== undefined && !this.#isFull; [slot] = this.#todo) {
      const jobs = recallSlot(slot, this.#request, this.#context);
      if (jobs === undefined) return;
      this.#add(slot, jobs);
    }
  }

  /** The next slices to ask for, at once. None at the end, nor where there are too many jobs. */
  nextSlices(): readonly WalkSlice[] {
    if (this.#isFull) return [];
    const unknown = this.#todo.findIndex((slot) => recallSlot(slot, this.#request, this.#context) !== undefined);
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
        rememberSlot(slot, this.#request, jobs, this.#context);
        this.#add(slot, jobs);
      }
      if (!isLimited) continue;
      this.isWhole = walked.length === 0;
      return;
    }
  }

  hasGrown(): boolean {
    return this.jobs.size > GROWTH * this.#toldJobs;
  }

  tell(isDone: boolean): WalkedRange {
    this.#toldJobs = this.jobs.size;
    return { jobs: this.jobs, sinceNs: this.#todo[0]?.beforeNs, isDone };
  }

  get #isFull(): boolean {
    return this.jobs.size >= MAX_JOBS;
  }

  #add(slot: WalkSlot, jobs: readonly FoundJob[]): void {
    addWalkedSlot(this.jobs, slot, jobs, this.#request.toNs);
    this.#todo = this.#todo.slice(1);
  }
}
