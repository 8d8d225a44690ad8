import type { DataFrame } from '@grafana/data';
import { useEffect, useState } from 'react';
import { catchError, EMPTY } from 'rxjs';
import { readWhyMeta, type WhyMeta } from '../../frames/comparison-meta.js';
import { readFieldByName } from '../../frames/field-values.js';
import { readStateKind } from '../../frames/state-kind.js';
import { type JobRow, selectJob } from '../parts/job-rows.js';
import type { ViewProps } from '../view.js';

export interface JobWhy extends WhyMeta {
  /** `lr`, and `0.1 → 10`; the likeliest cause first. */
  readonly differences: ReadonlyArray<readonly [name: string, text: string]>;
}

/**
 * What is other in a job that failed than in jobs like it that went well. Asked once, and of no other job; undefined
 * where there is nothing to tell.
 */
export function useWhy(row: JobRow, ask: ViewProps['ask']): JobWhy | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly why: JobWhy | undefined } | undefined>(undefined);
  const { job, user, to } = row;
  const isWanted = ask !== undefined && readStateKind(row) === 'failed' && to !== 'now' && user !== '';
  const key = JSON.stringify([job, user, to, row.state]);
  const isOpen = isWanted && found?.key !== key;
  useEffect(() => {
    if (!isOpen) return undefined;
    const question = ask({ query: { queryType: 'why', ...selectJob(row) } })
      .pipe(catchError(() => EMPTY))
      .subscribe(([frame]) => setFound({ key, why: frame === undefined ? undefined : readWhy(frame) }));
    return () => question.unsubscribe();
  }, [isOpen, key]);
  return isWanted && found?.key === key ? found.why : undefined;
}

function readWhy(frame: DataFrame): JobWhy | undefined {
  const meta = readWhyMeta(frame);
  if (meta === undefined) return undefined;
  const [names = [], texts = []] = ['name', 'text'].map((name) => readFieldByName(frame, name));
  const differences = names.map((name, at) => [String(name), String(texts[at])] as const);
  return differences.length === 0 && meta.first === undefined ? undefined : { ...meta, differences };
}
