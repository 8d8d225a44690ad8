import { map } from 'rxjs';
import { useAnswer } from '../../answers/use-answer.js';
import { readFieldByName } from '../../frames/field-values.js';
import { type JobRow, selectJob } from '../parts/job-rows.js';
import { readStateKind } from '../../frames/state-kind.js';
import type { ViewProps } from '../view.js';

const SIGNALS = 100;

/** The time of the line that the job's reason speaks of, in nanoseconds; undefined where no line does. */
export function useReasonTime(row: JobRow, ask: ViewProps['ask']): bigint | undefined {
  const { job, user, from, to, reason } = row;
  const isWanted = reason !== undefined && to !== 'now' && readStateKind(row) !== 'waiting';
  const key = isWanted ? JSON.stringify([job, user, from, to, reason]) : undefined;
  return useAnswer(key, ask, (askNow) => {
    const query = { queryType: 'events', event: 'signals', ...selectJob(row), limit: SIGNALS };
    return askNow({ query, range: { from: Number(from), to: Number(to) } }).pipe(
      map(([frame]) => {
        const read = (name: string): readonly string[] =>
          frame === undefined ? [] : ((readFieldByName(frame, name) ?? []) as string[]);
        const ids = read('id');
        const isOwn = (_: string, row: number): boolean => ids[row]?.endsWith(`/${job}/${user}`) === true;
        return findReasonTime(reason ?? '', read('text').filter(isOwn), ids.filter(isOwn));
      })
    );
  });
}

/** `texts` and `ids`: those of the signals, oldest first. An id begins with the time. */
export function findReasonTime(reason: string, texts: readonly string[], ids: readonly string[]): bigint | undefined {
  const at = texts.findLastIndex((text) => reason.includes(text.replace(/, \d+ times$/, '')));
  const time = /^\d+/.exec(ids[at] ?? '')?.[0];
  return time === undefined ? undefined : BigInt(time);
}
