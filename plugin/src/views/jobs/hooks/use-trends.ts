import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { useEffect, useMemo, useState } from 'react';
import { catchError, EMPTY } from 'rxjs';
import type { TrendQuestion } from '../../../query-types/metadata/trend-reading.js';
import type { JobRow } from '../../parts/job-rows.js';
import type { ViewProps } from '../../view.js';
import { readTrends, type Trend } from '../model/trend.js';

/** Values of each table: more would not be seen. */
const TREND_POINTS = 60;
/** Scrolling passes many jobs that nobody looks at. */
const PAUSE_MS = 150;

const NONE: ReadonlyMap<string, Trend> = new Map();

/** The trends of these jobs. One question for all that are new in sight, or still run since the last answer. */
export function useTrends(
  rows: readonly JobRow[],
  ask: ViewProps['ask'],
  timeRange: ViewProps['timeRange']
): ReadonlyMap<string, Trend> {
  const [trends, setTrends] = useState(NONE);
  // A job that has ended stays as it is.
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const wanted = useMemo(
    () => rows.filter((row) => row.values !== undefined && (row.to === 'now' || !asked.has(formatJobKey(row)))),
    [rows, asked]
  );
  const names = JSON.stringify([...new Set(wanted.map(({ job }) => job))]);
  useEffect(() => {
    if (ask === undefined || wanted.length === 0) return undefined;
    const begins = wanted.map(({ from }) => Number(from)).filter(Number.isFinite);
    const range = { from: Math.min(timeRange.from.valueOf(), ...begins), to: timeRange.to.valueOf() };
    const ends = wanted.map((row) => [formatJobKey(row), Number(row.to)] as const);
    const endsMs = Object.fromEntries(ends.filter(([, endMs]) => Number.isFinite(endMs)));
    const trend: TrendQuestion = { points: TREND_POINTS, endsMs };
    const query = { queryType: 'metadata', job: JSON.parse(names) as string[], trend };
    const open = (): { unsubscribe: () => void } =>
      ask({ query, range })
        .pipe(catchError(() => EMPTY))
        .subscribe((frames) => {
          setTrends((known) => new Map([...known, ...readTrends(frames)]));
          setAsked((known) => new Set([...known, ...wanted.filter(({ to }) => to !== 'now').map(formatJobKey)]));
        });
    let question: ReturnType<typeof open> | undefined;
    const timer = setTimeout(() => {
      question = open();
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      question?.unsubscribe();
    };
    // Asked again with each refresh, and for other jobs than before.
  }, [ask, names]);
  return trends;
}
