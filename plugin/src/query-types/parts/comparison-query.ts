import { RESULT_STATS, type ResultStat } from '@joblens/core/ask/comparison/compare-jobs';
import { type Comparison, readComparison } from '@joblens/core/ask/comparison/find-compared';
import type { Observable } from 'rxjs';
import { fillIn, fillInJobs, type JoblensQuery, type RunContext } from './query-type.js';
import { type RunAnswer, runReading, withQuery } from './run-reading.js';
import { readTagPairs } from './tagged-jobs.js';

/** What Compare and Diff share. `job` may be a variable with several values. */
export interface ComparisonQuery extends JoblensQuery {
  /** Which of the numbers of a key; may be a variable. */
  stat?: string;
}

export interface CompareQuery extends ComparisonQuery {
  /** Numbers of the tables, tags, and keys of configurations to show; none means what differs, and the main numbers. */
  keys?: string[];
  /** The key of the configurations, or the tag, whose value is the column `group`. May hold variables. */
  by?: string;
}

/** Jobs that are grouped without a limit of the query. */
export const GROUPED_JOBS = 1000;

interface AskedComparison {
  readonly limit: number;
  /** Whether jobs with the tag join those that are named; else they only stand in for none. */
  readonly joinsTag: boolean;
}

/** The jobs of a query with what is compared of them. */
export function readCompared(
  query: ComparisonQuery,
  { limit, joinsTag }: AskedComparison,
  context: RunContext
): Observable<RunAnswer<Comparison>> {
  const { fromNs, toNs } = context;
  const job = fillInJobs(query, context);
  const tags = readTagPairs(query, context);
  const request = { job, tags, isTagInstead: !joinsTag, user: fillIn(query.user, context), fromNs, toNs, limit };
  return runReading(() => withQuery(readComparison(request)), context);
}

export function readStat(query: ComparisonQuery, context: RunContext): ResultStat {
  const [wanted] = fillIn(query.stat, context);
  return RESULT_STATS.find((stat) => stat === wanted) ?? 'last';
}
