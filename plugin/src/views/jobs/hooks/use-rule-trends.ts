import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { useEffect, useMemo, useState } from 'react';
import { catchError, concatMap, EMPTY, from, map, type Observable, timer } from 'rxjs';
import { type JobRow, selectJob } from '../../parts/job-rows.js';
import { recallRule } from '../../parts/hooks/kept-rules.js';
import type { ViewProps } from '../../view.js';
import { readTrends, type Trend } from '../model/trend.js';

interface RuledJob {
  readonly row: JobRow;
  readonly rule: MetadataKind;
}

/** The newest lines of a job: a list asks for several jobs, again with each refresh. */
const MAX_LINES = 2000;
/** Scrolling passes many jobs that nobody looks at. */
const PAUSE_MS = 150;

const NONE: ReadonlyMap<string, Trend> = new Map();

/** The trends of jobs of whose log somebody drew numbers in this browser, one job after the other. */
export function useRuleTrends(
  rows: readonly JobRow[],
  { ask, source, timeRange }: Pick<ViewProps, 'ask' | 'source' | 'timeRange'>
): ReadonlyMap<string, Trend> {
  const [trends, setTrends] = useState(NONE);
  const ruled = useMemo(() => listRuled(rows, source), [rows, source]);
  // A job that has ended stays as it is.
  const wanted = ruled.filter(({ row }) => row.to === 'now' || !trends.has(formatJobKey(row)));
  const key = JSON.stringify(wanted.map(({ row, rule }) => [row.job, row.user, rule]));
  useEffect(() => {
    if (ask === undefined || wanted.length === 0) return undefined;
    const question = timer(PAUSE_MS)
      .pipe(
        concatMap(() => from(wanted)),
        concatMap((job) => askTrend(job, ask, timeRange))
      )
      .subscribe((found) => setTrends((known) => new Map([...known, ...found])));
    return () => question.unsubscribe();
    // Asked again with each refresh, and for other jobs than before.
  }, [ask, key]);
  return trends;
}

function listRuled(rows: readonly JobRow[], source: string): readonly RuledJob[] {
  return rows.flatMap((row) => {
    const rule = recallRule({ source, job: row.job });
    return rule === undefined ? [] : [{ row, rule }];
  });
}

function askTrend(
  { row, rule }: RuledJob,
  ask: NonNullable<ViewProps['ask']>,
  timeRange: ViewProps['timeRange']
): Observable<ReadonlyMap<string, Trend>> {
  const query = { queryType: 'metadata', rule, limit: MAX_LINES, ...selectJob(row) };
  const [fromMs, toMs] = [Number(row.from), Number(row.to)];
  const range = {
    from: Number.isFinite(fromMs) ? fromMs : timeRange.from.valueOf(),
    to: Number.isFinite(toMs) ? toMs : timeRange.to.valueOf(),
  };
  return ask({ query, range }).pipe(
    map(readTrends),
    catchError(() => EMPTY)
  );
}
