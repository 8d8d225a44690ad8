import { type FindRequest, formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { type WalkedRange, walkRange } from '@joblens/core/ask/jobs/walk-range';
import { sortWalkedJobs, type WalkedJob } from '@joblens/core/ask/jobs/walked-jobs';
import { combineLatest, concat, map, type Observable, of, shareReplay, switchMap, takeLast } from 'rxjs';
import { STATE_KINDS, type StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../frames/state-kind.js';
import { findOtherJobs } from './other-jobs.js';
import type { RunContext } from '../parts/query-type.js';
import { runReading } from '../parts/run-reading.js';
import { searchOlderTexts, searchTexts, type TextHits } from './search-texts.js';
import { createSlotMemory } from './slot-memory.js';

/** Which jobs of a range, and where the page begins. */
export interface JobsQuestion {
  /** Each word of it occurs in what is known of a job. */
  readonly search: string;
  readonly kind?: StateKind | undefined;
  /** Default: running ones first, then the newest. */
  readonly order?: { readonly key: 'started' | 'user'; readonly isDescending: boolean } | undefined;
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
  if (words.length === 0) return walks.pipe(map((walk) => selectJobs(walk, new Map(), question, limit)));
  const hits = words.map((word) => searchWord(word, request, walks, context));
  return combineLatest([walks, ...hits]).pipe(
    map(([walk, ...found]) => {
      const byWord = new Map(found.map((one, at) => [words[at] ?? '', one]));
      return selectJobs(walk, byWord, question, limit);
    })
  );
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
        map((keys) => ({ keys: new Set([...hits.keys, ...keys]), sinceNs: hits.sinceNs, isDone: true }))
      );
    })
  );
  const first: WordHits = { keys: new Set(), sinceNs: request.toNs, isDone: false };
  return concat(of(first), texts.pipe(map((hits) => ({ ...hits, isDone: false }))), before);
}

const NS_PER_MS = 1_000_000n;

/** Whether a job may have been described before the range. */
function mayBeOlder({ startedMs }: WalkedJob, { fromNs }: FindRequest): boolean {
  return startedMs === undefined || startedMs < Number(fromNs / NS_PER_MS);
}

function selectJobs(
  { jobs, sinceNs, isDone }: WalkedRange,
  byWord: ReadonlyMap<string, WordHits>,
  { kind, order, offset }: JobsQuestion,
  limit: number
): Selection {
  const found = byWord.size === 0 ? [...jobs.values()] : [...jobs.values()].filter((job) => matches(job, byWord));
  const counts = new Map<StateKind, number>();
  for (const job of found) counts.set(readKind(job), (counts.get(readKind(job)) ?? 0) + 1);
  const wanted = kind === undefined ? found : found.filter((job) => readKind(job) === kind);
  const sinces = [sinceNs, ...[...byWord.values()].map((hits) => hits.sinceNs)].filter((one) => one !== undefined);
  return {
    page: sortJobs(wanted, order).slice(offset, offset + limit),
    total: wanted.length,
    counts: STATE_KINDS.map((one) => [one, counts.get(one) ?? 0] as const).filter(([, count]) => count > 0),
    sinceNs: sinces.length === 0 ? undefined : sinces.reduce((a, b) => (b > a ? b : a)),
    isDone: isDone && [...byWord.values()].every((hits) => hits.isDone),
  };
}

function matches(job: WalkedJob, byWord: ReadonlyMap<string, WordHits>): boolean {
  const state = job.state?.toLowerCase() ?? '';
  const known = `${job.job}\n${job.user}\n${state}\n${state.replaceAll('_', ' ')}`.toLowerCase();
  return [...byWord].every(([word, { keys }]) => known.includes(word) || keys.has(formatJobKey(job)));
}

/** One that does not say its state runs if it lives. */
function readKind({ state, isLiving }: WalkedJob): StateKind {
  return readStateKind({ state, to: isLiving ? 'now' : '' });
}

function sortJobs(jobs: readonly WalkedJob[], order: JobsQuestion['order']): readonly WalkedJob[] {
  const sorted = sortWalkedJobs(jobs);
  if (order === undefined) return sorted;
  const sign = order.isDescending ? -1 : 1;
  const compare = (a: WalkedJob, b: WalkedJob): number =>
    order.key === 'started' ? a.placeMs - b.placeMs : a.user < b.user ? -1 : a.user > b.user ? 1 : 0;
  return sorted.sort((a, b) => sign * compare(a, b));
}
