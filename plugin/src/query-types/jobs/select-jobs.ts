import { type FindRequest, formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { type WalkedRange, walkRange } from '@joblens/core/ask/jobs/walk-range';
import { compareWalked, type WalkedJob } from '@joblens/core/ask/jobs/walked-jobs';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { takeFirst } from '@joblens/core/rows/take-first';
import { combineLatest, concat, map, type Observable, of, shareReplay, switchMap, takeLast } from 'rxjs';
import { STATE_KINDS, type StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../frames/state-kind.js';
import { compareCells, type JobsOrder } from '../../frames/job-order.js';
import { findOtherJobs } from './other-jobs.js';
import type { RunContext } from '../parts/query-type.js';
import { runReading } from '../parts/run-reading.js';
import { type SortedWalk, readSortedParts } from './sort-parts.js';
import { searchOlderTexts, searchTexts, type TextHits } from './search-texts.js';
import { createSlotMemory } from './slot-memory.js';

/** Which jobs of a range, and where the page begins. */
export interface JobsQuestion {
  /** Each word of it occurs in what is known of a job. */
  readonly search: string;
  readonly kind?: StateKind | undefined;
  /** Default: running ones first, then the newest. */
  readonly order?: JobsOrder | undefined;
  readonly offset: number;
}

/** A page of the jobs of a range, and what the whole range has. */
export interface Selection {
  readonly page: readonly WalkedJob[];
  /** How many match. */
  readonly total: number;
  /** Counts of the jobs that the search finds, whatever their state. */
  readonly counts: ReadonlyArray<readonly [StateKind, number]>;
  /** The numbers are of the time since then; undefined if they are of the whole range. */
  readonly sinceNs: bigint | undefined;
  /** Whether nothing more comes. */
  readonly isDone: boolean;
}

/** More words narrow a search no further that anybody types. */
const MAX_WORDS = 8;

/** The words of a search, in small letters. */
function listWords(search: string): readonly string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);
}

/** Looks through the range, and tells a page of what is found so far, again and again until all is looked through. */
export function selectFromRange(
  request: FindRequest,
  question: JobsQuestion,
  limit: number,
  context: RunContext
): Observable<Selection> {
  const memory = createSlotMemory(request, context);
  const findOthers = (isExpected: boolean) => findOtherJobs(request, context, isExpected);
  const walks = runReading(() => walkRange(request, { memory, findOthers }), context).pipe(
    shareReplay({ bufferSize: 1, refCount: true })
  );
  const words = listWords(question.search);
  const sorted =
    question.order === undefined ? of(undefined) : readSortedParts(question.order.key, request, walks, context);
  const hits = words.map((word) => searchWord(word, request, walks, context));
  return combineLatest([walks, sorted, ...hits]).pipe(
    map(([walk, sort, ...found]) => {
      const byWord = new Map(found.map((one, at) => [words[at] ?? '', one]));
      return selectJobs({ walk, sort, byWord }, question, limit);
    })
  );
}

/** What is known so far. */
interface KnownSoFar {
  readonly walk: WalkedRange;
  readonly sort: SortedWalk | undefined;
  readonly byWord: ReadonlyMap<string, WordHits>;
}

interface WordHits extends TextHits {
  readonly isDone: boolean;
}

/** What the range has, and then what was written before it of the jobs that lived when it began. */
function searchWord(
  word: string,
  request: FindRequest,
  walks: Observable<WalkedRange>,
  context: RunContext
): Observable<WordHits> {
  const texts = searchTexts(word, request, context).pipe(shareReplay({ bufferSize: 1, refCount: true }));
  const before = combineLatest([texts.pipe(takeLast(1)), walks.pipe(takeLast(1))]).pipe(
    switchMap(([hits, { jobs }]) => {
      const older = [...jobs.values()].filter((job) => mayBeOlder(job, request));
      return searchOlderTexts(word, older, request, context).pipe(
        map((keys) => ({ found: new Set([...hits.found, ...keys]), sinceNs: hits.sinceNs, isDone: true }))
      );
    })
  );
  const first: WordHits = { found: new Set(), sinceNs: request.toNs, isDone: false };
  return concat(of(first), texts.pipe(map((hits) => ({ ...hits, isDone: false }))), before);
}

/** Whether a job may have been described before the range. */
function mayBeOlder({ startedMs }: WalkedJob, { fromNs }: FindRequest): boolean {
  return startedMs === undefined || startedMs < Number(fromNs / NS_PER_MS);
}

function selectJobs(known: KnownSoFar, { kind, order, offset }: JobsQuestion, limit: number): Selection {
  const { walk, sort, byWord } = known;
  const { jobs } = walk;
  const found = byWord.size === 0 ? [...jobs.values()] : [...jobs.values()].filter((job) => matches(job, byWord));
  const counts = new Map<StateKind, number>();
  for (const job of found) counts.set(readKind(job), (counts.get(readKind(job)) ?? 0) + 1);
  const wanted = kind === undefined ? found : found.filter((job) => readKind(job) === kind);
  const parts = [walk, ...(sort === undefined ? [] : [sort]), ...byWord.values()];
  const sinces = parts.map(({ sinceNs }) => sinceNs).filter((one) => one !== undefined);
  return {
    page: takeFirst(wanted, offset + limit, createCompare(order, sort)).slice(offset),
    total: wanted.length,
    counts: STATE_KINDS.map((one) => [one, counts.get(one) ?? 0] as const).filter(([, count]) => count > 0),
    sinceNs: sinces.length === 0 ? undefined : sinces.reduce((a, b) => (b > a ? b : a)),
    isDone: parts.every(({ isDone }) => isDone),
  };
}

function matches(job: WalkedJob, byWord: ReadonlyMap<string, WordHits>): boolean {
  const state = job.state?.toLowerCase() ?? '';
  const known = `${job.job}\n${job.user}\n${state}\n${state.replaceAll('_', ' ')}`.toLowerCase();
  return [...byWord].every(([word, { found }]) => known.includes(word) || found.has(formatJobKey(job)));
}

/** One that does not say its state runs if it lives. */
function readKind({ state, isLiving }: WalkedJob): StateKind {
  return readStateKind({ state, to: isLiving ? 'now' : '' });
}

type Compare = (a: WalkedJob, b: WalkedJob) => number;

/** Each job is read once, and those that are alike are as in a list that nobody has sorted. */
function createCompare(order: JobsQuestion['order'], sort: SortedWalk | undefined): Compare {
  if (order === undefined || sort === undefined) return compareWalked;
  const cells = new Map<WalkedJob, ReturnType<SortedWalk['read']>>();
  const read = (job: WalkedJob): ReturnType<SortedWalk['read']> => {
    if (!cells.has(job)) cells.set(job, sort.read(job));
    return cells.get(job);
  };
  return (a, b) => compareCells(read(a), read(b), order.isDescending) || compareWalked(a, b);
}
