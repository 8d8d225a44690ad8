import { useEffect, useRef, useState } from 'react';
import { catchError, EMPTY, take } from 'rxjs';
import { readJobRows } from '../../parts/job-rows.js';
import type { StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../../frames/state-kind.js';
import type { Ask } from '../../view.js';

type EndKind = Extract<StateKind, 'failed' | 'stopped' | 'completed'>;

/** How the job of a log ended. */
export interface JobEnd {
  readonly kind: EndKind;
  /** It ended while the log was open. */
  readonly isNews: boolean;
}

interface JobEndInput {
  readonly ask: Ask | undefined;
  /** The log is that of one job. */
  readonly isOneJob: boolean;
  /** A job that prints again, such as one that was requeued, has not ended. */
  readonly newestId: string | undefined;
}

const END_KINDS: ReadonlySet<StateKind> = new Set<EndKind>(['failed', 'stopped', 'completed']);

function isEndKind(kind: StateKind): kind is EndKind {
  return END_KINDS.has(kind);
}

/**
 * Asks for the job's state with each refresh, until it has ended; undefined before. The question is that of a panel
 * that shows the job's header, and the two share one request.
 */
export function useJobEnd({ ask, isOneJob, newestId }: JobEndInput): JobEnd | undefined {
  const [end, setEnd] = useState<JobEnd | undefined>(undefined);
  const wasSeenAlive = useRef(false);
  const endedAtId = useRef<string | undefined>(undefined);
  const isDone = end !== undefined && endedAtId.current === newestId;
  useEffect(() => {
    if (ask === undefined || !isOneJob || isDone) return undefined;
    const query = { queryType: 'jobs', limit: undefined, series: undefined, fields: undefined };
    const question = ask({ query })
      .pipe(
        take(1),
        catchError(() => EMPTY)
      )
      .subscribe((frames) => {
        const [row, ...others] = readJobRows(frames);
        if (row === undefined || others.length > 0) return;
        const kind = readStateKind(row);
        if (isEndKind(kind)) {
          endedAtId.current = newestId;
          setEnd((before) => before ?? { kind, isNews: wasSeenAlive.current });
        } else {
          wasSeenAlive.current = true;
          setEnd(undefined);
        }
      });
    return () => question.unsubscribe();
  }, [ask, isOneJob, isDone, newestId]);
  return end;
}
