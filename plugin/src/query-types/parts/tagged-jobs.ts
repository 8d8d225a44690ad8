import { chooseNamed, type TagPair } from '@joblens/core/ask/comparison/find-compared';
import type { NamedJob } from '@joblens/core/ask/reading/named-job';
import { type Observable, of } from 'rxjs';
import { fillIn, fillInJobs, type JoblensQuery, type RunContext } from './query-type.js';
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
export function chooseJobs(query: JoblensQuery, context: RunContext): Observable<readonly NamedJob[] | undefined> {
  const job = fillInJobs(query, context);
  const tags = readTagPairs(query, context);
  if (job.length === 0 && (query.tag === undefined || query.tag === '')) return of(undefined);
  // A name with a user, or without a tag to look at, says all.
  if (job.length > 0 && (tags.length === 0 || job.every(({ user }) => user !== undefined))) return of(job);
  const { fromNs, toNs } = context;
  return runReading(() => chooseNamed(job, { tags, user: fillIn(query.user, context), fromNs, toNs }), context);
}
