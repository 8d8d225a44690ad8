import { describeJobsQuery } from '@joblens/core/ask/jobs/describe-jobs';
import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import { readJobHits, searchDescriptions, searchJobsQuery } from '@joblens/core/ask/jobs/search-jobs';
import { MAX_NAMED_JOBS } from '@joblens/core/ask/reading/selection';
import { map, type Observable, of, switchMap } from 'rxjs';
import type { RunContext } from '../parts/query-type.js';
import { createLookMemory, lookBack, type LookedBack } from './look-back.js';

/** The jobs whose descriptions have a word in them, by formatJobKey. */
export type TextHits = LookedBack<ReadonlySet<string>>;

const MAX_REMEMBERED = 20;
const memory = createLookMemory<Set<string>>(MAX_REMEMBERED);

type Context = Pick<RunContext, 'client' | 'monotonicMs'>;

/** Looks for a word in what describes the jobs of a range. */
export function searchTexts(word: string, request: FindRequest, context: Context): Observable<TextHits> {
  const { user } = request;
  return lookBack(
    {
      name: JSON.stringify([word, user]),
      memory,
      createFound: () => new Set(),
      ask: (time, found) =>
        context.client.query([searchJobsQuery({ word, user, ...time })]).pipe(
          map(([result]) => {
            const { keys, endNs } = readJobHits(result);
            for (const key of keys) found.add(key);
            return endNs;
          })
        ),
    },
    request,
    context
  );
}

/** Looks for a word in what was written of these jobs before a time, so many of them at once. */
export function searchOlderTexts(
  word: string,
  jobs: readonly FoundJob[],
  { fromNs }: FindRequest,
  { client }: Context
): Observable<readonly string[]> {
  const next = (at: number, found: readonly string[]): Observable<readonly string[]> => {
    const some = jobs.slice(at, at + MAX_NAMED_JOBS);
    if (some.length === 0) return of(found);
    return client
      .query([describeJobsQuery(some, { beforeNs: fromNs })])
      .pipe(switchMap(([result]) => next(at + MAX_NAMED_JOBS, [...found, ...searchDescriptions(result, word)])));
  };
  return next(0, []);
}
