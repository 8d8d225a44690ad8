import { findTaggedJobs, type TagPair } from '@joblens/core/ask/comparison/find-compared';
import { type Observable, of } from 'rxjs';
import { fillIn, type JoblensQuery, type RunContext } from './query-type.js';
import { runReading } from './run-reading.js';

/** The tags of a query as key and value; a variable without a value is none. Throws RangeError, which says why. */
export function readTagPairs({ tag }: Pick<JoblensQuery, 'tag'>, context: RunContext): readonly TagPair[] {
  return fillIn(tag, context).flatMap((text): TagPair[] => {
    const at = text.indexOf('=');
    if (at < 1) throw new RangeError(`tag ${text}: write KEY=VALUE, such as experiment=warmup`);
    const value = text.slice(at + 1);
    return value.trim() === '' ? [] : [[text.slice(0, at).trim(), value]];
  });
}

/**
 * The jobs that a query is about: those it names, else those with its tag. `undefined` means all jobs, which a query
 * with a tag is never about.
 */
export function chooseJobs(query: JoblensQuery, context: RunContext): Observable<readonly string[] | undefined> {
  const job = fillIn(query.job, context);
  if (job.length > 0) return of(job);
  if (query.tag === undefined || query.tag === '') return of(undefined);
  const { fromNs, toNs } = context;
  const request = { tags: readTagPairs(query, context), user: fillIn(query.user, context), fromNs, toNs };
  return runReading(() => findTaggedJobs(request), context);
}
